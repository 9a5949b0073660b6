/** What changed in the text of a report, word by word. */

import { element, visible } from "../elements/element.js";

/** @import { Gap, Words } from "../api.js" */

/** @typedef {Words|Gap} Piece */

/** @param {{words: Piece[]}} changes pieces of both texts, as the API tells them */
export function reportDifference({ words }) {
  return words.length ? inWords(words) : element("p", {}, "The two texts are the same.");
}

/** @param {Piece[]} words */
function inWords(words) {
  const blocks = [element("p")];
  for (const [place, piece] of words.entries()) {
    if (piece.op === "gap") blocks.push(gap(piece.lines), element("p"));
    else blocks.at(-1)?.append(marked(piece, beforeGap(words, place)));
  }
  const said = blocks.filter((block) => block.hasChildNodes());
  return element("div", { class: "difference", dir: "auto" }, said);
}

/**
 * Whether a piece ends where unchanged lines are left out, so that its blank lines say nothing.
 *
 * @param {Piece[]} words
 * @param {number} place
 */
function beforeGap(words, place) {
  return words[place].op === "same" && words[place + 1]?.op === "gap";
}

/**
 * @param {Words} words
 * @param {boolean} isCut whether the blanks at their end say nothing
 */
function marked({ op, text }, isCut) {
  const said = visible(isCut ? text.trimEnd() : text);
  if (op === "removed") return element("del", {}, said);
  return op === "added" ? element("ins", {}, said) : said;
}

/** @param {number} lines */
function gap(lines) {
  return element(
    "p",
    { class: "gap" },
    lines === 1 ? "one line is unchanged" : `${lines} lines are unchanged`,
  );
}
