/**
 * The quotes of the evidence, found again in the report that is shown.
 *
 * They are marked with the CSS Custom Highlight API, which leaves the report's own elements alone.
 * A browser without it shows the report unmarked; the evidence beside it says the same.
 */

const MARKS = ["quote-good", "quote-bad", "quote-chosen"];

export class Quotes {
  #text = "";
  #places = [];
  #ranges = new Map();

  /**
   * @param {HTMLElement} sheet the report
   * @param {object[]} claims of the evidence
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
    signal.addEventListener("abort", () => MARKS.forEach((name) => mark(name, [])));
  }

  has(claim) {
    return this.#ranges.has(claim);
  }

  /** Mark a claim's quote as the one that is being looked at. */
  choose(claim) {
    mark("quote-chosen", this.#ranges.get(claim) ?? []);
  }

  scrollTo(claim) {
    this.choose(claim);
    const [first] = this.#ranges.get(claim) ?? [];
    first?.startContainer.parentElement.scrollIntoView({ block: "center" });
  }

  /** The claim whose quote is at a point of the window, if there is one. */
  at(x, y) {
    const caret = document.caretPositionFromPoint?.(x, y);
    if (!caret) return undefined;
    const inside = (range) => range.isPointInRange(caret.offsetNode, caret.offset);
    return [...this.#ranges].find(([, ranges]) => ranges.some(inside))?.[0];
  }

  #rangesOf(wanted) {
    return [...this.#ranges].filter(([claim]) => wanted(claim)).flatMap(([, ranges]) => ranges);
  }

  /** Lay out the sheet's text with single blanks, and remember where each character stands. */
  #index(sheet) {
    const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT);
    const characters = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const [offset, character] of node.data.split("").entries()) {
        const blank = /\s/.test(character);
        if (blank && characters.at(-1) === " ") continue;
        characters.push(blank ? " " : character);
        this.#places.push([node, offset]);
      }
    }
    this.#text = characters.join("");
  }

  /** Every place where a quote stands; a report may use it twice. */
  #find(quote) {
    const wanted = quote.trim().replace(/\s+/g, " ");
    const ranges = [];
    if (!wanted) return ranges;
    let start = this.#text.indexOf(wanted);
    while (start >= 0) {
      ranges.push(this.#range(start, start + wanted.length - 1));
      start = this.#text.indexOf(wanted, start + wanted.length);
    }
    return ranges;
  }

  #range(first, last) {
    const range = new Range();
    const [node, offset] = this.#places[last];
    range.setStart(...this.#places[first]);
    range.setEnd(node, offset + 1);
    return range;
  }
}

function mark(name, ranges) {
  if (globalThis.CSS?.highlights) CSS.highlights.set(name, new Highlight(...ranges));
}
