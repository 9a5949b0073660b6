/** How many of a thing at what price, in fields whose amounts stay text. */

import { CheckedField } from "../elements/checked-field.js";
import { element, fill } from "../elements/element.js";
import {
  asWritten,
  cost,
  counted,
  decimalsOf,
  grouped,
  MOST_DECIMALS,
  thousandths,
  written,
} from "./money.js";

/** @import { OrderLimits } from "../api.js" */

export class Figures {
  #most;
  #whole;
  #quantity;
  #price;
  #total = element("span", { class: "figure" });

  /**
   * @param {string} id what the ids of the fields begin with
   * @param {{quantity?: string|number, unit_price?: string}} given what stands in them at first
   * @param {OrderLimits} limits
   * @param {() => boolean} whole whether the quantity has to be a whole number
   */
  constructor(id, { quantity = "", unit_price: price = "" }, { most_pieces: most }, whole) {
    this.#most = most;
    this.#whole = whole;
    const plain = { autocomplete: "off", class: "figure" };
    this.#quantity = new CheckedField(
      "Quantity",
      element("input", {
        id: `${id}-quantity`,
        inputmode: "decimal",
        maxlength: String(most).length + 4,
        ...plain,
      }),
    );
    this.#price = new CheckedField(
      "Unit price",
      element("input", { id: `${id}-price`, inputmode: "decimal", maxlength: 19, ...plain }),
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

  /**
   * What they come to with so many decimals, in millionths; null if one can't be read.
   *
   * @param {number} decimals
   */
  total(decimals) {
    const [quantity, price] = [thousandths(this.#quantity.value), counted(this.#price.value)];
    if (this.#quantityFault || quantity === null || price === null) return null;
    return cost(quantity, price, decimals);
  }

  /** What the API is told; the figures can be read. */
  get line() {
    const { value } = this.#quantity;
    const quantity = decimalsOf(value) ? value : Number(value);
    return { quantity, unit_price: this.#price.value };
  }

  /**
   * Show what they come to, with so many decimals.
   *
   * @param {number} decimals
   */
  showTotal(decimals) {
    const total = this.total(decimals);
    fill(this.#total, total === null ? "–" : grouped(written(total, decimals)));
  }

  /** Say at each field what is wrong with it. */
  check() {
    this.#quantity.blame(this.#quantityFault);
    this.#price.blame(this.#priceFault);
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
    const count = thousandths(value);
    const most = this.#most.toLocaleString("en");
    const fits = !this.#whole() || !decimalsOf(value);
    if (count && fits && Number(value) <= this.#most) return "";
    return this.#whole()
      ? `Enter a whole number from 1 to ${most}.`
      : `Enter a number above 0, up to ${most}, with at most 3 decimals.`;
  }

  get #priceFault() {
    const { value } = this.#price;
    if (counted(value) !== null) return "";
    return decimalsOf(value) > MOST_DECIMALS
      ? `At most ${MOST_DECIMALS} decimals.`
      : "Enter an amount such as 1249.50, with a point before the decimals and nothing else.";
  }
}
