/** The lines of a text that changed, as blocks to read: without the marks of headings and tables. */

import { element, visible } from "../elements/element.js";

/** @import { Gap, Words } from "../api.js" */

/** @typedef {Words[]} Line words that are the same, removed and added */

const HEADING = /^ {0,3}#+ +/;
const ENTRY = /^\s*[-*+] +/;
const QUOTE = /^ {0,3}> ?/;
const ROW = /^\s*\|.*\|\s*$/;
/** A sign with a backslash before it, which a reader sees without it. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g;
const RULE_OF_TABLE = /^[\s|:-]+$/;

/**
 * @param {(Words|Gap)[]} pieces
 * @returns {(Line|number)[]} a number stands for so many lines that are not shown
 */
export function linesOf(pieces) {
  /** @type {(Line|number)[]} */
  const lines = [];
  /** @type {Line} */
  let line = [];
  for (const piece of pieces) {
    if (piece.op === "gap") {
      lines.push(line, piece.lines);
      line = [];
      continue;
    }
    const { op, text } = piece;
    // A line end that came or went has no words to be seen by.
    const end = op !== "same" && !text.trim() ? "¶" : "";
    for (const [place, part] of text.split(/\r?\n/).entries()) {
      if (place) {
        if (end) line.push({ op, text: end });
        lines.push(line);
        line = [];
      }
      if (part) line.push({ op, text: part });
    }
  }
  return [...lines, line].filter((each) => typeof each === "number" || !isRuleAsBefore(each));
}

/**
 * The line below the head of a table, which says how columns are aligned and is no row.
 *
 * @param {Line} line
 */
function isRuleAsBefore(line) {
  return line.length > 0 && line.every(({ op, text }) => op === "same" && isRule(text));
}

/** @param {string} text */
function isRule(text) {
  return ROW.test(text) && RULE_OF_TABLE.test(text);
}

/**
 * @param {Line} line
 * @returns {HTMLElement|null} nothing for a blank one
 */
export function blockOf(line) {
  const text = line.map((each) => each.text).join("");
  if (!text.trim()) return null;
  if (ROW.test(text)) return rowOf(line, text);
  const [heading] = HEADING.exec(text) ?? [];
  if (heading) return element("p", { class: "heading", dir: "auto" }, marked(line, heading.length));
  const [entry] = ENTRY.exec(text) ?? [];
  if (entry) return element("p", { class: "entry", dir: "auto" }, marked(line, entry.length));
  const [quote] = QUOTE.exec(text) ?? [];
  if (quote) return element("p", { class: "quoted", dir: "auto" }, marked(line, quote.length));
  return element("p", { dir: "auto" }, marked(line, 0));
}

/**
 * @param {Line} line
 * @param {number} mark characters at its beginning that only say what kind of block it is
 */
function marked(line, mark) {
  const [before, words] = cut(line, mark);
  const turned = before.some(({ op }) => op !== "same") && words.some(({ op }) => op === "same");
  return [turned && element("ins", { class: "format" }, "formatting changed"), words.map(shown)];
}

/**
 * @param {Line} line
 * @param {number} length
 * @returns {[Line, Line]} as many characters, and the others
 */
function cut(line, length) {
  /** @type {[Line, Line]} */
  const parts = [[], []];
  let left = length;
  for (const { op, text } of line) {
    const head = text.slice(0, left);
    const tail = text.slice(left);
    left -= head.length;
    if (head) parts[0].push({ op, text: head });
    if (tail) parts[1].push({ op, text: tail });
  }
  return parts;
}

/**
 * @param {Line} line
 * @param {string} text
 */
function rowOf(line, text) {
  if (isRule(text))
    return element("p", {}, element("ins", { class: "format" }, "alignment of columns changed"));
  /** @type {Line[]} */
  const cells = [[]];
  for (const { op, text } of line) {
    for (const [place, part] of text.split(/(?<!\\)\|/).entries()) {
      if (place) cells.push([]);
      if (part.trim()) cells.at(-1)?.push({ op, text: part });
    }
  }
  const row = cells.slice(1, -1).map((cell) => element("td", { dir: "auto" }, cell.map(shown)));
  return element("table", {}, element("tr", {}, row));
}

/** @param {Words} words */
function shown({ op, text }) {
  const said = visible(text.replace(ESCAPED, "$1"));
  if (op === "removed") return element("del", {}, said);
  return op === "added" ? element("ins", {}, said) : said;
}
