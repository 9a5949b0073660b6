/** The ledger of an operation, event by event, and whether its chain of hashes holds. */

import { timeElement, timeWithSeconds } from "../browser/time.js";
import { element, visible, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { isWork, sentenceOf, workSummary } from "./happening.js";

/**
 * @import { OperationView } from "../api.js"
 * @import { Ledger, LedgerEvent } from "../kind.js"
 */

/**
 * @param {Ledger} history
 * @param {OperationView} operation
 */
export function timelineElement({ events, chain }, operation) {
  return element(
    "section",
    { class: "card timeline-card", "aria-labelledby": "timeline-title" },
    element("h2", { id: "timeline-title" }, "History"),
    chainElement(chain),
    element("ol", { class: "timeline" }, entryElements(events, operation)),
  );
}

/** @param {string} chain */
function chainElement(chain) {
  if (chain === "intact") {
    return element(
      "p",
      { class: "hint chain" },
      "The history is intact: no entry was changed, removed or added.",
    );
  }
  return notice(
    "bad",
    `The history is ${chain}.`,
    "From that entry on, the history differs from what was recorded. Tell the person responsible for the ledger before you rely on it.",
  );
}

/**
 * The team's steps that follow each other are told together, and so is what somebody did at once.
 *
 * @param {LedgerEvent[]} events
 */
function runs(events) {
  /** @type {LedgerEvent[][]} */
  const together = [];
  for (const event of events) {
    const last = together.at(-1);
    if (last && (isWork(last[0]) ? isWork(event) : isOneAct(last[0], event))) last.push(event);
    else together.push([event]);
  }
  return together;
}

/**
 * @param {LedgerEvent} first
 * @param {LedgerEvent} next
 */
function isOneAct(first, next) {
  return !isWork(next) && first.at === next.at && first.actor?.id === next.actor?.id;
}

/**
 * @param {LedgerEvent[]} events
 * @param {OperationView} operation
 */
function entryElements(events, operation) {
  const kind = events[0]?.data.kind;
  return runs(events).map((run) => runElement(run, kind, operation));
}

/**
 * @param {LedgerEvent[]} run
 * @param {string} kind
 * @param {OperationView} operation
 */
function runElement(run, kind, operation) {
  if (!isWork(run[0])) return actElement(run, kind, operation);
  const entries = run.map((event) => actElement([event], kind, operation));
  const fold = element(
    "details",
    { class: "run" },
    element("summary", {}, workSummary(run, kind)),
    element("ol", { class: "timeline" }, entries),
  );
  return element("li", { class: "quiet" }, timeElement(run[0].at, timeWithSeconds), fold);
}

/**
 * What somebody did at one moment, with the version that it is about.
 *
 * @param {LedgerEvent[]} act
 * @param {string} kind
 * @param {OperationView} operation
 */
function actElement(act, kind, operation) {
  const [{ type, at }] = act;
  const recorded = act.map((event) => JSON.stringify(event, null, 2)).join("\n");
  const raw = element("pre", { tabindex: 0 }, visible(recorded));
  const versions = new Set(act.map(({ data }) => data?.version).filter(Boolean));
  return element(
    "li",
    { "data-type": type },
    element(
      "p",
      { class: "act-when" },
      timeElement(at, timeWithSeconds),
      operation.may.read === true &&
        [...versions].map((version) =>
          within({ operation: operation.operation_id, version }, `Version ${version}`),
        ),
    ),
    element("details", { class: "raw" }, element("summary", {}, sentenceOf(act, kind)), raw),
  );
}
