/** An order that was sent, and that the purchasing system did not confirm. */

import { element, visible } from "../elements/element.js";

/**
 * What a person has to do about it; null after any other end.
 *
 * @param {string} outcome
 * @param {string} id
 */
export function afterEnd(outcome, id) {
  if (outcome !== "write_unknown") return null;
  const steps = [
    ["Look in the purchasing system for the reference ", element("code", {}, visible(id)), "."],
    "If the order is there, and is what was approved, it stands: keep its number.",
    "If it is another one, have it mended there.",
    "If there is none, ask for it again as a new order: this operation never sends it again.",
  ];
  return element(
    "ol",
    { class: "steps" },
    steps.map((step) => element("li", {}, step)),
  );
}
