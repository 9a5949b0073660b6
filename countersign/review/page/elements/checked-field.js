/** A field with its label, and what is wrong with what stands in it. */

import { element, fill, visible } from "./element.js";
import { field } from "./notice.js";

/** @import { Blamed } from "../kind.js" */

/**
 * @template {HTMLInputElement|HTMLTextAreaElement|HTMLSelectElement} [Control=HTMLInputElement|HTMLTextAreaElement]
 */
export class CheckedField {
  #fault;

  /**
   * @param {string} label
   * @param {Control} control with an id
   * @param {HTMLElement|null} hint with an id, if there is one
   */
  constructor(label, control, hint = null) {
    const id = `${control.id}-fault`;
    this.control = control;
    this.#fault = element("p", { class: "fault", id });
    control.setAttribute("aria-describedby", [hint?.id, id].filter(Boolean).join(" "));
    control.addEventListener("input", () => this.blame(""));
    this.element = field(label, control, hint, this.#fault);
  }

  get value() {
    return this.control.value.trim();
  }

  /**
   * Say what is wrong with it; nothing is, if the reason is empty.
   *
   * @param {string} reason
   */
  blame(reason) {
    fill(this.#fault, reason && visible(reason));
    this.control.setAttribute("aria-invalid", String(Boolean(reason)));
  }

  get isWrong() {
    return this.control.getAttribute("aria-invalid") === "true";
  }
}

/**
 * Say at each field what the API could not take.
 *
 * @param {Record<string, string>} reasons by the API's name of a field
 * @param {(name: string) => Blamed|null|undefined} fieldOf
 * @returns {Record<string, string>} those that have no field of their own
 */
export function blameFields(reasons, fieldOf) {
  /** @type {Record<string, string>} */
  const left = {};
  for (const [name, reason] of Object.entries(reasons)) {
    const found = fieldOf(name);
    if (found) found.blame(reason.replace(/^Value error, /, ""));
    else left[name] = reason;
  }
  return left;
}
