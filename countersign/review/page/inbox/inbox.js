/** The lists of operations, and beside them what the chosen row is about. */

import { listen } from "../browser/channel.js";
import { clockTime, now } from "../browser/time.js";
import { watch } from "../browser/watch.js";
import { announce } from "../elements/announce.js";
import { address, element, fill, foreign, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { stepThrough, useShortcuts } from "../elements/shortcuts.js";
import { nameTab } from "../elements/title.js";
import { emptyInWords, ListQuery, listName, listsOf } from "../lists/lists.js";
import { tell, whenHeld } from "../proposal/outbox.js";
import { askAhead, rightsLastTime } from "../session/ahead.js";
import { codeOf } from "../session/problem.js";
import { countWaiting, tellWaiting } from "../shell/masthead.js";
import { kindsToAskFor } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";
import { approveSeveral } from "./approve-several.js";
import { notifyOf } from "./notify.js";
import { Preview } from "./preview.js";
import { targetOf } from "./row.js";
import { firstPage, Rows } from "./rows.js";
import { Selection } from "./selection.js";
import { snoozing, tellDue } from "./snooze.js";
import { Toolbar } from "./toolbar.js";

/**
 * @import { Me, OperationRow } from "../api.js"
 * @import { View, Visit } from "../view.js"
 */

const LOOK_SECONDS = 8;
const HIDDEN_SECONDS = 60;

/**
 * @param {Visit} visit
 * @returns {Promise<View>}
 */
export async function inboxView(visit) {
  const inbox = new Inbox(visit);
  try {
    await inbox.load();
  } catch (problem) {
    if (codeOf(problem) !== "not_authorised") throw problem;
    return { title: "No role", place: "inbox", content: [noRole(visit.me)] };
  }
  inbox.follow();
  return { title: inbox.title, name: "inbox", place: "inbox", content: inbox.content };
}

/**
 * Ask for the rows before it is known who looks at them, as if it were who it was the last time.
 *
 * @param {URLSearchParams} query
 * @param {AbortSignal} signal
 */
export function readAhead(query, signal) {
  const rights = rightsLastTime();
  if (rights) askAhead(firstPage(ListQuery.in(query, rights), history.state?.rows), signal);
}

class Inbox {
  #visit;
  #query;
  #rows;
  #toolbar;
  #preview;
  /** @type {Pick<OperationRow, "operation_id"|"version"|"state">|undefined} */
  #linked;
  #selection;
  #heading = element("h1", { class: "unseen" });
  #count = element("span", { class: "count" });
  #updated = element("p", { class: "updated hint" });

  /** @param {Visit} visit */
  constructor(visit) {
    const { query, me, signal } = visit;
    this.#visit = visit;
    this.#query = ListQuery.in(query, me);
    const told = {
      shown: () => this.#shown(),
      nothing: () => this.#nothing(),
      arrived: (/** @type {OperationRow[]} */ rows) => this.#arrived(rows),
      isSelected: (/** @type {OperationRow} */ row) => this.#selection.has(row),
    };
    const actions = {
      "Approve…": (/** @type {OperationRow[]} */ rows) => this.#approve(rows),
      ...snoozing(me.id, () => {
        this.#selection.clear();
        this.#rows.redraw();
      }),
    };
    this.#selection = new Selection(() => this.#rows?.showSelection(), actions);
    this.#rows = new Rows(this.#query, me, told, signal);
    this.#toolbar = new Toolbar(this.#query, me, (changed) => this.#turnTo(changed));
    this.#preview = new Preview(visit, {
      held: () => this.#goOn(),
      decided: ({ receipt }) => this.#decided(receipt.operation_id),
    });
    this.#rows.element.addEventListener("click", (event) => this.#clicked(event));
    this.#rows.element.addEventListener("focusin", (event) => this.#focused(event));
    this.content = [
      this.#heading,
      element("div", { class: "inbox-head" }, this.#lists(), this.#updated),
      element(
        "div",
        { class: "inbox" },
        element(
          "div",
          { class: "inbox-list" },
          this.#toolbar.element,
          this.#selection.element,
          this.#rows.element,
        ),
        this.#preview.element,
      ),
    ];
  }

  get title() {
    return `${listName(this.#query.list)} (${this.#rows.size})`;
  }

  get #hasAllWaiting() {
    return this.#query.list === "waiting" && !this.#query.isFiltered;
  }

  /** Read as many rows as were there when the reader went away. */
  async load() {
    const row = this.#visit.query.get("row");
    if (row) {
      this.#rows.choose(row);
      // A link may lead to what has left the list since.
      this.#linked = { operation_id: row, version: null, state: "unknown" };
    }
    await this.#rows.load(history.state?.rows);
  }

  /** Keep it up to date, and listen to keys. */
  follow() {
    const { signal } = this.#visit;
    const refresh = () => this.#refresh();
    watch(refresh, { every: () => LOOK_SECONDS, hidden: HIDDEN_SECONDS, signal });
    listen("decided", () => refresh().catch(() => undefined), signal);
    whenHeld(() => this.#rows.redraw(), signal);
    Preview.whenItFits(() => this.#showChosen(), signal);
    const own = {
      j: () => stepThrough(".row-title a", 1),
      k: () => stepThrough(".row-title a", -1),
      x: () => this.#query.isOfWaiting && this.#selection.toggle(this.#rows.chosen),
      "/": () => this.#toolbar.focus(),
    };
    const preview = this.#preview;
    useShortcuts(
      new Proxy(own, {
        get: (keys, key) => Reflect.get(keys, key) ?? Reflect.get(preview.shortcuts, key),
      }),
      signal,
    );
    this.#sayUpdated();
    this.#countWaiting();
  }

  /** Where this list doesn't say how many wait for the reader, it is asked for. */
  #countWaiting() {
    if (!this.#hasAllWaiting && this.#visit.me.may.decide) countWaiting();
  }

  #lists() {
    const { saved, states } = listsOf(this.#visit.me);
    const chosen = this.#query.list;
    /** @param {string} list */
    const link = (list) => {
      const here = list === chosen;
      const label = [listName(list), here && [" ", this.#count]];
      return within({ list }, label, { "aria-current": here && "page" });
    };
    const more = states.includes(chosen) ? listName(chosen) : "More";
    const rare = element(
      "details",
      { class: "more-lists" },
      element("summary", { "data-chosen": states.includes(chosen) }, more),
      element("div", {}, states.map(link)),
    );
    return element("nav", { class: "lists", "aria-label": "Lists" }, saved.map(link), rare);
  }

  async #refresh() {
    this.#countWaiting();
    await this.#rows.refresh();
    if (tellDue(this.#visit.me.id)) this.#rows.redraw();
    this.#sayUpdated();
  }

  #sayUpdated() {
    const time = clockTime(new Date(now()), { second: "2-digit" });
    fill(this.#updated, `Updated ${time}`);
  }

  /** Say how many there are, and show what is chosen. */
  #shown() {
    const { size } = this.#rows;
    fill(this.#count, size);
    if (this.#heading.textContent && this.#heading.textContent !== this.title) {
      nameTab(this.title);
      announce(this.title);
    }
    fill(this.#heading, this.title);
    if (this.#hasAllWaiting) tellWaiting(size);
    history.replaceState({ ...history.state, rows: this.#rows.loaded }, "");
    this.#showChosen();
  }

  /** @param {OperationRow[]} rows */
  #arrived(rows) {
    if (!this.#query.isOfWaiting) return;
    const list = this.#query.query;
    notifyOf(rows, (row) => this.#visit.go(address({ ...targetOf(row, true), ...list })));
  }

  /** @param {OperationRow[]} rows */
  async #approve(rows) {
    const { me, signal } = this.#visit;
    try {
      if (!(await approveSeveral(rows, me, signal))) return;
      this.#selection.clear();
      await this.#refresh();
    } catch (problem) {
      if (!signal.aborted) tell(problemNotice(problem, {}));
    }
  }

  /** @param {ListQuery} query */
  async #turnTo(query) {
    this.#query = query;
    this.#selection.clear();
    this.#visit.rename(address(query.query));
    if (!(await this.#rows.turnTo(query))) return;
    this.#sayUpdated();
    // What is shown beside the list is one of its rows.
    if (this.#rows.chosen) return;
    this.#rows.choose("");
    this.#showChosen();
  }

  #showChosen({ soon = false } = {}) {
    if (!Preview.fits) return this.#preview.clear();
    // What is being decided stays, also where it has left the list meanwhile.
    const row = this.#rows.chosen ?? (this.#rows.hasChosen ? this.#linked : this.#rows.first);
    if (row !== this.#linked) this.#linked = undefined;
    if (!row) {
      if (!this.#rows.loaded) this.#preview.clear();
      return;
    }
    this.#rows.choose(row.operation_id);
    const { isOfWaiting: waits, query: list } = this.#query;
    this.#preview.show(row, { waits, list, soon });
  }

  /**
   * @param {string} id
   * @param {{soon?: boolean}} [options]
   */
  #choose(id, options) {
    this.#rows.choose(id);
    this.#visit.rename(address({ ...this.#query.query, row: id }));
    this.#showChosen(options);
  }

  /**
   * A click shows a row beside the list, where there is room; Enter opens it.
   *
   * @param {MouseEvent} event
   */
  #clicked(event) {
    const id = rowAt(event.target);
    const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
    if (!id) return;
    if (isSelector(event.target)) return this.#selection.toggle(this.#rows.of(id));
    if (event.detail === 0 || !plain || !Preview.fits) {
      this.#visit.rename(address({ ...this.#query.query, row: id }));
      return;
    }
    event.preventDefault();
    this.#choose(id);
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const id = isSelector(event.target) ? undefined : rowAt(event.target);
    if (id && Preview.fits && id !== this.#rows.chosen?.operation_id)
      this.#choose(id, { soon: true });
  }

  /**
   * Who waited for the decision to be recorded, goes on now.
   *
   * @param {string} operation
   */
  #decided(operation) {
    if (this.#rows.chosen?.operation_id === operation) this.#goOn();
  }

  /** After a decision, the next row of this list. */
  #goOn() {
    const done = this.#rows.chosen?.operation_id ?? "";
    const next = this.#rows.beside(done)?.operation_id ?? "";
    this.#rows.choose(next);
    if (!next) return this.#preview.clear();
    this.#choose(next);
    this.#rows.linkOf(next)?.focus();
  }

  #nothing() {
    if (this.#query.isFiltered)
      return notice(
        "info",
        "No rows match the filter.",
        button("Clear the filter", () => this.#toolbar.clear()),
      );
    return emptyNotice(this.#query, this.#visit.me);
  }
}

/** @param {EventTarget|null} target */
function isSelector(target) {
  return target instanceof Element && target.matches(".row-select");
}

/** @param {EventTarget|null} target */
function rowAt(target) {
  const row = target instanceof Element ? target.closest("[data-operation]") : null;
  return row instanceof HTMLElement ? row.dataset.operation : undefined;
}

/**
 * Whoever the sign-in lets in without a role can read none of the lists.
 *
 * @param {Me} me
 */
function noRole(me) {
  return notice(
    "info",
    ["You are signed in as ", foreign(me.name), ", without a role in this app."],
    "Ask the person who assigns roles in your organisation for one of these: requester, to request reports; report reviewer, to decide on them; purchase requester and purchase approver, for orders; auditor, to read; or operator, to retry failed work. Then sign out and in again.",
  );
}

/**
 * @param {ListQuery} query
 * @param {Me} me
 */
function emptyNotice({ list, isOfWaiting }, me) {
  const start = kindsToAskFor(me).map(({ request: { form, label } }) =>
    within({ new: form }, `Ask for ${label.toLowerCase()}`, { class: "button" }),
  );
  if (!isOfWaiting) return notice("info", emptyInWords(list), start);
  return notice(
    "good",
    emptyInWords(list),
    "Proposals for your roles appear here automatically. Your own requests do not, since someone else decides on them.",
    start,
  );
}
