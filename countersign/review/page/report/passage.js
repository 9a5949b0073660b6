/** A quote at its place in the source, and whether it was found there. */

import { element, foreign, icon, visible } from "../elements/element.js";

/** @import { QuotedPassage } from "../api.js" */

/**
 * A quote between what stands before and after it in its source.
 *
 * @param {{quote: string, passage: QuotedPassage|null, found: boolean}} claim
 */
export function passageElement({ quote, passage, found }) {
  const said = found ? foundAs(passage) : "These words were not found in the source";
  const words = passage
    ? [
        cut(passage.before, "…", ""),
        element("mark", {}, visible(passage.quote)),
        cut(passage.after, "", "…"),
      ]
    : ["“", element("mark", {}, visible(quote)), "”"];
  return element(
    "figure",
    { class: "passage", "data-found": String(Boolean(found)) },
    element(
      "figcaption",
      {},
      verdict(found, said),
      passage?.where && element("span", { class: "hint" }, ", ", foreign(passage.where)),
    ),
    element("blockquote", { dir: "auto" }, words),
  );
}

/**
 * How much of a sentence a quote is that was found.
 *
 * @param {QuotedPassage|null} passage
 */
function foundAs(passage) {
  const part = passage?.begins_inside || passage?.ends_inside;
  return part ? "Found in the source, as a part of a sentence" : "Found in the source";
}

/**
 * A tick or a cross with what it says.
 *
 * @param {boolean} good
 * @param {string} said
 */
export function verdict(good, said) {
  return element(
    "span",
    { class: "verdict", "data-good": String(Boolean(good)) },
    icon(good ? "check" : "cross"),
    said,
  );
}

/**
 * A part of a longer text, with dots where it was cut.
 *
 * @param {string} text
 * @param {string} before
 * @param {string} after
 */
function cut(text, before, after) {
  return text ? before + visible(text) + after : "";
}
