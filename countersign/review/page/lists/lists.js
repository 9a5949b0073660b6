/** The lists of operations: what each is called, what it asks the API for, and its address. */

import { kindsOf } from "../words/kinds.js";
import { isState, stateName } from "../words/words.js";

/**
 * @import { Rights } from "../session/ahead.js"
 * @import { Query } from "../elements/element.js"
 */

/** What an address says of a list besides its name, each as the API calls it. */
const FILTERS = [
  "text",
  "kind",
  "role",
  "requester",
  "sort",
  "amount_from",
  "amount_to",
  "asked_from",
  "asked_to",
  "decided_from",
  "decided_to",
];

/** What an address says for a filter that would be preset, and is not wanted. */
export const ANY = "any";

/** The days that an address names begin and end where the reader is. */
const DAY_STARTS = ["asked_from", "decided_from"];
const DAY_ENDS = ["asked_to", "decided_to"];

/**
 * @typedef {object} SavedList
 * @property {string} name
 * @property {string} empty what to say if nothing is on it
 * @property {"proposals"|"operations"} path
 * @property {() => Record<string, string>} asks
 */

/** @type {Record<string, SavedList>} */
const SAVED = {
  waiting: {
    name: "Waiting for me",
    empty: "Nothing needs your decision.",
    path: "proposals",
    asks: () => ({}),
  },
  today: {
    name: "Due today",
    empty: "Nothing that waits for you is due today.",
    path: "proposals",
    asks: () => ({ due_to: endOfDay(new Date()) }),
  },
  large: {
    name: "Over the first limit",
    empty: "Nothing that waits for you takes more than one person.",
    path: "proposals",
    asks: () => ({ approvals_from: "2" }),
  },
  mine: {
    name: "Mine",
    empty: "You have requested nothing yet.",
    path: "operations",
    asks: () => ({ requester: "me" }),
  },
  decided: {
    name: "I decided",
    empty: "You have decided nothing yet.",
    path: "operations",
    asks: () => ({ decider: "me", sort: "decided" }),
  },
  all: {
    name: "All",
    empty: "There are no requests yet.",
    path: "operations",
    asks: () => ({}),
  },
};

/** @type {Record<string, string>} */
const EMPTY = {
  running: "Nothing is in progress.",
  needs_operator: "Nothing needs an operator.",
  awaiting_approval: "Nothing is pending.",
};

/** Lists that few people look at often. */
const RARE = [
  "withdrawn",
  "stopped",
  "needs_revision",
  "needs_owner",
  "over_budget",
  "write_unknown",
  "failed",
];

/**
 * The lists that a person has: those at hand, and the states to choose from.
 *
 * @param {Rights} me
 */
export function listsOf(me) {
  const { may } = me;
  const asks = may.request || may.purchase;
  const saved = [
    ...(may.decide ? ["waiting", "today", "large"] : []),
    ...(asks ? ["mine"] : []),
    ...(may.decide ? ["decided"] : []),
  ];
  const done = kindsOf(me).map((kind) => kind.done);
  const states = ["awaiting_approval", "running", "needs_operator", ...done, "rejected", "expired"];
  return { saved: [...saved, "all"], states: [...states, ...RARE] };
}

/**
 * Whether it holds what many people asked for and decided.
 *
 * @param {string} list
 */
function isOfMany(list) {
  return SAVED[list]?.path !== "proposals" && !["mine", "decided"].includes(list);
}

/** @param {string} list */
export function listName(list) {
  return SAVED[list]?.name ?? stateName(list);
}

/** @param {string} list */
export function emptyInWords(list) {
  return SAVED[list]?.empty ?? EMPTY[list] ?? `Nothing is in the state “${stateName(list)}”.`;
}

/** One list as an address tells of it: its name and its filters. */
export class ListQuery {
  /**
   * @param {string} list
   * @param {Record<string, string>} filters
   */
  constructor(list, filters) {
    this.list = list;
    this.filters = filters;
  }

  /**
   * What an address says; without a word of a list, the one that a person looks at first.
   *
   * @param {URLSearchParams} query
   * @param {Rights} me
   */
  static in(query, me) {
    const asked = query.get("list") ?? "";
    const { saved } = listsOf(me);
    const known = saved.includes(asked) || isState(asked);
    const list = known ? asked : saved[0];
    const named = FILTERS.filter((name) => query.get(name));
    const filters = Object.fromEntries(named.map((name) => [name, query.get(name) ?? ""]));
    const own = kindsOf(me);
    // The kinds that a person has nothing to do with are there on request.
    /** @type {Record<string, string>} */
    const preset = isOfMany(list) && own.length === 1 ? { kind: own[0].kind } : {};
    return new ListQuery(list, { ...preset, ...filters });
  }

  /** Whether it is of what waits for the reader. */
  get isOfWaiting() {
    return this.path === "proposals";
  }

  get path() {
    return SAVED[this.list]?.path ?? "operations";
  }

  /** Whether anything narrows it down; a kind that may be preset does not count. */
  get isFiltered() {
    const { sort, kind, ...others } = this.filters;
    const isOfKind = kind && kind !== ANY && !isOfMany(this.list);
    return Boolean(isOfKind) || Object.keys(others).length > 0;
  }

  /**
   * The filters and the order in force, a saved list's own among them.
   *
   * @returns {Record<string, string>}
   */
  get inForce() {
    return { ...SAVED[this.list]?.asks(), ...this.filters };
  }

  /**
   * The same list with other filters; an empty one is none.
   *
   * @param {Record<string, string>} changes
   */
  with(changes) {
    const filters = Object.entries({ ...this.filters, ...changes }).filter(([, value]) => value);
    return new ListQuery(this.list, Object.fromEntries(filters));
  }

  /**
   * What the page's address says for it.
   *
   * @returns {Query}
   */
  get query() {
    return { list: this.list, ...this.filters };
  }

  /**
   * The path and query of the API's call.
   *
   * @param {Record<string, string>} page
   */
  call(page) {
    /** @type {Record<string, string>} */
    const asked = SAVED[this.list]?.asks() ?? { state: this.list };
    const wanted = { ...asked, ...page };
    for (const [name, value] of Object.entries(this.filters)) {
      if (value === ANY) continue;
      // A saved list's own limits stand.
      if (name === "sort" || !(name in asked)) wanted[name] = moment(name, value);
    }
    return `${this.path}?${new URLSearchParams(wanted)}`;
  }
}

/**
 * Only what an address says of the list that a view was reached from.
 *
 * @param {URLSearchParams} query
 * @returns {Query}
 */
export function listIn(query) {
  const names = ["list", ...FILTERS].filter((name) => query.get(name));
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]));
}

/**
 * @param {string} name
 * @param {string} value
 */
function moment(name, value) {
  const day = new Date(`${value}T00:00`);
  if (Number.isNaN(day.getTime())) return value;
  if (DAY_STARTS.includes(name)) return day.toISOString();
  return DAY_ENDS.includes(name) ? endOfDay(day) : value;
}

/** @param {Date} day */
function endOfDay(day) {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate(), 23, 59, 59, 999).toISOString();
}
