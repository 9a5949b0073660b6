/** What a row is about, beside the list: its proposal with the decision bar, or the operation. */

import { element, fill } from "../elements/element.js";
import { shownOperation } from "../operation/operation.js";
import { tell } from "../proposal/outbox.js";
import { shownProposal } from "../proposal/proposal.js";
import { receiptElement } from "../proposal/receipt.js";
import { codeOf } from "../session/problem.js";
import { problemNotice } from "../words/problem-notice.js";
import { targetOf } from "./row.js";

/**
 * @import { Me, OperationRow } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { Visit } from "../view.js"
 * @import { Told } from "../proposal/receipt.js"
 */

/** Rows that somebody only passes by are not read. */
const PAUSE_MILLISECONDS = 150;
const WIDE = matchMedia("(min-width: 64rem)");

export class Preview {
  #me;
  #go;
  #ends;
  #decided;
  #held;
  #shown = new AbortController();
  #key = "";
  /** @type {number|undefined} */
  #timer;
  #receipt = element("div", { class: "last-decision" });
  #content = element("div", { class: "preview-content" });
  /** @type {Record<string, () => unknown>} */
  shortcuts = {};

  /**
   * @param {Pick<Visit, "me"|"go"|"signal">} visit
   * @param {{held: () => void, decided: (told: Told) => void}} goOn `held` is called when what the
   *   reader has decided is about to be sent, and `decided` when it is recorded
   */
  constructor({ me, go, signal }, { held, decided }) {
    this.#me = me;
    this.#go = go;
    this.#decided = decided;
    this.#held = held;
    this.#ends = signal;
    signal.addEventListener("abort", () => this.clear());
    this.element = element(
      "section",
      { class: "preview", "aria-label": "Selected row", tabindex: -1 },
      this.#receipt,
      this.#content,
    );
  }

  /** Whether there is room for it. */
  static get fits() {
    return WIDE.matches;
  }

  /** @param {() => void} changed called when there comes to be room for it, or no more */
  static whenItFits(changed, signal = new AbortController().signal) {
    WIDE.addEventListener("change", changed, { signal });
  }

  /**
   * Show a row, a moment later if others may follow at once.
   *
   * @param {Pick<OperationRow, "operation_id"|"version"|"state">} row
   * @param {{waits: boolean, list: Query, soon?: boolean}} options
   */
  show(row, { waits, list, soon = false }) {
    const key = `${row.operation_id}:${row.version}:${row.state}`;
    if (key === this.#key) return;
    this.#key = key;
    this.shortcuts = {};
    clearTimeout(this.#timer);
    const read = () => this.#read(row, { waits, list });
    if (soon) this.#timer = setTimeout(read, PAUSE_MILLISECONDS);
    else read();
  }

  clear() {
    clearTimeout(this.#timer);
    this.#shown.abort();
    this.#key = "";
    this.shortcuts = {};
    fill(this.#content);
  }

  /**
   * @param {Pick<OperationRow, "operation_id"|"version"|"state">} row
   * @param {{waits: boolean, list: Query}} options
   */
  async #read(row, { waits, list }) {
    this.#shown.abort();
    this.#shown = new AbortController();
    const signal = AbortSignal.any([this.#ends, this.#shown.signal]);
    const target = targetOf(row, waits || row.state === "awaiting_approval");
    const options = { id: row.operation_id, me: this.#me, signal };
    try {
      const { content, shortcuts } =
        (target.version && (await this.#proposal(options, Number(target.version), list))) ||
        (await shownOperation({ ...options, list, isPart: true, go: this.#go }));
      if (signal.aborted) return;
      this.shortcuts = shortcuts;
      fill(this.#content, content);
      this.element.scrollTop = 0;
    } catch (problem) {
      if (signal.aborted) return;
      const retry = () => this.#read(row, { waits, list });
      fill(this.#content, problemNotice(problem, { retry }));
    }
  }

  /**
   * What is proposed; null for whoever may see the operation without it, as operators may.
   *
   * @param {{id: string, me: Me, signal: AbortSignal}} options
   * @param {number} version
   * @param {Query} list
   */
  async #proposal(options, version, list) {
    try {
      return await shownProposal({
        ...options,
        version,
        list,
        recorded: (told) => this.#recorded(told),
        held: this.#held,
      });
    } catch (problem) {
      if (codeOf(problem) !== "not_authorised") throw problem;
      return null;
    }
  }

  /** @param {Told} told */
  #recorded(told) {
    if (this.#ends.aborted) return tell(receiptElement(told));
    fill(this.#receipt, receiptElement(told));
    this.#decided(told);
  }
}
