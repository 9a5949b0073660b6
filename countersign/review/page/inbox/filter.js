/** Narrow a list down by words, kind and role, among the loaded rows. */

import { element, fill } from "../elements/element.js";
import { field } from "../elements/notice.js";
import { isKnown, kindOf, kinds } from "../words/kinds.js";
import { roleName } from "../words/words.js";

/**
 * @import { OperationRow } from "../api.js"
 * @import { Kind } from "../kind.js"
 */

const FEW = 5;

export class RowFilter {
  #words = element("input", {
    type: "search",
    id: "filter-words",
    placeholder: "Title or person",
    autocomplete: "off",
  });
  #kind = element("select", { id: "filter-kind" });
  #role = element("select", { id: "filter-role" });
  #changed;
  #hides = false;

  /**
   * @param {Kind[]} own the kinds that the reader has to do with; others are not shown at first
   * @param {() => void} changed called when the filter lets other rows through
   */
  constructor(own, changed) {
    this.#changed = changed;
    const names = kinds().map(({ kind }) => kind);
    offer(this.#kind, names, (name) => kindOf(name).plural, own.length === 1 ? own[0].kind : "");
    for (const each of [this.#words, this.#kind, this.#role]) {
      each.addEventListener("input", changed);
    }
    this.element = element(
      "search",
      { class: "filter", hidden: true },
      field("Filter", this.#words),
      field("Kind", this.#kind),
      field("Role", this.#role),
    );
  }

  /** Whether it kept any of the last rows back. */
  get hides() {
    return this.#hides;
  }

  clear() {
    for (const field of [this.#words, this.#kind, this.#role]) field.value = "";
    this.#changed();
  }

  /**
   * The rows that it lets through.
   *
   * @param {OperationRow[]} rows
   */
  of(rows) {
    const kinds = new Set(rows.map(({ kind }) => kind));
    fieldOf(this.#kind).hidden =
      kinds.size < 2 && [...kinds].every((kind) => ["", kind].includes(this.#kind.value));
    const roles = [...new Set(rows.flatMap((row) => row.required_role ?? []))].sort();
    offer(this.#role, roles, roleName, this.#role.value);
    fieldOf(this.#role).hidden = roles.length < 2;
    const words = this.#words.value.trim().toLowerCase().split(/\s+/);
    const shown = rows.filter((row) => this.#fits(row, words));
    this.#hides = shown.length < rows.length;
    // With a handful of rows a filter is only in the way.
    this.element.hidden = rows.length < FEW && !this.#hides && !this.#words.value;
    return shown;
  }

  /**
   * @param {OperationRow} row
   * @param {string[]} words
   */
  #fits(row, words) {
    const text = `${row.title} ${row.requester}`.toLowerCase();
    const asked = this.#kind.value;
    // Whether one that this page does not know is the reader's nobody here can tell.
    const kind = !asked || row.kind === asked || !isKnown(row.kind);
    const role = !this.#role.value || row.required_role === this.#role.value;
    return kind && role && words.every((word) => text.includes(word));
  }
}

/** @param {HTMLSelectElement} control */
function fieldOf(control) {
  return /** @type {HTMLElement} */ (control.parentElement);
}

/**
 * @param {HTMLSelectElement} select
 * @param {string[]} values
 * @param {(value: string) => string} nameOf
 * @param {string} chosen
 */
function offer(select, values, nameOf, chosen) {
  /** @param {string} value */
  const option = (value) => element("option", { value, selected: value === chosen }, nameOf(value));
  fill(select, element("option", { value: "" }, "Any"), values.map(option));
}
