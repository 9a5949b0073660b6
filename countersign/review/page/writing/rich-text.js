/** A report edited as its readers see it. What nobody touches stays in Markdown as it was. */

import { Markdown } from "./markdown.js";

/**
 * @import { Node, Schema } from "prosemirror-model"
 * @import { Command, EditorState } from "prosemirror-state"
 * @import { EditorView } from "prosemirror-view"
 * @import { Library } from "./library.js"
 */

export class RichText {
  #markdown;
  #view;

  /**
   * @param {Library} library
   * @param {string} text in Markdown, with lines that end in "\n"
   * @param {object} options
   * @param {string} options.label
   * @param {string[]} options.quotes what has to stay as it is, to be a quote
   * @param {(text: string) => void} options.changed called with the Markdown of each change
   */
  constructor(library, text, { label, quotes, changed }) {
    const markdown = new Markdown(library, text);
    this.#markdown = markdown;
    const { EditorState, EditorView } = library;
    const plugins = pluginsOf(library, markdown, quotes);
    this.#view = new EditorView(null, {
      state: EditorState.create({ doc: markdown.doc, plugins }),
      attributes: {
        class: "sheet rich-text",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        spellcheck: "true",
      },
      dispatchTransaction: (transaction) => {
        this.#view.updateState(this.#view.state.apply(transaction));
        if (transaction.docChanged) changed(this.text);
      },
      handleDOMEvents: { paste: pastedAs(library), drop: nothing, dragstart: nothing },
    });
  }

  get element() {
    return this.#view.dom;
  }

  /** The Markdown of what is written. */
  get text() {
    return this.#markdown.textOf(this.#view.state.doc);
  }

  focus() {
    this.#view.focus();
  }

  close() {
    this.#view.destroy();
  }
}

/**
 * @param {Library} library
 * @param {Markdown} markdown
 * @param {string[]} quotes
 */
function pluginsOf(library, markdown, quotes) {
  const { baseKeymap, history, keymap, Plugin, redo, undo } = library;
  const decorations = (/** @type {EditorState} */ { doc }) =>
    brokenIn(library, markdown, quotes, doc);
  return [
    history(),
    keymap({ "Mod-z": undo, "Mod-y": redo, "Mod-Shift-z": redo }),
    keymap(formatting(library, markdown.schema)),
    keymap(baseKeymap),
    new Plugin({ props: { decorations } }),
  ];
}

/**
 * The Tab key is none of them: it leads on to what follows.
 *
 * @param {Library} library
 * @param {Schema} schema
 * @returns {Record<string, Command>}
 */
function formatting({ liftListItem, sinkListItem, splitListItem, toggleMark }, { marks, nodes }) {
  return {
    "Mod-b": toggleMark(marks.strong),
    "Mod-i": toggleMark(marks.em),
    Enter: splitListItem(nodes.list_item),
    "Mod-]": sinkListItem(nodes.list_item),
    "Mod-[": liftListItem(nodes.list_item),
  };
}

/**
 * Mark the blocks whose quotes are no longer as they were.
 *
 * @param {Library} library
 * @param {Markdown} markdown
 * @param {string[]} quotes
 * @param {Node} doc
 */
function brokenIn({ Decoration, DecorationSet }, markdown, quotes, doc) {
  /** @type {import("prosemirror-view").Decoration[]} */
  const broken = [];
  doc.forEach((node, start) => {
    const original = markdown.original(node);
    if (!original || original === node) return;
    const [before, now] = [plain(original), plain(node)];
    const isBroken = quotes.some((quote) => before.includes(quote) && !now.includes(quote));
    if (isBroken)
      broken.push(Decoration.node(start, start + node.nodeSize, { class: "quote-broken" }));
  });
  return DecorationSet.create(doc, broken);
}

/** @param {Node} node */
function plain(node) {
  return node.textBetween(0, node.content.size, " ").replace(/\s+/g, " ").trim();
}

/**
 * Whatever is pasted comes as its words alone.
 *
 * @param {Library} library
 */
function pastedAs({ Fragment, Slice }) {
  return (/** @type {EditorView} */ view, /** @type {ClipboardEvent} */ event) => {
    event.preventDefault();
    const text = (event.clipboardData?.getData("text/plain") ?? "").replace(/\r\n?/g, "\n");
    const { schema, selection, tr } = view.state;
    const lines = text.split(/\n+/).filter(Boolean);
    if (selection.$from.parent.type.spec.code || lines.length < 2) {
      const words = selection.$from.parent.type.spec.code ? text : (lines[0] ?? "");
      view.dispatch(tr.insertText(words).scrollIntoView());
      return true;
    }
    const paragraphs = lines.map((line) => schema.node("paragraph", null, schema.text(line)));
    view.dispatch(tr.replaceSelection(new Slice(Fragment.from(paragraphs), 1, 1)).scrollIntoView());
    return true;
  };
}

/**
 * @param {EditorView} _
 * @param {Event} event
 */
function nothing(_, event) {
  event.preventDefault();
  return true;
}
