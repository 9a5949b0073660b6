/** The rows of one list: read a page at a time, kept up to date, one of them chosen. */

import { newest } from "../browser/newest.js";
import { now } from "../browser/time.js";
import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { keepOrder } from "../proposal/next.js";
import { callAhead } from "../session/ahead.js";
import { problemNotice } from "../words/problem-notice.js";
import { rowElement } from "./row.js";

/**
 * @import { Me, OperationRow } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { ListQuery } from "../lists/lists.js"
 */

const PAGE_ROWS = 50;
const MOST_ROWS = 100;

/**
 * The call for the first page of a list.
 *
 * @param {ListQuery} query
 * @param {number} [wanted] how many rows at the least, if there are as many
 */
export function firstPage(query, wanted = PAGE_ROWS) {
  return query.call({ limit: String(Math.min(Math.max(PAGE_ROWS, wanted), MOST_ROWS)) });
}

export class Rows {
  #query;
  #me;
  #signal;
  #told;
  /** @type {OperationRow[]} */
  #rows = [];
  /** @type {string|null} */
  #cursor = null;
  /** @type {number|null} */
  #count = 0;
  /** @type {Set<string>|null} */
  #known = null;
  #since = 0;
  #chosen = "";
  #read;
  #items = element("ol", { class: "rows" });
  #below = element("div", { class: "below" });

  /**
   * @param {ListQuery} query
   * @param {Me} me
   * @param {{shown: () => void, nothing: () => Child, arrived: (rows: OperationRow[]) => void,
   *   isSelected: (row: OperationRow) => boolean}} told `shown` is called when other rows are there
   *   than before, `arrived` with those that are new; `nothing` says so where there are none
   * @param {AbortSignal} signal
   */
  constructor(query, me, told, signal) {
    this.#query = query;
    this.#me = me;
    this.#told = told;
    this.#signal = signal;
    this.#read = newest(signal, (reading, /** @type {() => number} */ wanted) =>
      this.#readAnew(reading, wanted),
    );
    this.element = element("div", { class: "list" }, this.#items, this.#below);
  }

  /** How many there are altogether, as far as anybody counted. */
  get size() {
    return this.#count === null ? `${this.#rows.length}+` : String(this.#count);
  }

  get loaded() {
    return this.#rows.length;
  }

  get hasChosen() {
    return this.#chosen !== "";
  }

  /** @returns {OperationRow|undefined} */
  get chosen() {
    return this.#rows.find(({ operation_id: id }) => id === this.#chosen);
  }

  /** @returns {OperationRow|undefined} */
  get first() {
    return this.#rows[0];
  }

  /**
   * Read it from the beginning.
   *
   * @param {number} [wanted] how many rows at the least, if there are as many
   */
  load(wanted = PAGE_ROWS) {
    return this.#read(() => wanted);
  }

  /** Read again all that is shown, also what comes to be shown meanwhile. */
  refresh() {
    return this.#read(() => this.#rows.length);
  }

