/** What a report is made of while it is edited as its readers see it. */

/**
 * @import { DOMOutputSpec, NodeSpec, Schema } from "prosemirror-model"
 * @import { Library } from "./library.js"
 */

/** The page's own headings stand above those of a report. */
const LOWEST = 6;

/**
 * CommonMark with tables, strikethrough, task lists and footnotes. A block knows by `origin` which
 * one of the text it was; what can't be edited as it is read is `raw`, in Markdown.
 *
 * @param {Library} library
 * @returns {Schema}
 */
export function schemaOf({ Schema, schema }) {
  let { nodes, marks } = schema.spec;
  for (const [name, more] of Object.entries(CHANGED)) {
    const known = nodes.get(name);
    nodes = nodes.update(name, { ...known, ...more, attrs: { ...known?.attrs, ...more.attrs } });
  }
  for (const [name, spec] of Object.entries(ADDED)) nodes = nodes.addToEnd(name, spec);
  for (const name of BLOCKS) {
    const known = nodes.get(name);
    nodes = nodes.update(name, { ...known, attrs: { ...known?.attrs, origin: { default: null } } });
  }
  marks = marks.addToEnd("strike", { parseDOM: [{ tag: "s" }], toDOM: () => ["s", 0] });
  // Without an address that a click could lead to, away from what is being written.
  const link = { ...marks.get("link"), toDOM: shownLink };
  return new Schema({ nodes, marks: marks.update("link", link) });
}

/** @param {{attrs: {href?: string}}} mark @returns {DOMOutputSpec} */
function shownLink({ attrs }) {
  return ["span", { class: "written-link", title: attrs.href }, 0];
}

const BLOCKS = [
  ...["paragraph", "heading", "blockquote", "code_block", "horizontal_rule"],
  ...["bullet_list", "ordered_list", "table", "raw"],
];

/** @type {Record<string, Partial<NodeSpec>>} */
const CHANGED = {
  paragraph: { toDOM: () => ["p", { dir: "auto" }, 0] },
  heading: {
    content: "inline*",
    toDOM: ({ attrs }) => [`h${Math.min(attrs.level + 1, LOWEST)}`, { dir: "auto" }, 0],
  },
  bullet_list: { attrs: { bullet: { default: "-" } } },
  ordered_list: { attrs: { delimiter: { default: "." } } },
  image: {
    draggable: false,
    // To load it would tell its server who is reading.
    toDOM: ({ attrs }) => ["span", { class: "written-mark" }, `Image: ${attrs.alt || attrs.src}`],
  },
};

/** @type {Record<string, NodeSpec>} */
const ADDED = {
  table: {
    content: "table_row+",
    group: "block",
    isolating: true,
    toDOM: () => ["table", ["tbody", 0]],
  },
  table_row: { content: "table_cell+", toDOM: () => ["tr", 0] },
  table_cell: {
    content: "inline*",
    isolating: true,
    attrs: { head: { default: false }, align: { default: null } },
    toDOM: ({ attrs: { head, align } }) => [
      head ? "th" : "td",
      { dir: "auto", "data-align": align },
      0,
    ],
  },
  footnote_ref: {
    inline: true,
    atom: true,
    group: "inline",
    attrs: { label: {} },
    toDOM: ({ attrs }) => ["sup", { class: "written-mark" }, attrs.label],
  },
  task: {
    inline: true,
    atom: true,
    group: "inline",
    attrs: { mark: {} },
    toDOM: ({ attrs }) => ["span", { class: "written-mark" }, attrs.mark === " " ? "☐ " : "☑ "],
  },
  raw: {
    content: "text*",
    group: "block",
    code: true,
    marks: "",
    defining: true,
    toDOM: () => ["pre", { class: "written-raw", dir: "auto" }, 0],
  },
};
