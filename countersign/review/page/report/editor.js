/** The reviewer's own text, in place of the report while it is being written. */

import { element } from "../elements/element.js";
import { field } from "../elements/notice.js";
import { leftText } from "../proposal/leftover.js";
import { BrokenQuotes } from "./broken-quotes.js";
import { TextCheck } from "./text-check.js";
import { TextField } from "./text-field.js";

/** @import { ReportReview } from "./report.js" */

export class ReportEditor {
  #title = element("input", { id: "own-title", maxlength: 300, autocomplete: "off" });
  #text;
  #offered;

  /**
   * @param {ReportReview} review
   * @param {{title?: string, text?: string}} draft what was typed before
   * @param {(typed: {title?: string, text?: string}) => void} changed
   * @param {AbortSignal} signal
   */
  constructor(review, draft, changed, signal) {
    const offered = review.proposal.content;
    this.#offered = offered;
    this.#title.value = draft.title ?? offered.title;
    const tell = () =>
      changed(this.isChanged ? this.correction : { title: undefined, text: undefined });
    this.#title.addEventListener("input", tell);
    const broken = new BrokenQuotes(review.proposal.evidence.claims, offered.text);
    const check = new TextCheck(review, () => this.correction, signal);
    const look = () => broken.look(() => this.#text.value);
    const typed = () => {
      tell();
      look();
      check.outdate();
    };
    this.#text = new TextField(draft.text ?? offered.text, broken.quotes, typed, signal);
    look();
    this.element = element(
      "section",
      { class: "editor", hidden: true, "aria-labelledby": "editor-title" },
      element("h2", { id: "editor-title" }, "Your text"),
      field("Title", this.#title),
      this.#text.element,
      broken.element,
      element(
        "p",
        { class: "hint" },
        "Saved in this browser as you type. Quotes that you change no longer count as checked.",
      ),
      check.element,
    );
  }

  /** What the API is told. */
  get correction() {
    return { title: this.#title.value.trim(), text: this.#text.value };
  }

  get isChanged() {
    const { title, text } = this.correction;
    // Fields turn line ends into their own.
    return title !== this.#offered.title || text !== this.#offered.text.replace(/\r\n?/g, "\n");
  }

  /** What is wrong with it; empty if nothing is. */
  get fault() {
    const { title, text } = this.correction;
    if (!title) return "Your text needs a title.";
    if (!text.trim()) return "Your text is empty.";
    return this.isChanged ? "" : "You have not changed the text yet.";
  }

  /** @param {{text?: string}} draft */
  leftOver({ text }) {
    return text !== undefined && leftText("Your text was not sent. It is saved", text);
  }

  /**
   * Say at each field what the API could not take; it has two, and is told of both above them.
   *
   * @param {Record<string, string>} reasons
   */
  blame(reasons) {
    return reasons;
  }

  /** @param {boolean} open */
  set open(open) {
    this.element.hidden = !open;
    if (open) this.#text.begin();
  }

  focus() {
    this.element.scrollIntoView({ block: "start" });
    this.#text.focus();
  }
}
