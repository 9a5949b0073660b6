/** What narrows a list down and sorts it; the server does both. */

import { element, fill } from "../elements/element.js";
import { button, field } from "../elements/notice.js";
import { ANY } from "../lists/lists.js";
import { kinds, kindsOf } from "../words/kinds.js";
import { roleName } from "../words/words.js";

/**
 * @import { Me } from "../api.js"
 * @import { ListQuery } from "../lists/lists.js"
 */

/** Nobody wants a list for each letter that they type. */
const PAUSE_MILLISECONDS = 250;

/** @type {Record<string, string>} */
const ORDERS = {
  deadline: "Deadline",
  newest: "Newest",
  oldest: "Oldest",
  amount: "Amount",
  decided: "Last decision",
};

/** @type {[string, string, string][]} */
const MORE = [
  ["amount_from", "Amount from", "text"],
  ["amount_to", "Amount to", "text"],
  ["asked_from", "Requested from", "date"],
  ["asked_to", "Requested to", "date"],
  ["decided_from", "Decided from", "date"],
  ["decided_to", "Decided to", "date"],
];

export class Toolbar {
  #changed;
  #query;
  /** @type {number|undefined} */
  #timer;
  /** @type {Map<string, HTMLInputElement|HTMLSelectElement>} */
  #controls = new Map();

  /**
   * @param {ListQuery} query
   * @param {Me} me
   * @param {(query: ListQuery) => void} changed called a moment after the last change
   */
  constructor(query, me, changed) {
    this.#query = query;
    this.#changed = changed;
    const roles = kinds().flatMap((kind) => Object.keys(kind.roles));
    const deciding = roles.filter((role) => /Reviewer|Approver|Escalation/.test(role));
    const own = deciding.filter((role) => me.roles.includes(role));
    const offered = me.roles.includes("Auditor") || !query.isOfWaiting ? deciding : own;
    this.element = element(
      "search",
      { class: "toolbar" },
      this.#words(),
      (kindsOf(me).length > 1 || query.filters.kind) &&
        this.#select(
          "kind",
          "Kind",
          kinds().map(({ kind, plural }) => [kind, plural]),
          "All kinds",
        ),
      this.#select("sort", "Sort", this.#orders(), ""),
      this.#more(offered.length > 1 ? offered : []),
    );
  }

  focus() {
    this.#controls.get("text")?.focus();
  }

  /** Show all that the list has. */
  clear() {
    for (const [name, control] of this.#controls) {
      if (name !== "sort") control.value = name === "kind" ? ANY : "";
    }
    // An address may have some that no control shows.
    this.#query = this.#query.with({ requester: "", role: "" });
    this.#tell();
  }

  #words() {
    const control = element("input", {
      type: "search",
      id: "filter-text",
      placeholder: "Search titles, people, ids",
      autocomplete: "off",
      "aria-keyshortcuts": "/",
    });
    return this.#field("text", "Search", control);
  }

  #orders() {
    const waiting = ["deadline", "newest", "oldest", "amount"];
    const orders = this.#query.isOfWaiting ? waiting : ["newest", "oldest", "amount", "decided"];
    return orders.map((order) => [order, ORDERS[order]]);
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {string[][]} values each with what it is called
   * @param {string} any what choosing none of them is called
   */
  #select(name, label, values, any) {
    const control = element("select", { id: `filter-${name}` });
    const options = values.map(([value, called]) => element("option", { value }, called));
    const all = name === "kind" ? ANY : "";
    fill(control, any && element("option", { value: all }, any), options);
    return this.#field(name, label, control);
  }

  /** @param {string[]} roles that there are to choose from */
  #more(roles) {
    const shown = MORE.filter(([name]) => !(this.#query.isOfWaiting && name.startsWith("decided")));
    const fields = shown.map(([name, label, type]) => {
      const inputmode = type === "text" && "decimal";
      const control = element("input", { type, id: `filter-${name}`, inputmode });
      return this.#field(name, label, control);
    });
    const named = roles.map((role) => [role, roleName(role)]);
    const role = roles.length > 0 && this.#select("role", "Role", named, "All roles");
    const used = ["role", ...MORE.map(([name]) => name)].some((name) => this.#query.filters[name]);
    const fold = element("details", { class: "more-filters", open: used });
    const clear = button("Clear", () => this.clear());
    return fill(
      fold,
      element("summary", {}, "Filters"),
      element("div", { class: "more-fields" }, role, fields, clear),
    );
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {HTMLInputElement|HTMLSelectElement} control
   */
  #field(name, label, control) {
    this.#controls.set(name, control);
    const value = this.#query.inForce[name];
    if (value) control.value = value;
    control.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#tell(), PAUSE_MILLISECONDS);
    });
    return field(label, control);
  }

  #tell() {
    clearTimeout(this.#timer);
    const typed = [...this.#controls].map(([name, { value }]) => [name, value.trim()]);
    this.#query = this.#query.with(Object.fromEntries(typed));
    this.#changed(this.#query);
  }
}
