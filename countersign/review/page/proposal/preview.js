/** What would become of a decision, which the API tells a moment after its last change. */

import { newest } from "../browser/newest.js";
import { call, proposalPath } from "../session/api.js";

/**
 * @import { DecisionPreview } from "../api.js"
 * @import { Review } from "../kind.js"
 */

/** Nobody reads along while they type. */
const PAUSE_MILLISECONDS = 300;

export class Preview {
  /** @type {number|undefined} */
  #timer;
  #read;

  /**
   * @param {Review} review
   * @param {(preview: DecisionPreview) => void} told
   * @param {(problem: unknown) => void} refused
   * @param {AbortSignal} signal
   */
  constructor({ id, version, me }, told, refused, signal) {
    const path = proposalPath(id, version, "/preview");
    this.#read = newest(signal, async (reading, /** @type {object} */ decision) => {
      try {
        told(await call(path, { json: decision, by: me, signal: reading }));
      } catch (problem) {
        if (!reading.aborted) refused(problem);
      }
    });
    signal.addEventListener("abort", () => this.drop());
  }

  /**
   * Ask about a decision, unless another one comes at once.
   *
   * @param {object} decision
   */
  ask(decision) {
    this.drop();
    this.#timer = setTimeout(() => this.#read(decision), PAUSE_MILLISECONDS);
  }

  drop() {
    clearTimeout(this.#timer);
  }
}
