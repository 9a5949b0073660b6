/** An order as an approver would have it, in place of the one that is offered. */

import { blameFields, CheckedField } from "../elements/checked-field.js";
import { element, fill, visible } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { leftText } from "../proposal/leftover.js";
import { Preview } from "../proposal/preview.js";
import { codeOf } from "../session/problem.js";
import { problemNotice } from "../words/problem-notice.js";
import { beyondInWords, figuresElement } from "./changes.js";
import { CorrectedLine } from "./corrected-line.js";
import { orderLimits } from "./limits.js";
import { decimalsOf } from "./money.js";

/**
 * @import { CorrectionPreview } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { OrderDifference } from "./changes.js"
 * @import { TypedLine } from "./corrected-line.js"
 * @import { OrderReview } from "./order.js"
 */

/**
 * What an approver typed; lines by their article numbers.
 *
 * @typedef {{vendor: string, destination: string, lines: Record<string, TypedLine>}} TypedOrder
 */

export class OrderEditor {
  #offered;
  #version;
  #digest;
  #may;
  #foresight;
  #decimals;
  #vendor = new CheckedField("Vendor", textInput("own-vendor"));
  #destination = new CheckedField("Deliver to", textInput("own-destination"));
  #lines;
  #verdict = element("div", { role: "status" });
  #preview = element("div", { class: "preview" });
  #lineFault = element("p", { class: "fault", id: "own-lines-fault" });

