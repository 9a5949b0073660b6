/** The lists: what waits for me, the most urgent first, and everything else a click away. */

import { listen } from "../browser/channel.js";
import { watch } from "../browser/watch.js";
import { element, fill, foreign, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { stepThrough, useShortcuts } from "../elements/shortcuts.js";
import { call } from "../session/api.js";
import { codeOf } from "../session/problem.js";
import { kindsOf, kindsToAskFor } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";
import { isState, stateName } from "../words/words.js";
import { RowFilter } from "./filter.js";
import { rowElement } from "./row.js";

/**
 * @import { Me, OperationRow } from "../api.js"
 * @import { View, Visit } from "../view.js"
 */

const PAGE_ROWS = 30;
const LOOK_SECONDS = 20;
const RARE = [
  "withdrawn",
  "needs_revision",
  "needs_owner",
  "over_budget",
  "write_unknown",
  "failed",
];

/** @type {Record<string, string>} */
const LISTS = { waiting: "Waiting for me", all: "All" };

/** @type {Record<string, string>} */
const EMPTY = {
  waiting: "Nothing needs your decision.",
  all: "There are no requests yet.",
  running: "Nothing is in progress.",
  needs_operator: "Nothing needs an operator.",
  awaiting_approval: "Nothing is pending.",
};

/**
 * @param {Visit} visit
 * @returns {Promise<View>}
 */
export async function inboxView({ query, me, signal }) {
  const chosen = listIn(query, me.may.decide);
  const list = new List(chosen, { me, signal });
  try {
    await list.load();
  } catch (problem) {
    if (codeOf(problem) !== "not_authorised") throw problem;
    return { title: "No role", place: "inbox", content: [noRole(me)] };
  }
  watch(() => list.refresh(), { every: () => LOOK_SECONDS, signal });
  listen("decided", () => list.refresh(), signal);
  useShortcuts(
    { j: () => stepThrough(".row-title a", 1), k: () => stepThrough(".row-title a", -1) },
    signal,
  );
  const title = `${nameOf(chosen)} (${list.size})`;
  return {
    title,
    place: "inbox",
    content: [element("h1", { class: "unseen" }, title), choices(chosen, me), list.element],
  };
}

class List {
  #chosen;
  #me;
  #signal;
  /** @type {OperationRow[]} */
  #rows = [];
  /** @type {string|null} */
  #cursor = null;
  #filter;
  #items = element("ol", { class: "rows" });
  #below = element("div", { class: "below" });

  /**
   * @param {string} chosen
   * @param {{me: Me, signal: AbortSignal}} visit
   */
  constructor(chosen, { me, signal }) {
    this.#chosen = chosen;
    this.#me = me;
    this.#signal = signal;
    this.#filter = new RowFilter(kindsOf(me), () => this.#show());
    this.element = element("div", {}, this.#filter.element, this.#items, this.#below);
  }

  /** How many rows there are, as far as they were read. */
  get size() {
    return `${this.#rows.length}${this.#cursor ? "+" : ""}`;
  }

  /** Read the next page of rows, the first one at first. */
  async load() {
    const { rows, cursor } = await this.#read(this.#cursor);
    this.#rows.push(...rows);
    this.#cursor = cursor;
    this.#show();
  }

  /** Read the first page again, unless the reader has gone on to further ones. */
  async refresh() {
    if (this.#rows.length > PAGE_ROWS) return;
    const { rows, cursor } = await this.#read(null);
    if (JSON.stringify(rows) === JSON.stringify(this.#rows)) return;
    this.#rows = rows;
    this.#cursor = cursor;
    this.#show();
  }

  /** @param {string|null} cursor */
  async #read(cursor) {
    const query = new URLSearchParams({ limit: String(PAGE_ROWS) });
    if (cursor) query.set("cursor", cursor);
    if (isState(this.#chosen)) query.set("state", this.#chosen);
    const path = this.#chosen === "waiting" ? "proposals" : "operations";
    const answer = await call(`${path}?${query}`, { signal: this.#signal });
    return { rows: answer[path], cursor: answer.cursor };
  }

  async #loadMore() {
    try {
      await this.load();
    } catch (problem) {
      if (this.#signal.aborted) return;
      fill(this.#below, problemNotice(problem, { retry: () => this.#loadMore() }));
    }
  }

  #show() {
    const focused = document.activeElement?.closest(".row-title a")?.getAttribute("href");
    const shown = this.#filter.of(this.#rows);
    const mine = this.#chosen === "waiting";
    fill(
      this.#items,
      shown.map((row) => rowElement(row, this.#signal, mine)),
    );
    fill(this.#below, this.#nothing(shown), this.#more());
    /** @type {NodeListOf<HTMLAnchorElement>} */
    const links = this.#items.querySelectorAll(".row-title a");
    [...links].find((link) => link.getAttribute("href") === focused)?.focus();
  }

  /** @param {OperationRow[]} shown */
  #nothing(shown) {
    if (shown.length) return null;
    if (this.#rows.length)
      return notice(
        "info",
        "No rows match the filter.",
        button("Clear the filter", () => this.#filter.clear()),
      );
    return emptyNotice(this.#chosen, this.#me);
  }

  #more() {
    if (!this.#cursor) return null;
    const more = button("Show more", () => {
      more.disabled = true;
      return this.#loadMore();
    });
    const note =
      this.#filter.hides && ` The filter applies to the ${this.#rows.length} loaded rows.`;
    return element("p", {}, more, note);
  }
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
 * @param {string} chosen
 * @param {Me} me
 */
function emptyNotice(chosen, me) {
  const start = kindsToAskFor(me).map(({ request: { form, label } }) =>
    within({ new: form }, `Ask for ${label.toLowerCase()}`, { class: "button" }),
  );
  if (chosen !== "waiting")
    return notice(
      "info",
      EMPTY[chosen] ?? `Nothing is in the state “${stateName(chosen)}”.`,
      start,
    );
  return notice(
    "good",
    EMPTY.waiting,
    "Proposals for your roles appear here automatically. Your own requests do not, since someone else decides on them.",
    start,
  );
}

/**
 * @param {string} chosen
 * @param {Me} me
 */
function choices(chosen, me) {
  const main = [
    ...(me.may.decide ? ["waiting"] : []),
    "awaiting_approval",
    "running",
    "needs_operator",
    ...kindsOf(me).map(({ done }) => done),
    "rejected",
    "expired",
    "all",
  ];
  /** @param {string} list */
  const link = (list) =>
    within({ list }, nameOf(list), { "aria-current": list === chosen && "page" });
  const rare = element("details", { class: "more-lists", open: RARE.includes(chosen) });
  fill(rare, element("summary", {}, "More"), element("div", {}, RARE.map(link)));
  return element("nav", { class: "lists", "aria-label": "Lists" }, main.map(link), rare);
}

/** @param {string} list */
function nameOf(list) {
  return LISTS[list] ?? stateName(list);
}

/**
 * @param {URLSearchParams} query
 * @param {boolean} mayDecide
 */
function listIn(query, mayDecide) {
  const asked = query.get("list") ?? "";
  if (isState(asked) || asked === "all" || (asked === "waiting" && mayDecide)) return asked;
  return mayDecide ? "waiting" : "all";
}
