/** How many of a thing at what price, in fields whose amounts stay text. */

import { CheckedField } from "../elements/checked-field.js";
import { element, fill } from "../elements/element.js";
import { asWritten, counted, decimalsOf, grouped, written } from "./money.js";

/** @import { OrderLimits } from "../api.js" */

const QUANTITY = /^[1-9]\d*$/;

/** @typedef {{quantity: bigint, price: bigint, total: bigint}} Counts in money's least parts */

export class Figures {
  #most;
  #quantity;
  #price;
  #total = element("span", { class: "figure" });

  /**
   * @param {string} id what the ids of the fields begin with
   * @param {{quantity?: string|number, unit_price?: string}} given what stands in them at first
   * @param {OrderLimits} limits
   */
  constructor(id, { quantity = "", unit_price: price = "" }, { most_pieces: most }) {
    this.#most = most;
    const plain = { autocomplete: "off", class: "figure" };
    this.#quantity = new CheckedField(
      "Quantity",
      element("input", {
        id: `${id}-quantity`,
        inputmode: "numeric",
        maxlength: String(most).length,
        ...plain,
      }),
    );
    this.#price = new CheckedField(
      "Unit price",
      element("input", { id: `${id}-price`, inputmode: "decimal", maxlength: 17, ...plain }),
    );
    this.#quantity.control.value = String(quantity);
    this.#price.control.value = price;
    // Before the total is shown, which follows on what stands in the field then.
    this.#price.control.addEventListener("change", () => {
      this.#price.control.value = asWritten(this.#price.control.value);
      this.#price.control.dispatchEvent(new Event("input", { bubbles: true }));
    });
    const total = element(
      "div",
      { class: "field" },
      element("span", {}, "Line total"),
      this.#total,
    );
    this.elements = [this.#quantity.element, this.#price.element, total];
  }

  /** What stands in the fields. */
  get typed() {
    return { quantity: this.#quantity.value, unit_price: this.#price.value };
  }

  /** @param {boolean} disabled */
  set disabled(disabled) {
    for (const { control } of [this.#quantity, this.#price]) control.disabled = disabled;
  }

  /** @returns {Counts|null} null if one can't be read */
  get counts() {
    const price = counted(this.#price.value);
    if (this.#quantityFault || price === null) return null;
    const quantity = BigInt(this.#quantity.value);
    return { quantity, price, total: quantity * price };
  }

  /** What the API is told; the figures can be read. */
  get line() {
    return { quantity: Number(this.#quantity.value), unit_price: this.#price.value };
  }

  /**
   * Show what they come to, with so many decimals.
   *
   * @param {number} decimals
   */
  showTotal(decimals) {
    const { counts } = this;
    fill(this.#total, counts ? grouped(written(counts.total, decimals)) : "–");
  }

  /**
   * Say at each field what is wrong with it; a price may have so many decimals.
   *
   * @param {number} decimals
   */
  check(decimals) {
    this.#quantity.blame(this.#quantityFault);
    this.#price.blame(this.#priceFault(decimals));
  }

  /**
   * The fields by the API's names of them.
   *
   * @returns {Record<string, CheckedField>}
   */
  get fields() {
    return { quantity: this.#quantity, unit_price: this.#price };
  }

  get #quantityFault() {
    const { value } = this.#quantity;
    if (QUANTITY.test(value) && Number(value) <= this.#most) return "";
    return `Enter a whole number from 1 to ${this.#most.toLocaleString("en")}.`;
  }

  /** @param {number} decimals */
  #priceFault(decimals) {
    const { value } = this.#price;
    if (counted(value) === null)
      return "Enter an amount such as 1249.50, with a point before the decimals and nothing else.";
    return decimalsOf(value) > decimals ? `At most ${decimals} decimals.` : "";
  }
}