  /**
   * @param {OrderReview} review
   * @param {{order?: TypedOrder}} draft what was typed before
   * @param {(typed: {order: TypedOrder|undefined}) => void} changed
   * @param {AbortSignal} signal
   */
  constructor(review, { order }, changed, signal) {
    const limits = orderLimits(review.limits);
    this.#vendor.control.maxLength = limits.longest_line;
    this.#destination.control.maxLength = limits.longest_line;
    this.#offered = review.proposal.content;
    this.#foresight = new Preview(
      review,
      ({ correction }) => correction && this.#foresee(correction),
      (problem) => this.#refused(problem),
      signal,
    );
    this.#may = review.proposal.may.correct === true;
    this.#version = review.version;
    this.#digest = review.proposal.digest;
    this.#decimals = decimalsOf(this.#offered.total);
    this.#vendor.control.value = order?.vendor ?? this.#offered.vendor;
    this.#destination.control.value = order?.destination ?? this.#offered.destination ?? "";
    const tell = () => {
      this.#show();
      changed({ order: this.isChanged ? this.#typed : undefined });
    };
    this.#lines = this.#offered.lines.map(
      (line, place) =>
        new CorrectedLine(line, `own-${place}`, order?.lines[line.sku], limits, tell),
    );
    this.element = element(
      "section",
      { class: "editor", hidden: true, "aria-labelledby": "editor-title", input: tell },
      element("h2", { id: "editor-title" }, "Corrected order"),
      element("div", { class: "term-fields" }, this.#vendor.element, this.#destination.element),
      this.#lines.map((line) => line.element),
      this.#lineFault,
      element("h3", {}, "Effect"),
      this.#verdict,
      this.#preview,
      element("p", { class: "hint" }, "Saved in this browser as you type."),
    );
    this.#show();
  }

  /** What the API is told: terms that differ, and all lines that stay if one of them differs. */
  get correction() {
    const { vendor, destination } = this.#terms;
    const same = this.#lines.every((line) => !line.isChanged);
    return {
      ...(vendor !== this.#offered.vendor && { vendor }),
      ...(destination !== this.#offered.destination && { destination }),
      ...(!same && { lines: this.#kept.map((line) => line.correction) }),
    };
  }

  get isChanged() {
    const { vendor, destination } = this.#terms;
    return (
      vendor !== this.#offered.vendor ||
      destination !== this.#offered.destination ||
      this.#lines.some((line) => line.isChanged)
    );
  }

  /** What is wrong with it, said at its fields too; empty if nothing is. */
  get fault() {
    this.#vendor.blame(this.#vendor.value ? "" : "An order needs a vendor.");
    const lost = this.#offered.destination !== null && !this.#destination.value;
    this.#destination.blame(lost ? "Enter the delivery address." : "");
    for (const line of this.#kept) line.check();
    fill(
      this.#lineFault,
      this.#kept.length ? "" : "Keep at least one line. To order nothing, reject the order.",
    );
    if (this.#wrong || !this.#kept.length) return "The order contains an error.";
    return this.isChanged ? "" : "You have not changed the order yet.";
  }

  /**
   * Say at each field what the API could not take; returns what has no field.
   *
   * @param {Record<string, string>} reasons
   */
  blame(reasons) {
    /** @type {Record<string, CheckedField>} */
    const fields = { vendor: this.#vendor, destination: this.#destination };
    const kept = this.#kept;
    const left = blameFields(reasons, (name) => {
      const [, place, figure] = /^correction\.lines\.(\d+)\.(\w+)/.exec(name) ?? [];
      return kept[Number(place)]?.fields[figure] ?? fields[name.replace(/^correction\./, "")];
    });
    this.#wrong?.focus();
    return left;
  }

  /** @param {{order?: TypedOrder}} draft */
  leftOver({ order }) {
    return order && leftOrder(order);
  }

  /** @param {boolean} open */
  set open(open) {
    this.element.hidden = !open;
  }

  focus() {
    this.element.scrollIntoView({ block: "start" });
    const target = this.#wrong ?? this.#lines[0].fields.quantity.control;
    target.focus({ preventScroll: target !== this.#wrong });
  }

  get #kept() {
    return this.#lines.filter((line) => !line.isStruck);
  }

  get #terms() {
    return { vendor: this.#vendor.value, destination: this.#destination.value || null };
  }

  get #typed() {
    const lines = Object.fromEntries(this.#lines.map((line) => [line.sku, line.typed]));
    return { vendor: this.#vendor.value, destination: this.#destination.value, lines };
  }

  /** The first field that something is wrong with, if there is one. */
  get #wrong() {
    const lines = this.#kept.flatMap((line) => Object.values(line.fields));
    return [this.#vendor, this.#destination, ...lines].find((each) => each.isWrong)?.control;
  }

  #show() {
    for (const line of this.#lines) line.showTotal(this.#decimals);
    const readable = this.#kept.length > 0 && this.#kept.every((line) => line.isReadable);
    this.#foresight.drop();
    if (!readable) this.#say(unreadable());
    else if (!this.isChanged) this.#say(notice("info", "Nothing has changed yet."));
    else if (this.#may) this.#foresight.ask(this.#decision);
  }

  get #decision() {
    return { decision: "revise", digest: this.#digest, correction: this.correction };
  }

  /**
   * What can't be taken is said at its field when it is sent.
   *
   * @param {unknown} problem
   */
  #refused(problem) {
    this.#say(codeOf(problem) === "malformed" ? unreadable() : problemNotice(problem));
  }

  /**
   * @param {HTMLElement} verdict
   * @param {Child} figures
   */
  #say(verdict, figures = null) {
    fill(this.#preview, figures);
    // What is said again without need is read out again.
    if (this.#verdict.textContent !== verdict.textContent) fill(this.#verdict, verdict);
  }

  /**
   * What follows for the one who corrects it, before it is sent.
   *
   * @param {CorrectionPreview} correction
   */
  #foresee({ widened, rule, changes }) {
    const before = `version ${this.#version}`;
    const verdict = widened.length
      ? notice(
          "warn",
          [
            `Compared with ${before}, these changes need another approver: `,
            beyondInWords(widened),
            ".",
          ],
          visible(rule),
        )
      : notice(
          rule ? "warn" : "info",
          `Compared with ${before}, no change needs another approver.`,
          rule ? visible(rule) : `You can approve version ${this.#version + 1} too.`,
        );
    const order = /** @type {OrderDifference} */ (changes);
    this.#say(verdict, figuresElement(order, this.#offered.currency));
  }
}

function unreadable() {
  return notice("info", "Some fields are not valid yet.");
}

/** @param {TypedOrder} order */
function leftOrder({ vendor, destination, lines }) {
  const figures = Object.entries(lines).map(([sku, { quantity, unit_price: price, struck }]) =>
    struck ? `${sku}: struck` : `${sku}: ${quantity} at ${price}`,
  );
  const terms = [`Vendor: ${vendor}`, `Deliver to: ${destination}`];
  return leftText("Your correction was not sent. It is saved", [...terms, ...figures].join("\n"));
}

/** @param {string} id */
function textInput(id) {
  return element("input", { id, autocomplete: "off" });
}
