/** How an operation stands, and what that means. */

import { timeElement } from "../browser/time.js";
import { countdown } from "../elements/countdown.js";
import { count, element, foreign, visible, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { wayBack } from "../proposal/heading.js";
import { isKnown, kindOf, unknownInWords } from "../words/kinds.js";
import { eitherRole, endInWords, stageName, stateName } from "../words/words.js";
import { holdElement } from "./hold.js";
import { underWayElement } from "./under-way.js";

/**
 * @import { OperationView, OutcomeView, ProposalSummary } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { NoticeKind } from "../elements/notice.js"
 * @import { State } from "../kind.js"
 * @import { HoldOptions } from "./hold.js"
 */

/** @type {Partial<Record<State, NoticeKind>>} */
const TONES = {
  rejected: "bad",
  failed: "bad",
  write_unknown: "bad",
};

/**
 * @param {OperationView} operation
 * @param {{list: Query, isPart?: boolean}} way the list that it was reached from, and whether it
 *   stands beside that
 */
export function headElements(operation, { list, isPart }) {
  return [
    element(
      "p",
      { class: "crumbs" },
      isPart
        ? within({ operation: operation.operation_id, ...list }, "Open on its own page")
        : wayBack(list, operation.operation_id),
    ),
    element(isPart ? "h2" : "h1", {}, foreign(operation.title)),
    !isKnown(operation.kind) && notice("warn", unknownInWords(operation.kind)),
    element(
      "p",
      { class: "hint" },
      `${kindOf(operation.kind).name}, requested by `,
      foreign(operation.requester),
      " ",
      timeElement(operation.created_at),
      " · ",
      element("code", {}, visible(operation.operation_id)),
    ),
  ];
}

/**
 * How an operation stands: in work, waiting for people, or ended.
 *
 * @param {OperationView} operation as the API shows it
 * @param {AbortSignal} signal ends its countdown
 * @param {HoldOptions} options
 */
export function statusElement(operation, signal, options) {
  const { state, outcome, proposal, hold } = operation;
  if (outcome) return endElement(operation, outcome);
  if (state === "awaiting_approval" && proposal) return waitingElement(operation, proposal, signal);
  if (state === "needs_operator" && hold) return holdElement(operation, hold, options);
  return progressElement(operation, options);
}

/**
 * @param {OperationView} operation
 * @param {OutcomeView} end
 */
function endElement({ operation_id: id, kind }, { as: outcome, reason }) {
  return notice(
    outcome === kindOf(kind).done ? "good" : (TONES[outcome] ?? "info"),
    stateName(outcome),
    endInWords(outcome, kind),
    reason ? [" ", foreign(reason)] : "",
    kindOf(kind).afterEnd?.(outcome, id),
  );
}

/**
 * @param {OperationView} operation
 * @param {ProposalSummary} proposal
 * @param {AbortSignal} signal
 */
function waitingElement({ operation_id: id, consequence, may }, proposal, signal) {
  const { version, awaited_roles: roles, expires_at: until } = proposal;
  return notice(
    "wait",
    [`Version ${version} waits for a ${eitherRole(roles)}: `, countdown(until, { signal })],
    element("span", {}, "By ", timeElement(until), ". On approval: ", visible(consequence)),
    may.read === true &&
      within({ operation: id, version }, `Open version ${version}`, { class: "button primary" }),
  );
}

/**
 * @param {OperationView} operation
 * @param {HoldOptions} options
 */
function progressElement(operation, options) {
  const { progress, proposal, hold, operation_id: id } = operation;
  const known = progress.total > 0 && !proposal;
  const bar = element("progress", {
    id: "progress",
    max: progress.total || 1,
    value: known ? progress.done : null,
  });
  const words = known ? `${progress.done} of ${progress.total} subtopics` : "";
  return element(
    "section",
    { class: "card progress" },
    element(
      "p",
      {},
      element(
        "label",
        { for: "progress" },
        `${kindOf(operation.kind).worker} is ${stageName(operation)}`,
      ),
      element("span", { class: "hint" }, words),
    ),
    bar,
    underWayElement(operation.under_way),
    hold && holdElement(operation, hold, options),
    proposal &&
      element(
        "p",
        {},
        within({ operation: id, version: proposal.version }, `Look at version ${proposal.version}`),
      ),
  );
}

/** @param {OperationView} operation */
export function usageElement({ kind, usage }) {
  if (!usage || !kindOf(kind).team) return null;
  const share = Math.ceil((100 * usage.tokens) / usage.limit);
  const words = `${count(usage.tokens, "model token")} used, ${share} % of its limit.`;
  return element("p", { class: "hint" }, words);
}
