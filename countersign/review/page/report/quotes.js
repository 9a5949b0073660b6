/**
 * The quotes of the evidence, found again in the report that is shown.
 *
 * A browser that can't mark them shows the report unmarked; the evidence beside it says the same.
 */

import { goTo } from "./go-to.js";
import { mark } from "./sheet-text.js";

/**
 * @import { Claim } from "../api.js"
 * @import { SheetText } from "./sheet-text.js"
 */

const MARKS = ["quote-good", "quote-bad", "quote-chosen"];

export class Quotes {
  /** @type {Map<Claim, Range[]>} */
  #ranges = new Map();

  /**
   * @param {SheetText} text of the report
   * @param {Claim[]} claims of the evidence
   * @param {AbortSignal} signal takes the marks away
   */
  constructor(text, claims, signal) {
    for (const claim of claims) {
      const ranges = claim.used ? text.find(claim.passage?.quote ?? claim.quote) : [];
      if (ranges.length) this.#ranges.set(claim, ranges);
    }
    mark(
      "quote-good",
      this.#rangesOf((claim) => claim.found && claim.supported),
    );
    mark(
      "quote-bad",
      this.#rangesOf((claim) => !(claim.found && claim.supported)),
    );
    signal.addEventListener("abort", () => {
      for (const name of MARKS) mark(name, []);
    });
  }

  /** @param {Claim} claim */
  has(claim) {
    return this.#ranges.has(claim);
  }

  /**
   * Mark a claim's quote as the one that is being looked at.
   *
   * @param {Claim} claim
   */
  choose(claim) {
    mark("quote-chosen", this.#ranges.get(claim) ?? []);
  }

  /** @param {Claim} claim */
  scrollTo(claim) {
    this.choose(claim);
    const [first] = this.#ranges.get(claim) ?? [];
    goTo(first?.startContainer.parentElement, "center");
  }

  /**
   * The claim whose quote is at a point of the window, if there is one.
   *
   * @param {number} x
   * @param {number} y
   */
  at(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    if (!caret) return undefined;
    /** @param {Range} range */
    const inside = (range) => range.isPointInRange(caret.offsetNode, caret.offset);
    return [...this.#ranges].find(([, ranges]) => ranges.some(inside))?.[0];
  }

  /** @param {(claim: Claim) => boolean} wanted */
  #rangesOf(wanted) {
    return [...this.#ranges].filter(([claim]) => wanted(claim)).flatMap(([, ranges]) => ranges);
  }
}
