/** What changed in the text of a report, word by word. */

import { element, visible } from "../elements/element.js";

/** @param {{words: object[]}} changes pieces of both texts, as the API tells them */
export function reportDifference({ words }) {
  return words.length ? inWords(words) : element("p", {}, "The two texts are the same.");
}

function inWords(words) {
  const blocks = [element("p")];
  for (const [place, { op, text, lines }] of words.entries()) {
    if (op === "gap") blocks.push(gap(lines), element("p"));
    else blocks.at(-1).append(piece(op, visible(beforeGap(words, place) ? text.trimEnd() : text)));
  }
  const said = blocks.filter((block) => block.hasChildNodes());
  return element("div", { class: "difference", dir: "auto" }, said);
}

/** Whether a piece ends where unchanged lines are left out, so that its blank lines say nothing. */
function beforeGap(words, place) {
  return words[place].op === "same" && words[place + 1]?.op === "gap";
}

function piece(op, text) {
  const name = { removed: "del", added: "ins" }[op];
  return name ? element(name, {}, text) : document.createTextNode(text);
}

function gap(lines) {
  return element(
    "p",
    { class: "gap" },
    lines === 1 ? "one line is unchanged" : `${lines} lines are unchanged`,
  );
}
