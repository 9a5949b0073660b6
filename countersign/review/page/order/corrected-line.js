/** A line of an order that can be corrected or struck. */

import { element, fill, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { Figures } from "./figures.js";
import { articleElements } from "./lines-table.js";
import { counted, grouped, quantityInWords } from "./money.js";

/** @import { OrderLimits, OrderLine } from "../api.js" */

/** @typedef {{quantity: string, unit_price: string, struck: boolean}} TypedLine */

export class CorrectedLine {
  #offered;
  #figures;
  #strike;
  #struck = false;

  /**
   * @param {OrderLine} offered the line as it stands
   * @param {string} id what the ids of its fields begin with
   * @param {TypedLine|undefined} draft
   * @param {OrderLimits} limits
   * @param {() => void} changed called when it is struck or put back
   */
  constructor(offered, id, draft, limits, changed) {
    this.#offered = offered;
    this.#figures = new Figures(id, draft ?? offered, limits, () => !offered.unit);
    this.#strike = button("", () => {
      this.#setStruck(!this.#struck);
      changed();
    });
    const before = `Now ${quantityInWords(offered)} at ${grouped(offered.unit_price)} each.`;
    this.element = element(
      "fieldset",
      { class: "order-line" },
      element("legend", {}, articleElements(offered)),
      element("p", { class: "hint" }, before),
      element("div", { class: "line-fields" }, this.#figures.elements, this.#strike),
    );
    this.#setStruck(draft?.struck ?? false);
  }

  get sku() {
    return this.#offered.sku;
  }

  get isStruck() {
    return this.#struck;
  }

  get isChanged() {
    const { quantity, unit_price: price } = this.#figures.typed;
    return (
      this.#struck ||
      quantity !== String(this.#offered.quantity) ||
      counted(price) !== counted(this.#offered.unit_price)
    );
  }

  get typed() {
    return { ...this.#figures.typed, struck: this.#struck };
  }

  get isReadable() {
    return this.#figures.total(0) !== null;
  }

  get fields() {
    return this.#figures.fields;
  }

  get correction() {
    return { sku: this.sku, ...this.#figures.line };
  }

  check() {
    this.#figures.check();
  }

  /** @param {number} decimals */
  showTotal(decimals) {
    this.#figures.showTotal(decimals);
  }

  /** @param {boolean} struck */
  #setStruck(struck) {
    this.#struck = struck;
    this.#figures.disabled = struck;
    this.element.toggleAttribute("data-struck", struck);
    const what = struck ? "Put back" : "Strike";
    fill(this.#strike, what);
    this.#strike.setAttribute("aria-label", `${what} ${visible(this.sku)}`);
  }
}
