/** A text in Markdown, cut into its blocks: joined again they are the text, byte for byte. */

/**
 * @import { Library } from "./library.js"
 * @import MarkdownIt from "markdown-it"
 * @import Token from "markdown-it/lib/token.mjs"
 */

/**
 * @typedef {object} Block
 * @property {string} before what stands between the block before and this one
 * @property {string} source
 * @property {Token[]|null} tokens null for what is no block to a reader, such as definitions
 */

const FOOTNOTE = /^\[\^([^\s[\]]+)\]/;
const TASK = /^\[([ xX])\][ \t]+/;

/**
 * What reads the Markdown of reports as the server does.
 *
 * @param {Library} library
 * @returns {MarkdownIt}
 */
export function readerOf({ MarkdownIt }) {
  const reader = new MarkdownIt("commonmark", { html: false }).enable(["table", "strikethrough"]);
  reader.inline.ruler.before("link", "footnote_ref", (state, silent) => {
    const found = FOOTNOTE.exec(state.src.slice(state.pos, state.posMax));
    if (!found) return false;
    if (!silent) state.push("footnote_ref", "", 0).meta = { label: found[1] };
    state.pos += found[0].length;
    return true;
  });
  reader.core.ruler.push("tasks", ({ tokens, Token }) => {
    tokens.forEach(({ children }, place) => {
      if (tokens[place - 2]?.type !== "list_item_open" || children?.[0]?.type !== "text") return;
      const found = TASK.exec(children[0].content);
      if (!found) return;
      children[0].content = children[0].content.slice(found[0].length);
      const task = new Token("task", "", 0);
      task.meta = { mark: found[1] };
      children.unshift(task);
    });
  });
  return reader;
}

/**
 * @param {MarkdownIt} reader
 * @param {string} text
 * @param {object} env takes what links of the text refer to
 * @returns {{blocks: Block[], after: string}}
 */
export function blocksIn(reader, text, env) {
  /** @type {Block[]} */
  const blocks = [];
  const starts = lineStarts(text);
  let end = 0;
  for (const tokens of groups(reader.parse(text, env))) {
    const [first, last] = tokens[0].map ?? [0, 0];
    const start = starts[first];
    const source = text.slice(start, starts[last]).trimEnd();
    const before = apart(text.slice(end, start), blocks);
    blocks.push({ before, source, tokens });
    end = start + source.length;
  }
  return { after: apart(text.slice(end), blocks), blocks };
}

/**
 * Make a block of what is written between two blocks, and return what is left of it: blanks.
 *
 * @param {string} between
 * @param {Block[]} blocks takes it
 */
function apart(between, blocks) {
  const source = between.trim();
  if (!source) return between;
  const [before, after] = between.split(source);
  blocks.push({ before, source, tokens: null });
  return after;
}

/**
 * The tokens of each block that stands in no other one.
 *
 * @param {Token[]} tokens
 */
function groups(tokens) {
  /** @type {Token[][]} */
  const found = [];
  for (const token of tokens) {
    if (token.level === 0 && token.nesting >= 0) found.push([]);
    found.at(-1)?.push(token);
  }
  return found;
}

/** @param {string} text */
function lineStarts(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  // A text need not end with a line end.
  starts.push(text.length);
  return starts;
}
