/** The words of a report as it is shown, with single blanks, and where each of them stands. */

/**
 * A passage: its words, and how many characters stand before it.
 *
 * @typedef {{quote: string, start: number}} Passage
 */

const BLANK = /\s/;

export class SheetText {
  #text = "";
  /** @type {Text[]} */
  #nodes = [];
  /** Of each character of the text, the number of its node and where it stands there. */
  #places;

  /** @param {HTMLElement} sheet the report */
  constructor(sheet) {
    const walker = document.createTreeWalker(sheet, NodeFilter.SHOW_TEXT, isShown);
    const pieces = [];
    while (walker.nextNode()) this.#nodes.push(/** @type {Text} */ (walker.currentNode));
    // Two million characters are not worth as many objects.
    this.#places = new Uint32Array(2 * this.#nodes.reduce((sum, { length }) => sum + length, 0));
    let length = 0;
    let afterBlank = false;
    for (const [number, { data }] of this.#nodes.entries()) {
      let piece = "";
      for (let offset = 0; offset < data.length; offset += 1) {
        const blank = BLANK.test(data[offset]);
        if (blank && afterBlank) continue;
        afterBlank = blank;
        piece += blank ? " " : data[offset];
        this.#places.set([number, offset], 2 * length);
        length += 1;
      }
      pieces.push(piece);
    }
    this.#text = pieces.join("");
  }

  /**
   * Every place where a quote stands; a report may use it twice.
   *
   * @param {string} quote
   */
  find(quote) {
    const wanted = quote.trim().replace(/\s+/g, " ");
    return this.#starts(wanted).map((start) => this.#range(start, start + wanted.length - 1));
  }

  /**
   * Where a passage stands: of the places with these words the one nearest to where it was.
   *
   * @param {Passage} passage
   * @returns {Range|undefined} nothing where its words don't stand any more
   */
  place({ quote, start }) {
    const away = (/** @type {number} */ at) => Math.abs(at - start);
    const [nearest] = this.#starts(quote).sort((one, other) => away(one) - away(other));
    return nearest === undefined ? undefined : this.#range(nearest, nearest + quote.length - 1);
  }

  /**
   * The passage that is selected; what of it is outside of the report is left out.
   *
   * @param {Range} selected
   * @returns {Passage|null}
   */
  passage(selected) {
    const first = this.#count((place) => selected.comparePoint(place.node, place.offset) < 0);
    const end = this.#count(
      ({ node, offset }) => selected.comparePoint(node, Math.min(offset + 1, node.length)) <= 0,
    );
    const words = this.#text.slice(first, Math.max(first, end));
    const quote = words.trim();
    if (!quote) return null;
    return { quote, start: first + words.indexOf(quote) };
  }

  /**
   * How many characters come before the first that something is not true of.
   *
   * @param {(place: {node: Text, offset: number}) => boolean} isBefore
   */
  #count(isBefore) {
    let [low, high] = [0, this.#text.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(this.#placeOf(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** @param {number} character */
  #placeOf(character) {
    const [number, offset] = this.#places.subarray(2 * character, 2 * character + 2);
    return { node: this.#nodes[number], offset };
  }

  /** @param {string} wanted */
  #starts(wanted) {
    const starts = [];
    let start = wanted ? this.#text.indexOf(wanted) : -1;
    while (start >= 0) {
      starts.push(start);
      start = this.#text.indexOf(wanted, start + wanted.length);
    }
    return starts;
  }

  /**
   * @param {number} first
   * @param {number} last
   */
  #range(first, last) {
    const range = new Range();
    const [start, end] = [this.#placeOf(first), this.#placeOf(last)];
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset + 1);
    return range;
  }
}

/**
 * Words that only a screen reader is told are the page's.
 *
 * @param {Node} node
 */
function isShown(node) {
  return node.parentElement?.closest(".unseen")
    ? NodeFilter.FILTER_REJECT
    : NodeFilter.FILTER_ACCEPT;
}

/**
 * Mark parts of the report, with the CSS Custom Highlight API, which leaves its elements alone.
 *
 * @param {string} name
 * @param {Range[]} ranges
 */
export function mark(name, ranges) {
  if (globalThis.CSS?.highlights) CSS.highlights.set(name, new Highlight(...ranges));
}
