/** What to decide next: the row that follows in the list that somebody came from. */

import { keepInTab, keptInTab } from "../browser/tab.js";
import { element, fill, foreign, within } from "../elements/element.js";
import { ListQuery } from "../lists/lists.js";
import { call } from "../session/api.js";

/**
 * @import { OperationRow } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { Review } from "../kind.js"
 */

const ORDER = "order-of-list";
const MOST_ROWS = "100";

/**
 * Remember in which order a list was shown.
 *
 * @param {OperationRow[]} rows
 */
export function keepOrder(rows) {
  keepInTab(
    ORDER,
    rows.map(({ operation_id: id }) => id),
  );
}

/**
 * A link to it, as soon as it is known.
 *
 * @param {Query} list
 * @param {Review} review
 * @param {AbortSignal} signal
 */
export function nextOf(list, { id, me }, signal) {
  const next = element("div", { class: "next" });
  const parameters = new URLSearchParams(/** @type {Record<string, string>} */ (list));
  const asked = ListQuery.in(parameters, me);
  const query = asked.isOfWaiting ? asked : new ListQuery("waiting", {});
  const read = call(query.call({ limit: MOST_ROWS }), { signal });
  const link = read.then(({ proposals }) => linkTo(following(id, proposals), query));
  link.catch(() => linkTo(undefined, query)).then((found) => fill(next, found));
  return next;
}

/**
 * The first row that stood after another one, or else the first of all.
 *
 * @param {string} id
 * @param {OperationRow[]} rows
 */
function following(id, rows) {
  /** @type {string[]} */
  const order = keptInTab(ORDER) ?? [];
  const later = new Set(order.slice(order.indexOf(id) + 1));
  const others = rows.filter(({ operation_id: each }) => each !== id);
  return others.find(({ operation_id: each }) => later.has(each)) ?? others[0];
}

/**
 * @param {OperationRow|undefined} row
 * @param {ListQuery} query
 */
function linkTo(row, query) {
  if (!row)
    return within(query.query, "Back to the inbox: nothing else is pending", { class: "button" });
  const target = { operation: row.operation_id, version: row.version ?? 1, ...query.query };
  const label = element("span", {}, "Next: ", foreign(row.title));
  return within(target, label, { class: "button primary" });
}
