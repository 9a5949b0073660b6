/** What speaks against a report: sentences in doubt, claims that don't agree, lines left out. */

import { count, element, foreign, visible } from "../elements/element.js";
import { passageElement } from "./passage.js";
import { sourceElement } from "./source.js";

/** @import { Evidence } from "../api.js" */

/**
 * The sentences, headings or the title that something speaks against, each with the reasons.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function doubtsElement({ doubts }) {
  const grave = doubts.filter((doubt) => doubt.grave);
  return group(
    `${count(grave.length, "line")} of the report to check`,
    grave.map(({ sentence, reasons }) => line(sentence, reasons)),
  );
}

/**
 * The lines that say nothing against their quotes, but aren't word for word in them, folded away.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function ownWordsElement({ doubts }) {
  const own = doubts.filter((doubt) => !doubt.grave);
  return folded(
    `${count(own.length, "line")} in the writer's own words`,
    own.map(({ sentence, reasons }) => line(sentence, reasons)),
  );
}

/**
 * Pairs of claims that don't agree, side by side with their quotes.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function contradictionsElement({ contradictions, claims, sources }) {
  /** @param {number} number */
  const side = (number) => {
    const claim = claims[number - 1];
    const source = sources.find(({ id }) => id === claim.source);
    return element(
      "div",
      {},
      foreign(claim.claim, "p", { class: "claim-text" }),
      passageElement(claim),
      sourceElement(source, claim.source),
    );
  };
  return group(
    "Contradicting claims",
    contradictions.map((pair) => element("li", { class: "side-by-side" }, pair.map(side))),
  );
}

/**
 * What the writer wrote and the report doesn't have, folded away.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function leftOutElement({ left_out: leftOut }) {
  return folded(
    `${count(leftOut.length, "line")} of the draft left out`,
    leftOut.map(({ text, reason }) => line(text, [reason])),
  );
}

/**
 * A line, and each reason why it is listed.
 *
 * @param {string} text
 * @param {string[]} reasons
 */
function line(text, reasons) {
  return element(
    "li",
    { class: "doubt" },
    element("p", { class: "claim-text", dir: "auto" }, visible(text)),
    reasons.map((reason) => foreign(reason, "p", { class: "hint" })),
  );
}

/**
 * @param {string} title
 * @param {Node[]} items
 */
function group(title, items) {
  if (!items.length) return null;
  return element(
    "section",
    { class: "claims doubtful" },
    element("h3", {}, title),
    element("ol", {}, items),
  );
}

/**
 * @param {string} title
 * @param {Node[]} items
 */
function folded(title, items) {
  if (!items.length) return null;
  return element(
    "details",
    { class: "folded claims" },
    element("summary", {}, title),
    element("ol", {}, items),
  );
}
