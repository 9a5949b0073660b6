/** One operation in a list. */

import { timeElement } from "../browser/time.js";
import { countdown } from "../elements/countdown.js";
import { count, element, foreign, visible, within } from "../elements/element.js";
import { isKnown, kindOf } from "../words/kinds.js";
import { roleName, spelled, stageName, stateName } from "../words/words.js";

/**
 * @import { OperationRow } from "../api.js"
 * @import { Query } from "../elements/element.js"
 */

/**
 * @param {OperationRow} row as the API lists it
 * @param {AbortSignal} signal ends its countdown
 * @param {boolean} mine whether it waits for the reader, who then goes straight to the proposal
 */
export function rowElement(row, signal, mine) {
  /** @type {Query} */
  const target = { operation: row.operation_id };
  if (mine && row.version) target.version = row.version;
  return element(
    "li",
    { class: "row", "data-state": row.state },
    element("div", { class: "row-what" }, title(row, target), asked(row), consequence(row, mine)),
    element(
      "div",
      { class: "row-when" },
      row.amount && element("p", { class: "amount" }, visible(row.amount)),
      time(row, signal),
      element("p", { class: "hint" }, facts(row)),
    ),
  );
}

/**
 * @param {OperationRow} row
 * @param {Query} target
 */
function title(row, target) {
  return element("h2", { class: "row-title" }, within(target, foreign(row.title)));
}

/** @param {OperationRow} row */
function asked(row) {
  return element(
    "p",
    { class: "hint" },
    foreign(row.requester, "span", { class: "who" }),
    " asked ",
    timeElement(row.created_at),
    row.state === "running" ? ` · ${stageOf(row)}` : "",
  );
}

/**
 * @param {OperationRow} row
 * @param {boolean} mine
 */
function consequence(row, mine) {
  if (!mine || !row.consequence) return null;
  const label = element("span", { class: "hint" }, "On approval: ");
  return element("p", { class: "consequence" }, label, visible(row.consequence));
}

/**
 * @param {OperationRow} row
 * @param {AbortSignal} signal
 */
function time(row, signal) {
  const { state, expires_at: until } = row;
  if (state === "awaiting_approval" && until) return element("p", {}, countdown(until, { signal }));
  const badge = element("span", { class: "badge", "data-state": row.state }, stateName(row.state));
  return element("p", {}, badge);
}

/** @param {OperationRow} row */
function facts(row) {
  const waits = row.state === "awaiting_approval";
  return [
    waits && row.expires_at && ["by ", timeElement(row.expires_at)],
    !waits && ["since ", timeElement(row.updated_at)],
    row.cause && spelled(row.cause),
    row.version && `version ${row.version}`,
    waits && row.required_role && roleName(row.required_role),
    kindOf(row.kind).team && count(row.tokens, "token"),
    !isKnown(row.kind) && kindOf(row.kind).name,
  ]
    .filter(Boolean)
    .flatMap((fact, place) => (place ? [" · ", fact] : [fact]));
}

/** @param {OperationRow} row */
function stageOf({ stage, kind, progress }) {
  const words = stageName({ stage, kind });
  return progress?.total ? `${words} (${progress.done} of ${progress.total})` : words;
}
