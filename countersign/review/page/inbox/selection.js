/** The rows that somebody has selected, to do the same with all of them. */

import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";

/** @import { OperationRow } from "../api.js" */

/** More than this nobody looks through before signing. */
const MOST = 50;

export class Selection {
  /** @type {Map<string, OperationRow>} */
  #rows = new Map();
  #changed;
  #actions;

  /**
   * @param {() => void} changed called when other rows are selected than before
   * @param {Record<string, (rows: OperationRow[]) => unknown>} actions what can be done with them,
   *   by what it is called
   */
  constructor(changed, actions) {
    this.#changed = changed;
    this.#actions = actions;
    this.element = element("div", {
      class: "selection",
      role: "region",
      "aria-label": "Selection",
    });
    this.#show();
  }

  /** @param {OperationRow} row */
  has(row) {
    return this.#rows.has(nameOf(row));
  }

  /** @param {OperationRow|undefined} row */
  toggle(row) {
    if (!row) return;
    if (this.has(row)) this.#rows.delete(nameOf(row));
    else if (this.#rows.size < MOST) this.#rows.set(nameOf(row), row);
    this.#show();
  }

  clear() {
    this.#rows.clear();
    this.#show();
  }

  #show() {
    const rows = [...this.#rows.values()];
    const most = rows.length === MOST ? `, which is as many as can be` : "";
    const actions = Object.entries(this.#actions).map(([label, act]) =>
      button(label, () => act(rows)),
    );
    this.element.hidden = rows.length === 0;
    fill(
      this.element,
      element("p", { role: "status" }, `${rows.length} selected${most}`),
      actions,
      button("Clear", () => this.clear(), { class: "link" }),
    );
    this.#changed();
  }
}

/**
 * A version is selected, and not whatever follows it.
 *
 * @param {OperationRow} row
 */
function nameOf({ operation_id: id, version }) {
  return `${id}:${version}`;
}
