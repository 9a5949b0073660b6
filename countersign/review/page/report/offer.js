/** A report that is offered: its text, what changed in it, and what stands behind it. */

import { element, icon, small, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { stepThrough } from "../elements/shortcuts.js";
import { tabs } from "../elements/tabs.js";
import { Comments } from "./comments.js";
import { contentsElement } from "./contents.js";
import { EvidenceView, verdictOn } from "./evidence.js";
import { Sources } from "./opened.js";
import { Questions } from "./questions.js";
import { Quotes } from "./quotes.js";
import { reportElement } from "./report.js";
import { SheetText } from "./sheet-text.js";

/**
 * @import { Evidence } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { Tab } from "../kind.js"
 * @import { ReportReview } from "./report.js"
 */

export class ReportOffer {
  #evidence;
  #questions;
  #comments;
  #beside;

  /**
   * @param {ReportReview} review
   * @param {Tab|null} changes the tab of what changed
   * @param {AbortSignal} signal
   */
  constructor(review, changes, signal) {
    const { content, evidence } = review.proposal;
    const sheet = reportElement(review.proposal);
    const words = new SheetText(sheet);
    const quotes = new Quotes(words, evidence.claims, signal);
    const attributes = { class: "source-text", dir: "auto", tabindex: 0 };
    const source = element("pre", attributes, visible(content.text));
    const parts = [
      {
        id: "report",
        label: "Report",
        content: element("div", {}, contentsElement(sheet, review, signal), sheet),
      },
      ...(changes ? [changes] : []),
      { id: "source", label: "Markdown", content: source },
    ];
    this.text = tabs("Proposal", parts);
    const sources = new Sources(review, signal);
    this.#evidence = new EvidenceView(evidence, quotes, sources, () => this.text.choose("report"));
    this.#questions = new Questions(review, sources, signal);
    const report = { sheet, text: words };
    this.#comments = new Comments(review, report, () => this.text.choose("report"), signal);
    this.#beside = this.#besideTabs(evidence);
    this.beside = element(
      "section",
      { class: "review-beside", id: "beside", "aria-label": "Evidence" },
      this.#beside.list,
      this.#beside.panels,
    );
    this.shortcuts = {
      j: () => this.#step(1),
      k: () => this.#step(-1),
      q: () => this.#ask(),
      m: () => this.#comments.ask(),
    };
    sheet.addEventListener("click", ({ clientX, clientY }) =>
      this.#openAt(quotes, clientX, clientY),
    );
  }

  /**
   * What only a report has among the facts on top: how well it is founded.
   *
   * @param {ReportReview} review
   * @returns {[string, Child]}
   */
  fact({ proposal }) {
    const { good, said, more } = verdictOn(proposal.evidence);
    const tally = button(
      [icon(good ? "check" : "alert"), said],
      () => this.#showBeside("evidence"),
      { class: "link tally", "data-state": good ? "good" : "bad" },
    );
    return ["Evidence", [tally, small(more)]];
  }

  /** @param {ReportReview} review */
  update(review) {
    this.#questions.update(review);
    this.#comments.update(review);
  }

  /** @param {Evidence} evidence */
  #besideTabs(evidence) {
    const note = verdictOn(evidence).note;
    return tabs("Evidence", [
      { id: "evidence", label: "Evidence", note, content: this.#evidence.element },
      {
        id: "comments",
        label: ["Comments ", this.#comments.count],
        content: this.#comments.element,
      },
      { id: "questions", label: "Ask the fact-checker", content: this.#questions.element },
    ]);
  }

  /**
   * @param {Quotes} quotes
   * @param {number} x
   * @param {number} y
   */
  #openAt(quotes, x, y) {
    const claim = quotes.at(x, y);
    if (!claim || !getSelection()?.isCollapsed) return;
    this.#beside.choose("evidence");
    this.#evidence.open(claim);
  }

  /** @param {number} step */
  #step(step) {
    this.#beside.choose("evidence");
    this.#evidence.unfold();
    stepThrough(".claim > summary", step);
  }

  #ask() {
    this.#showBeside("questions");
    this.#questions.focus();
  }

  /** @param {string} id */
  #showBeside(id) {
    this.#beside.choose(id, { focus: true });
    this.beside.scrollIntoView({ block: "nearest" });
  }
}
