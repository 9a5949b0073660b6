/** What an order is asked for with: what is bought, from whom, and why. */

import { CheckedField } from "../elements/checked-field.js";
import { count, element, fill, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { Terms } from "../request/terms.js";
import { readLimits } from "../session/limits.js";
import { roleName } from "../words/words.js";
import { decimalsIn, orderLimits } from "./limits.js";
import { grouped, written } from "./money.js";
import { NewLine } from "./new-line.js";

/**
 * @import { LimitsView, OrderLimits } from "../api.js"
 * @import { Blamed, RequestKind } from "../kind.js"
 * @import { TypedNewLine } from "./new-line.js"
 */

/** @type {RequestKind["maker"]} */
export async function orderMaker() {
  const limits = await readLimits();
  return (changed) => new OrderRequest(limits, changed);
}

class OrderRequest {
  path = "purchases";
  draft = "order-request";
  send = "Request the order";
  lead =
    "It is ordered only after someone else has approved exactly these lines and this" +
    " total. Larger amounts need more approvers.";
  #changed;
  #limits;
  #made = 0;
  /** @type {NewLine[]} */
  #lines = [];
  #terms;
  #vendorInput = textInput("vendor");
  #destinationInput = textInput("destination");
  #vendor = new CheckedField("Vendor", this.#vendorInput);
  #destination = new CheckedField("Deliver to (optional)", this.#destinationInput);
  /** @type {CheckedField<HTMLInputElement|HTMLSelectElement>} */
  #currency;
  #reasonInput = element("textarea", { id: "order-reason", rows: 3 });
  #reason = new CheckedField("Reason", this.#reasonInput);
  #list = element("div", { class: "new-lines", input: () => this.#typedLine() });
  #fault = element("p", { class: "fault", role: "alert" });
  #total = element("strong", { class: "amount" });
  #tiers = element("p", { class: "hint", id: "order-limits" });
  #add = button("Add a line", () => this.#addLine({}, { focus: true }));

  /**
   * @param {LimitsView} limits
   * @param {() => void} changed called when a line is added or taken out
   */
  constructor(limits, changed) {
    this.#changed = changed;
    this.#limits = orderLimits(limits);
    this.#terms = new Terms(limits.approval);
    this.#currency = new CheckedField("Currency", currencyInput(this.#limits));
    this.#vendorInput.maxLength = this.#limits.longest_line;
    this.#destinationInput.maxLength = this.#limits.longest_line;
    this.#reasonInput.maxLength = this.#limits.longest_reason;
    this.#currency.control.addEventListener("input", () => this.#showTotals());
  }

  get elements() {
    return [
      element(
        "div",
        { class: "term-fields" },
        this.#vendor.element,
        this.#destination.element,
        this.#currency.element,
      ),
      this.#list,
      this.#fault,
      element("div", { class: "lines-foot" }, this.#add, element("p", {}, "Total ", this.#total)),
      this.#tiers,
      this.#reason.element,
      this.#terms.element,
    ];
  }

  /** What the fields hold, as a draft keeps it. */
  get typed() {
    return {
      vendor: this.#vendor.control.value,
      destination: this.#destination.control.value,
      currency: this.#currency.control.value,
      reason: this.#reason.control.value,
      lines: this.#lines.map((line) => line.typed),
      ...this.#terms.typed,
    };
  }

  set typed({ vendor = "", destination = "", currency = "EUR", reason = "", lines, ...terms }) {
    this.#vendor.control.value = vendor;
    this.#destination.control.value = destination;
    this.#currency.control.value = currency;
    this.#reason.control.value = reason;
    this.#terms.typed = terms;
    for (const line of lines ?? [{}]) this.#addLine(line);
  }

  /** Say at the fields what is wrong with them. @returns {boolean} whether anything is */
  check() {
    this.#vendor.blame(this.#vendor.value ? "" : "Enter the vendor.");
    this.#currency.blame(/^[A-Z]{3}$/.test(this.#code) ? "" : "Enter three letters, such as EUR.");
    this.#reason.blame(this.#reason.value ? "" : "Explain the purpose: reviewers read it.");
    for (const line of this.#lines) line.check();
    this.#blameLines(this.#twins());
    const wrong = this.#fields.find((each) => each.isWrong);
    wrong?.control.focus();
    return Boolean(wrong || this.#twins());
  }

  /**
   * The fields by the API's names of them.
   *
   * @param {string} name
   * @returns {Blamed|undefined}
   */
  fieldOf(name) {
    const [, place, part] = /^lines\.(\d+)\.(\w+)/.exec(name) ?? [];
    if (part) return this.#lines[Number(place)]?.fields[part];
    if (name === "lines") return { blame: (reason) => this.#blameLines(visible(reason)) };
    /** @type {Record<string, CheckedField>} */
    const terms = { vendor: this.#vendor, destination: this.#destination };
    return { ...terms, currency: this.#currency, reason: this.#reason }[name];
  }

  /** What the API is told. */
  get body() {
    const destination = this.#destination.value;
    return {
      vendor: this.#vendor.value,
      ...(destination && { destination }),
      currency: this.#code,
      lines: this.#lines.map((line) => line.line),
      reason: this.#reason.value,
      approval: this.#terms.approval,
    };
  }

  get #decimals() {
    return decimalsIn(this.#limits, this.#code);
  }

  get #code() {
    return this.#currency.value.toUpperCase();
  }

  get #fields() {
    const lines = this.#lines.flatMap((line) => Object.values(line.fields));
    return [this.#vendor, this.#destination, this.#currency, ...lines, this.#reason];
  }

  /** Why two lines can't stand beside each other, if there are such. */
  #twins() {
    const skus = this.#lines.map((line) => line.fields.sku.value).filter(Boolean);
    const twin = skus.find((sku, place) => skus.indexOf(sku) < place);
    return twin ? `${visible(twin)} appears in more than one line.` : "";
  }

  /** What was wrong between lines may be right now, and is looked at again when it is sent. */
  #typedLine() {
    this.#blameLines("");
    this.#showTotals();
  }

  /** @param {string} reason */
  #blameLines(reason) {
    fill(this.#fault, reason);
  }

  /** @param {TypedNewLine} typed */
  #addLine(typed, { focus = false } = {}) {
    const line = new NewLine(`line-${(this.#made += 1)}`, typed, this.#limits, () =>
      this.#remove(line),
    );
    this.#lines.push(line);
    this.#list.append(line.element);
    this.#showLines();
    if (!focus) return;
    line.fields.sku.control.focus();
    this.#changed();
  }

  /** @param {NewLine} line */
  #remove(line) {
    const place = this.#lines.indexOf(line);
    this.#lines.splice(place, 1);
    line.element.remove();
    this.#showLines();
    this.#lines[Math.max(0, place - 1)].fields.sku.control.focus();
    this.#changed();
  }

  #showLines() {
    for (const [place, line] of this.#lines.entries()) line.number(place + 1, this.#lines.length);
    this.#add.hidden = this.#lines.length >= this.#limits.most_lines;
    this.#blameLines("");
    this.#showTotals();
  }

  #showTotals() {
    const decimals = this.#decimals;
    for (const line of this.#lines) line.showTotal(decimals);
    const totals = this.#lines.flatMap((line) => line.total(decimals) ?? []);
    const isKnown = totals.length === this.#lines.length;
    const sum = totals.reduce((all, total) => all + total, 0n);
    const total = `${grouped(written(sum, decimals))} ${visible(this.#code)}`;
    fill(this.#total, isKnown ? total : "–");
    fill(this.#tiers, tiersInWords(this.#limits, this.#code));
  }
}

/**
 * The currencies that there are; where the API names none it refuses by itself.
 *
 * @param {OrderLimits} limits
 */
function currencyInput({ currencies }) {
  if (!currencies.length) return element("input", { id: "currency", maxlength: 3 });
  const options = currencies.map(({ currency: value }) => element("option", { value }, value));
  return element("select", { id: "currency" }, options);
}

/**
 * How many people an amount takes, as the API tells it: "Up to 5,000 EUR: 1 approver."
 *
 * @param {OrderLimits} limits
 * @param {string} code
 */
function tiersInWords({ currencies }, code) {
  const tiers = currencies.find(({ currency }) => currency === code)?.tiers ?? [];
  const said = tiers.map(({ above, quorum, countersigner_role: role }) => {
    const people = quorum + (role ? 1 : 0);
    const last = role ? `, one of them a ${roleName(role)}` : "";
    return `Above ${grouped(above)} ${code}: ${count(people, "approver")}${last}.`;
  });
  return tiers.length
    ? [`Up to ${grouped(tiers[0].above)} ${code}: 1 approver.`, ...said].join(" ")
    : "";
}

/** @param {string} id */
function textInput(id) {
  return element("input", { id, autocomplete: "off" });
}
