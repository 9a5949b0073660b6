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
    ["Search the purchasing system for the reference ", element("code", {}, visible(id)), "."],
    "If the order is there as approved, it is valid: note its number.",
    "If it differs, have it corrected there.",
    "If there is none, request it as a new order. This operation never sends it again.",
  ];
  return element(
    "ol",
    { class: "steps" },
    steps.map((step) => element("li", {}, step)),
  );
}
