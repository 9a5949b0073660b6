/** What of Markdown becomes what of a document, and how that is written as Markdown again. */

/**
 * @import { Node } from "prosemirror-model"
 * @import { MarkdownSerializer, MarkdownSerializerState, ParseSpec } from "prosemirror-markdown"
 * @import { Library } from "./library.js"
 */

/** What acts in Markdown besides what the library escapes; bare addresses do for many readers. */
const ALSO_ACTS = /[<|]|&(?=#?\w+;)|!(?=\\\[)|(?<=https?|ftp):(?=\/\/)|(?<=www)\./gi;

const RULES = new Map([
  ["left", ":--"],
  ["center", ":-:"],
  ["right", "--:"],
]);

/** @param {boolean} head @returns {ParseSpec} */
const cell = (head) => ({
  block: "table_cell",
  getAttrs: (token) => ({
    head,
    align: /text-align:(\w+)/.exec(token.attrGet("style") ?? "")?.[1] ?? null,
  }),
});

/** @type {Record<string, ParseSpec>} */
export const TOKENS = {
  bullet_list: {
    block: "bullet_list",
    getAttrs: (token, tokens, place) => ({ bullet: token.markup, tight: isTight(tokens, place) }),
  },
  ordered_list: {
    block: "ordered_list",
    getAttrs: (token, tokens, place) => ({
      order: Number(token.attrGet("start") ?? 1),
      delimiter: token.markup,
      tight: isTight(tokens, place),
    }),
  },
  table: { block: "table" },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: "table_row" },
  th: cell(true),
  td: cell(false),
  s: { mark: "strike" },
  footnote_ref: { node: "footnote_ref", getAttrs: ({ meta }) => meta },
  task: { node: "task", getAttrs: ({ meta }) => meta },
};

/**
 * @param {Library} library
 * @returns {MarkdownSerializer}
 */
export function serializerOf({ MarkdownSerializer, defaultMarkdownSerializer }) {
  const { nodes, marks } = defaultMarkdownSerializer;
  return new MarkdownSerializer(
    { ...nodes, ...NODES },
    { ...marks, strike: { open: "~~", close: "~~", expelEnclosingWhitespace: true } },
    { escapeExtraCharacters: ALSO_ACTS },
  );
}

/** @type {Record<string, (state: MarkdownSerializerState, node: Node) => void>} */
const NODES = {
  table(state, node) {
    node.forEach((row, _, place) => {
      if (place) state.write("\n");
      state.write("|");
      row.forEach((each) => {
        state.write(" ");
        state.renderInline(each, false);
        state.write(" |");
      });
      if (!place) state.write(`\n${ruleBelow(row)}`);
    });
    state.closeBlock(node);
  },
  ordered_list(state, node) {
    const { order, delimiter } = node.attrs;
    const longest = `${order + node.childCount - 1}${delimiter} `.length;
    state.renderList(node, " ".repeat(longest), (place) =>
      `${order + place}${delimiter} `.padEnd(longest),
    );
  },
  footnote_ref: (state, { attrs }) => state.write(`[^${attrs.label}]`),
  task: (state, { attrs }) => state.write(`[${attrs.mark}] `),
  raw(state, node) {
    state.text(node.textContent, false);
    state.closeBlock(node);
  },
};

/** @param {Node} head */
function ruleBelow(head) {
  let rule = "|";
  head.forEach(({ attrs }) => {
    rule += ` ${RULES.get(attrs.align) ?? "---"} |`;
  });
  return rule;
}

/**
 * Whether the paragraphs of a list's entries follow each other without blank lines.
 *
 * @param {{hidden: boolean, type: string}[]} tokens
 * @param {number} place of the list's beginning
 */
function isTight(tokens, place) {
  return tokens.slice(place + 1).find(({ type }) => type !== "list_item_open")?.hidden ?? false;
}