  /**
   * Show another list, from its beginning.
   *
   * @param {ListQuery} query
   * @returns {Promise<boolean>} whether it could be read; if not, the list says why
   */
  async turnTo(query) {
    this.#query = query;
    this.#known = null;
    try {
      await this.load();
      return true;
    } catch (problem) {
      if (!this.#signal.aborted) this.#showProblem(problem, () => this.turnTo(query));
      return false;
    }
  }

  /**
   * Show which row is being looked at.
   *
   * @param {string} id
   */
  choose(id) {
    this.#chosen = id;
    this.#known?.add(nameOf(this.chosen));
    for (const each of this.#items.children) {
      const is = each instanceof HTMLElement && each.dataset.operation === id;
      each.toggleAttribute("data-chosen", is);
      each.querySelector("a")?.setAttribute("aria-current", String(is));
      if (is) each.querySelector(".mark.new")?.remove();
    }
  }

  /** @param {string} id */
  linkOf(id) {
    /** @type {HTMLAnchorElement|null} */
    return this.#items.querySelector(`[data-operation="${CSS.escape(id)}"] a`);
  }

  /**
   * The row after another one, or before it at the end of the list.
   *
   * @param {string} id
   */
  beside(id) {
    const at = this.#rows.findIndex(({ operation_id: each }) => each === id);
    return this.#rows[at + 1] ?? this.#rows[at - 1];
  }

  /**
   * @param {AbortSignal} signal
   * @param {() => number} wanted how many rows at the least, if there are as many
   */
  async #readAnew(signal, wanted) {
    /** @type {OperationRow[]} */
    const rows = [];
    let cursor = null;
    let count = null;
    do {
      const answer = await this.#page(cursor, wanted() - rows.length, signal);
      rows.push(...answer[this.#query.path]);
      cursor = answer.cursor;
      count = answer.count;
    } while (cursor && rows.length < wanted());
    const before = JSON.stringify([this.#rows, this.#count]);
    const first = this.#known === null;
    if (first) this.#since = now();
    this.#known ??= new Set(rows.map(nameOf));
    const shown = new Set(this.#rows.map(nameOf));
    const arrived = rows.filter((row) => this.#isNew(row) && !shown.has(nameOf(row)));
    this.#rows = rows;
    this.#cursor = cursor;
    this.#count = count;
    if (first || JSON.stringify([rows, count]) !== before) this.#show();
    if (arrived.length) this.#told.arrived(arrived);
  }

  /**
   * What was too far down the list to be shown, and moved up, is no news.
   *
   * @param {OperationRow} row
   */
  #isNew(row) {
    return !this.#known?.has(nameOf(row)) && Date.parse(row.updated_at) > this.#since;
  }

  /**
   * @param {string|null} cursor
   * @param {number} wanted
   * @param {AbortSignal} signal
   */
  #page(cursor, wanted, signal) {
    const path = firstPage(this.#query, wanted);
    return callAhead(cursor ? `${path}&${new URLSearchParams({ cursor })}` : path, signal);
  }

  /** @returns {Promise<void>} */
  async #loadMore() {
    const [query, cursor] = [this.#query, this.#cursor];
    try {
      const answer = await this.#page(cursor, PAGE_ROWS, this.#signal);
      // Other rows may have been read meanwhile, which these do not follow.
      if (query !== this.#query) return this.#show();
      if (cursor !== this.#cursor) return this.#cursor ? this.#loadMore() : this.#show();
      for (const row of answer[this.#query.path]) {
        this.#known?.add(nameOf(row));
        this.#rows.push(row);
      }
      this.#cursor = answer.cursor;
      this.#show();
    } catch (problem) {
      if (this.#signal.aborted) return;
      fill(this.#below, problemNotice(problem, { retry: () => this.#loadMore() }));
    }
  }

  /**
   * Rows of another list are not to be taken for those of this one.
   *
   * @param {unknown} problem
   * @param {() => unknown} retry
   */
  #showProblem(problem, retry) {
    this.#rows = [];
    this.#cursor = null;
    fill(this.#items);
    fill(this.#below, problemNotice(problem, { retry }));
  }

  #show() {
    const box = document.activeElement?.closest(".row-select") ?? null;
    const focused = document.activeElement?.closest("[data-operation]");
    const id = focused instanceof HTMLElement ? (focused.dataset.operation ?? "") : "";
    const options = {
      signal: this.#signal,
      me: this.#me,
      waits: this.#query.isOfWaiting,
      list: this.#query.query,
    };
    fill(
      this.#items,
      this.#rows.map((row) =>
        rowElement(row, {
          ...options,
          isNew: this.#isNew(row),
          isSelected: this.#told.isSelected(row),
        }),
      ),
    );
    fill(this.#below, this.#rows.length ? null : this.#told.nothing(), this.#more());
    keepOrder(this.#rows);
    this.choose(this.#chosen);
    if (id) this.#focusAgain(id, box !== null);
    this.#told.shown();
  }

  /**
   * @param {string} id
   * @param {boolean} onBox whether the focus was on what selects the row
   */
  #focusAgain(id, onBox) {
    /** @type {HTMLElement|null|undefined} */
    const box = onBox ? this.#itemOf(id)?.querySelector(".row-select") : null;
    (box ?? this.linkOf(id))?.focus({ preventScroll: true });
  }

  /** Show the same rows once more, for what this browser keeps about them has changed. */
  redraw() {
    this.#show();
  }

  /** Show of each row whether it is selected. */
  showSelection() {
    for (const row of this.#rows) {
      const box = this.#itemOf(row.operation_id)?.querySelector(".row-select");
      if (box instanceof HTMLInputElement) box.checked = this.#told.isSelected(row);
    }
  }

  /** @param {string} id */
  of(id) {
    return this.#rows.find(({ operation_id: each }) => each === id);
  }

  /** @param {string} id */
  #itemOf(id) {
    return this.#items.querySelector(`[data-operation="${CSS.escape(id)}"]`);
  }

  #more() {
    if (!this.#cursor) return null;
    const more = button("Show more", () => {
      more.disabled = true;
      return this.#loadMore();
    });
    return element("p", {}, more, ` ${this.#rows.length} of ${this.size} are shown.`);
  }
}

/**
 * A new version of an operation is news too.
 *
 * @param {OperationRow|undefined} row
 */
function nameOf(row) {
  return `${row?.operation_id}:${row?.version}`;
}
