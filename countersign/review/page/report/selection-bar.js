/** Two buttons beside what is selected in a report. */

import { element } from "../elements/element.js";
import { button } from "../elements/notice.js";

/** @import { Passage, SheetText } from "./sheet-text.js" */

const GAP = 6;

export class SelectionBar {
  #sheet;
  #text;
  #bar;

  /**
   * @param {HTMLElement} sheet the report
   * @param {SheetText} text of it
   * @param {(passage: Passage, suggests: boolean) => void} chosen
   * @param {AbortSignal} signal
   */
  constructor(sheet, text, chosen, signal) {
    this.#sheet = sheet;
    this.#text = text;
    const choose = (/** @type {boolean} */ suggests) => () => {
      const passage = this.passage;
      this.#bar.hidden = true;
      if (passage) chosen(passage, suggests);
    };
    const attributes = { role: "group", "aria-label": "Selected passage", hidden: true };
    this.#bar = element(
      "div",
      { class: "selection-bar", ...attributes },
      button("Comment", choose(false)),
      button("Suggest other words", choose(true)),
    );
    // The selection would be gone before the click arrives.
    this.#bar.addEventListener("pointerdown", (event) => event.preventDefault());
    document.addEventListener("selectionchange", () => this.#follow(), { signal });
    this.element = this.#bar;
  }

  /** What is selected in the report now, if anything. */
  get passage() {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const range = selection.getRangeAt(0);
    return range.intersectsNode(this.#sheet) ? this.#text.passage(range) : null;
  }

  #follow() {
    const passage = this.#sheet.offsetParent && this.passage;
    this.#bar.hidden = !passage;
    if (!passage) return;
    const frame = this.#sheet.getBoundingClientRect();
    const end = [...(getSelection()?.getRangeAt(0).getClientRects() ?? [])].at(-1) ?? frame;
    const rightmost = Math.max(0, frame.width - this.#bar.offsetWidth);
    this.#bar.style.top = `${end.bottom - frame.top + GAP}px`;
    this.#bar.style.left = `${Math.min(Math.max(0, end.left - frame.left), rightmost)}px`;
  }
}
