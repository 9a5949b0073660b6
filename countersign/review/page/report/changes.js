/** What changed in the text of a report, word by word, with its blocks as they are read. */

import { announce } from "../elements/announce.js";
import { count, element } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { blockOf, linesOf } from "./changed-lines.js";

/** @import { Gap, Words } from "../api.js" */
/** @import { Line } from "./changed-lines.js" */

/** @param {{words: (Words|Gap)[]}} changes pieces of both texts, as the API tells them */
export function reportDifference({ words }) {
  if (!words.length) return element("p", {}, "The two texts are the same.");
  const text = element("div", { class: "difference" }, blocks(linesOf(words)));
  return element("div", {}, stepsThrough(text), text);
}

/**
 * Rows of a table belong together, and so do the lines of a paragraph.
 *
 * @param {(Line|number)[]} lines
 */
function blocks(lines) {
  /** @type {HTMLElement[]} */
  const made = [];
  let open = false;
  for (const line of lines) {
    const block = typeof line === "number" ? gap(line) : blockOf(line);
    const last = made.at(-1);
    const joins = open && last && block && joinable(last, block);
    if (joins) last.append(last.tagName === "P" ? "\n" : "", ...block.childNodes);
    else if (block) made.push(block);
    open = Boolean(block);
  }
  return made;
}

/**
 * @param {HTMLElement} last
 * @param {HTMLElement} block
 */
function joinable(last, block) {
  if (last.tagName !== block.tagName) return false;
  return block.tagName === "TABLE" || !(last.className || block.className);
}

/** @param {number} lines */
function gap(lines) {
  const says = lines === 1 ? "one line is unchanged" : `${lines} lines are unchanged`;
  return element("p", { class: "gap" }, says);
}

/**
 * Buttons that lead from one change to the next.
 *
 * @param {HTMLElement} text
 */
function stepsThrough(text) {
  const changes = [...text.querySelectorAll("ins, del")].filter(isFirst);
  if (!changes.length) return null;
  let at = -1;
  /** @param {number} step */
  const go = (step) => {
    changes[at]?.removeAttribute("data-chosen");
    at = at < 0 && step < 0 ? changes.length - 1 : (at + step + changes.length) % changes.length;
    changes[at].setAttribute("data-chosen", "");
    changes[at].scrollIntoView({ block: "center", behavior: "instant" });
    announce(`Change ${at + 1} of ${changes.length}: ${changes[at].textContent}`);
  };
  return element(
    "div",
    { class: "actions" },
    element("span", { class: "hint" }, count(changes.length, "change")),
    button("Previous change", () => go(-1)),
    button("Next change", () => go(1)),
  );
}

/**
 * What was removed and what stands there instead are one change.
 *
 * @param {Element} change
 */
function isFirst({ previousSibling: before, previousElementSibling: other }) {
  const between = before instanceof Text && before.data.trim();
  return Boolean(between) || !other?.matches("ins, del");
}
