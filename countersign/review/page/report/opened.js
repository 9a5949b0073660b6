/** The source of a quote, opened there: the text that was kept, a part at a time. */

import { element, fill, foreign, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { call, proposalPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";

/**
 * @import { SourcePiece, SourceView } from "../api.js"
 * @import { Review } from "../kind.js"
 */

/** Opens the sources of the claims of one version, and of answers to questions about it. */
export class Sources {
  #review;
  #signal;

  /**
   * @param {Review} review
   * @param {AbortSignal} signal
   */
  constructor({ id, version, me }, signal) {
    this.#review = { id, version, me };
    this.#signal = signal;
  }

  /**
   * A button, and below it the source once that is wanted.
   *
   * @param {string} quoted what has the quote, as a path of the version
   */
  opener(quoted) {
    const text = element("div");
    const open = button("Open the source at this quote", () => show(), {
      class: "link",
      "aria-expanded": "false",
    });
    const show = () => {
      const opens = open.getAttribute("aria-expanded") === "false";
      open.setAttribute("aria-expanded", String(opens));
      open.textContent = opens ? "Close the source" : "Open the source at this quote";
      return opens ? this.#load(text, quoted) : fill(text);
    };
    return element("div", { class: "opened" }, open, text);
  }

  /**
   * @param {HTMLElement} place
   * @param {string} quoted
   * @param {number} [from]
   */
  async #load(place, quoted, from) {
    const { id, version, me } = this.#review;
    const start = from === undefined ? "" : `?from=${from}`;
    /** @param {number} other */
    const go = (other) => this.#load(place, quoted, other);
    fill(place, element("p", { class: "hint" }, "The source is being opened."));
    try {
      const path = proposalPath(id, version, `${quoted}/source${start}`);
      const opened = await call(path, { by: me, signal: this.#signal });
      fill(place, partElement(opened, go));
      place.querySelector("mark")?.scrollIntoView({ block: "center" });
    } catch (problem) {
      if (this.#signal.aborted) return;
      fill(place, problemNotice(problem, { retry: () => this.#load(place, quoted, from) }));
    }
  }
}

/**
 * @param {SourceView} opened
 * @param {(from: number) => void} go to another part
 */
function partElement(opened, go) {
  const { length, start, end, previous, next } = opened;
  const many = (/** @type {number} */ each) => each.toLocaleString("en");
  const region = { class: "opened-text", role: "region", "aria-label": "Source", tabindex: 0 };
  return element(
    "div",
    { class: "opened-part" },
    element(
      "p",
      { class: "hint" },
      `Characters ${many(start + 1)} to ${many(end)} of ${many(length)}, as kept. `,
      previous !== null && button("Earlier text", () => go(previous), { class: "link" }),
      " ",
      next !== null && button("Later text", () => go(next), { class: "link" }),
    ),
    element("div", { ...region, dir: "auto" }, opened.pieces.map(pieceElement)),
  );
}

/**
 * @param {SourcePiece} piece
 * @param {number} index
 * @param {SourcePiece[]} pieces
 */
function pieceElement({ where, text, quoted }, index, pieces) {
  const words = quoted ? element("mark", {}, visible(text)) : visible(text);
  if (!where || where === pieces[index - 1]?.where) return [words];
  return [element("span", { class: "opened-place" }, foreign(where)), words];
}
