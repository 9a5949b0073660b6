/** Narrow a list down by words and role, among the rows that are here. */

import { element, fill } from "./element.js";
import { field } from "./notice.js";
import { roleName } from "./words.js";

export class RowFilter {
  #words = element("input", {
    type: "search",
    id: "filter-words",
    placeholder: "Title or person",
    autocomplete: "off",
  });
  #role = element("select", { id: "filter-role" });
  #changed;

  /** @param {() => void} changed called when the filter lets other rows through */
  constructor(changed) {
    this.#changed = changed;
    this.#words.addEventListener("input", changed);
    this.#role.addEventListener("change", changed);
    this.element = element(
      "search",
      { class: "filter", hidden: true },
      field("Filter", this.#words),
      field("Role", this.#role),
    );
  }

  get active() {
    return Boolean(this.#words.value.trim() || this.#role.value);
  }

  clear() {
    for (const field of [this.#words, this.#role]) field.value = "";
    this.#changed();
  }

  /** The rows that it lets through. */
  of(rows) {
    // With a handful of rows a filter is only in the way.
    this.element.hidden = rows.length < 5 && !this.active;
    offer(
      this.#role,
      rows.map((row) => row.required_role),
    );
    const words = this.#words.value.trim().toLowerCase().split(/\s+/);
    return rows.filter((row) => this.#fits(row, words));
  }

  #fits(row, words) {
    const text = `${row.title} ${row.requester}`.toLowerCase();
    const role = !this.#role.value || row.required_role === this.#role.value;
    return role && words.every((word) => text.includes(word));
  }
}

/** Offer each role once; with a single one there is nothing to choose. */
function offer(select, roles) {
  const chosen = select.value;
  const offered = [...new Set(roles.filter(Boolean))].sort();
  const option = (role) =>
    element("option", { value: role, selected: role === chosen }, roleName(role));
  fill(select, element("option", { value: "" }, "Any"), offered.map(option));
  select.parentElement.hidden = offered.length < 2;
}
