/**
 * The quotes of the evidence, found again in the report that is shown.
 *
 * They are marked with the CSS Custom Highlight API, which leaves the report's own elements alone.
 * A browser without it shows the report unmarked; the evidence beside it says the same.
 */

/** @import { Claim } from "../api.js" */

const MARKS = ["quote-good", "quote-bad", "quote-chosen"];

export class Quotes {
  #text = "";
  /**
   * Where each character of the text stands: in which node, and where there.
   *
   * @type {{node: Text, offset: number}[]}
   */
  #places = [];
  /** @type {Map<Claim, Range[]>} */
  #ranges = new Map();

  /**
   * @param {HTMLElement} sheet the report
   * @param {Claim[]} claims of the evidence
   * @param {AbortSignal} signal takes the marks away
   */
  constructor(sheet, claims, signal) {
    this.#index(sheet);
    for (const claim of claims) {
      const ranges = claim.used ? this.#find(claim.passage?.quote ?? claim.quote) : [];
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
    first?.startContainer.parentElement?.scrollIntoView({ block: "center" });
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

  /**
   * Lay out the sheet's text with single blanks, and remember where each character stands.
   *
   * @param {HTMLElement} sheet
   */
  #index(sheet) {
    const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
    const characters = [];
    while (walker.nextNode()) {
      const node = /** @type {Text} */ (walker.currentNode);
      for (const [offset, character] of node.data.split("").entries()) {
        const blank = /\s/.test(character);
        if (blank && characters.at(-1) === " ") continue;
        characters.push(blank ? " " : character);
        this.#places.push({ node, offset });
      }
    }
    this.#text = characters.join("");
  }

  /**
   * Every place where a quote stands; a report may use it twice.
   *
   * @param {string} quote
   */
  #find(quote) {
    const wanted = quote.trim().replace(/\s+/g, " ");
    /** @type {Range[]} */
    const ranges = [];
    if (!wanted) return ranges;
    let start = this.#text.indexOf(wanted);
    while (start >= 0) {
      ranges.push(this.#range(start, start + wanted.length - 1));
      start = this.#text.indexOf(wanted, start + wanted.length);
    }
    return ranges;
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #range(first, last) {
    const range = new Range();
    const [start, end] = [this.#places[first], this.#places[last]];
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    return range;
  }
}

/**
 * @param {string} name
 * @param {Range[]} ranges
 */
function mark(name, ranges) {
  if (globalThis.CSS?.highlights) CSS.highlights.set(name, new Highlight(...ranges));
}
