/** A line of an order that is being asked for. */

import { CheckedField } from "../elements/checked-field.js";
import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { Figures } from "./figures.js";

/** @import { OrderLimits } from "../api.js" */

const SKU = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/;

/**
 * @typedef {{sku?: string, description?: string, unit?: string, quantity?: string, unit_price?: string}} TypedNewLine
 */

export class NewLine {
  #sku;
  #description;
  #unit;
  #figures;
  #legend = element("legend");
  #remove;

  /**
   * @param {string} id what the ids of its fields begin with
   * @param {TypedNewLine} typed
   * @param {OrderLimits} limits
   * @param {() => void} remove takes it out
   */
  constructor(id, typed, limits, remove) {
    /**
     * @param {string} name
     * @param {number} maxlength
     */
    const input = (name, maxlength) =>
      element("input", { id: `${id}-${name}`, maxlength, autocomplete: "off" });
    this.#sku = new CheckedField("Article number", input("sku", 64));
    this.#description = new CheckedField("Description", input("description", limits.longest_line));
    this.#sku.control.value = typed.sku ?? "";
    this.#description.control.value = typed.description ?? "";
    this.#unit = new CheckedField("Unit (optional), such as kg", input("unit", 20));
    this.#unit.control.value = typed.unit ?? "";
    this.#figures = new Figures(id, typed, limits, () => !this.#unit.value);
    this.#remove = button("Remove", remove);
    this.element = element(
      "fieldset",
      { class: "order-line" },
      this.#legend,
      element("div", { class: "line-names" }, this.#sku.element, this.#description.element),
      element(
        "div",
        { class: "line-fields" },
        this.#figures.elements,
        this.#unit.element,
        this.#remove,
      ),
    );
  }

  /**
   * Say which one it is; the only one can't be removed.
   *
   * @param {number} place
   * @param {number} of
   */
  number(place, of) {
    fill(this.#legend, `Line ${place}`);
    this.#remove.setAttribute("aria-label", `Remove line ${place}`);
    this.#remove.hidden = of === 1;
  }

  get typed() {
    return {
      sku: this.#sku.control.value,
      description: this.#description.control.value,
      unit: this.#unit.control.value,
      ...this.#figures.typed,
    };
  }

  /** What the API is told. */
  get line() {
    return {
      sku: this.#sku.value,
      description: this.#description.value,
      ...(this.#unit.value && { unit: this.#unit.value }),
      ...this.#figures.line,
    };
  }

  /**
   * The fields by the API's names of them.
   *
   * @returns {Record<string, CheckedField>}
   */
  get fields() {
    return {
      sku: this.#sku,
      description: this.#description,
      unit: this.#unit,
      ...this.#figures.fields,
    };
  }

  /** @param {number} decimals */
  total(decimals) {
    return this.#figures.total(decimals);
  }

  /** @param {number} decimals */
  showTotal(decimals) {
    this.#figures.showTotal(decimals);
  }

  check() {
    const letters = "Use letters and digits, with . _ / or - between them.";
    this.#sku.blame(SKU.test(this.#sku.value) ? "" : letters);
    this.#description.blame(this.#description.value ? "" : "Describe the item.");
    this.#figures.check();
  }
}
