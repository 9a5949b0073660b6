/** One operation in a list: two lines, with what tells whether to open it. */

import { localTime, timeElement } from "../browser/time.js";
import { countdown } from "../elements/countdown.js";
import { element, foreign, icon, visible, within } from "../elements/element.js";
import { hasDraft } from "../proposal/drafts.js";
import { isHeld } from "../proposal/outbox.js";
import { isKnown, kindOf } from "../words/kinds.js";
import {
  decided,
  eitherRole,
  evidenceInShort,
  originName,
  spelled,
  stageName,
  stateName,
} from "../words/words.js";
import { snoozeMark } from "./snooze.js";

/**
 * @import { EvidenceCountView, Me, OperationRow } from "../api.js"
 * @import { Query } from "../elements/element.js"
 */

/**
 * @typedef {object} RowOptions
 * @property {AbortSignal} signal ends its countdown
 * @property {Me} me
 * @property {boolean} waits whether it waits for the reader, who then goes straight to the proposal
 * @property {boolean} isNew whether it came while the list was shown
 * @property {Query} list the list that it is on, for the way back
 * @property {boolean} isSelected
 */

/**
 * @param {OperationRow} row as the API lists it
 * @param {RowOptions} options
 */
export function rowElement(row, { signal, me, waits, isNew, list, isSelected }) {
  return element(
    "li",
    { class: "row", "data-state": row.state, "data-operation": row.operation_id },
    element(
      "span",
      { class: "row-kind" },
      waits && selector(row, isSelected),
      icon(kindOf(row.kind).icon ?? "file"),
    ),
    element(
      "h2",
      { class: "row-title" },
      within({ ...targetOf(row, waits), ...list }, foreign(row.title)),
    ),
    element("span", { class: "row-amount" }, row.amount && visible(row.amount)),
    element("span", { class: "row-when" }, time(row, signal)),
    element("p", { class: "row-facts" }, facts(row, me)),
    element("span", { class: "row-marks" }, marks(row, me, isNew)),
  );
}

/**
 * @param {OperationRow} row
 * @param {boolean} isSelected
 */
function selector({ title }, isSelected) {
  const label = `Select “${visible(title)}”`;
  const box = element("input", { type: "checkbox", class: "row-select", "aria-label": label });
  box.checked = isSelected;
  return box;
}

/**
 * What a row leads to.
 *
 * @param {Pick<OperationRow, "operation_id"|"version">} row
 * @param {boolean} waits
 * @returns {Query}
 */
export function targetOf(row, waits) {
  const operation = row.operation_id;
  return waits && row.version ? { operation, version: row.version } : { operation };
}

/**
 * @param {OperationRow} row
 * @param {AbortSignal} signal
 */
function time(row, signal) {
  const { state, expires_at: until } = row;
  if (state === "awaiting_approval" && until) {
    const left = countdown(until, { signal });
    left.title = `Decide by ${localTime(until)}`;
    return left;
  }
  return element("span", { class: "badge", "data-state": row.state }, stateName(row.state));
}

/**
 * @param {OperationRow} row
 * @param {Me} me
 */
function facts(row, me) {
  const waits = row.state === "awaiting_approval";
  const partly = waits && row.approvals_needed > 1;
  return [
    waits && row.evidence && evidence(row.evidence),
    foreign(row.requester, "span", { class: "who" }),
    timeElement(row.created_at),
    row.state === "running" && stageOf(row),
    row.version && row.version > 1 && `version ${row.version}`,
    waits && row.origin && row.origin !== "draft" && originName(row.origin, row.kind),
    partly && `${row.approvals_given} of ${row.approvals_needed} approved`,
    waits && severalRoles(me) && eitherRole(row.awaited_roles),
    row.cause && spelled(row.cause),
    !waits && lastDecision(row),
    !isKnown(row.kind) && kindOf(row.kind).name,
  ]
    .filter(Boolean)
    .flatMap((fact, place) => (place ? [" · ", fact] : [fact]));
}

/** @param {EvidenceCountView} count */
function evidence(count) {
  const { good, said } = evidenceInShort(count);
  const content = [icon(good ? "check" : "alert"), said];
  return element("span", { class: "row-evidence", "data-state": good ? "good" : "bad" }, content);
}

/** @param {Me} me */
function severalRoles({ roles, may }) {
  return !may.decide || roles.length > 1;
}

/** @param {OperationRow} row */
function lastDecision({ decided_by: all }) {
  const last = [...all].sort((one, other) => one.at.localeCompare(other.at)).at(-1);
  if (!last) return null;
  const what = ` ${decided(last.decision)} version ${last.version} `;
  return element("span", {}, foreign(last.name), what, timeElement(last.at));
}

/**
 * @param {OperationRow} row
 * @param {Me} me
 * @param {boolean} isNew
 */
function marks(row, me, isNew) {
  const { operation_id: id, version } = row;
  return [
    snoozeMark(me.id, row),
    isHeld(id, version ?? 0)
      ? element("span", { class: "mark" }, "About to be sent")
      : hasDraft(me.id, id, version ?? 0) && element("span", { class: "mark" }, "Draft begun"),
    isNew && element("span", { class: "mark new" }, "New"),
  ];
}

/** @param {OperationRow} row */
function stageOf({ stage, kind, progress }) {
  const words = stageName({ stage, kind });
  return progress?.total ? `${words} (${progress.done} of ${progress.total})` : words;
}
