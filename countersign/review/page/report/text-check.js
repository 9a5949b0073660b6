/** The reviewer's own text, checked against the sources before it is sent: advice, no decision. */

import { announce } from "../elements/announce.js";
import { count, element, fill, foreign, icon, visible } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { call, proposalPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";
import { passageElement } from "./passage.js";
import { sourceElement } from "./source.js";

/**
 * @import { CheckedLineView, CheckedTextView } from "../api.js"
 * @import { ReportReview } from "./report.js"
 */

const STATES = {
  holds: "Holds",
  altered: "Differs from its source",
  unproven: "No source says it",
};

export class TextCheck {
  #review;
  #typed;
  #signal;
  #told = element("div", { class: "text-check" });
  #start = button("Check my text", () => this.#check());

  /**
   * @param {ReportReview} review
   * @param {() => object} typed what would be sent
   * @param {AbortSignal} signal
   */
  constructor(review, typed, signal) {
    this.#review = review;
    this.#typed = typed;
    this.#signal = signal;
    this.element = element(
      "div",
      {},
      element("div", { class: "actions" }, this.#start),
      element(
        "p",
        { class: "hint" },
        "Compares your quotes with the sources and asks the fact-checker about your sentences. The check decides nothing.",
      ),
      this.#told,
    );
  }

  /** What was told is of another text now. */
  outdate() {
    if (!this.#told.hasChildNodes() || this.#told.dataset.outdated) return;
    this.#told.dataset.outdated = "true";
    this.#told.prepend(notice("info", "You changed the text since it was checked."));
  }

  async #check() {
    const { id, version, me } = this.#review;
    this.#busy(true);
    try {
      const path = proposalPath(id, version, "/check");
      const checked = await call(path, { json: this.#typed(), by: me, signal: this.#signal });
      this.#show(checked);
    } catch (problem) {
      if (!this.#signal.aborted) fill(this.#told, problemNotice(problem, { kind: "research" }));
    } finally {
      this.#busy(false);
    }
  }

  /** @param {boolean} busy */
  #busy(busy) {
    this.#start.disabled = busy;
    fill(this.#start, busy ? "Checking…" : "Check my text");
  }

  /** @param {CheckedTextView} checked */
  #show({ lines, gone, unchanged, left, note }) {
    delete this.#told.dataset.outdated;
    const holding = lines.filter(({ state }) => state === "holds");
    const others = lines.filter(({ state }) => state !== "holds");
    const say = others.length
      ? `${count(others.length, "line")} of your text to look at.`
      : "Nothing in your text contradicts the sources.";
    const same =
      unchanged > 0 &&
      `${count(unchanged, "line")} of the team’s text ${unchanged === 1 ? "was" : "were"} not checked again.`;
    fill(
      this.#told,
      notice(others.length || note ? "warn" : "good", note || say, note ? say : "", " ", same),
      left > 0 &&
        notice("warn", `${count(left, "line")} not checked: there were too many for one check.`),
      listed("To look at", others, true),
      quotes(gone),
      listed("Holds", holding, false),
    );
    announce(say);
  }
}

/**
 * @param {string} heading
 * @param {CheckedLineView[]} lines
 * @param {boolean} open
 */
function listed(heading, lines, open) {
  if (!lines.length) return null;
  return element(
    "details",
    { class: "folded", open },
    element("summary", {}, `${heading}: ${lines.length}`),
    element("ol", {}, lines.map(lineElement)),
  );
}

/** @param {CheckedLineView} line */
function lineElement({ kind, text, state, reasons, source, passage }) {
  const quote = kind === "quote";
  return element(
    "li",
    { class: "checked-line", "data-state": state },
    element(
      "p",
      { class: "verdict", "data-good": String(state === "holds") },
      icon(state === "holds" ? "check" : "alert"),
      `${quote ? "Quote" : "Sentence"}: ${STATES[state]}`,
    ),
    element("p", { class: "claim-text", dir: "auto" }, visible(quote ? `“${text}”` : text)),
    reasons.map((reason) => element("p", { class: "hint" }, foreign(reason))),
    passage && passageElement({ quote: passage.quote, passage, found: true }),
    source && sourceElement(source),
  );
}

/** @param {string[]} gone */
function quotes(gone) {
  if (!gone.length) return null;
  return element(
    "details",
    { class: "folded" },
    element("summary", {}, `Quotes of this version that your text no longer has: ${gone.length}`),
    element(
      "ul",
      {},
      gone.map((quote) => element("li", { dir: "auto" }, visible(quote))),
    ),
  );
}
