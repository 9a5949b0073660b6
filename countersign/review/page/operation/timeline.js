/** The ledger of an operation, event by event, and whether its chain of hashes holds. */

import { timeElement } from "../browser/time.js";
import { element, visible } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { isWork, sentence, workSummary } from "./happening.js";

/** @import { Ledger, LedgerEvent } from "../kind.js" */

/** @param {Ledger} history */
export function timelineElement({ events, chain }) {
  return element(
    "section",
    { class: "card timeline-card", "aria-labelledby": "timeline-title" },
    element("h2", { id: "timeline-title" }, "History"),
    chainElement(chain),
    element("ol", { class: "timeline" }, entryElements(events)),
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
 * The team's steps that follow each other are told together.
 *
 * @param {LedgerEvent[]} events
 */
function runs(events) {
  /** @type {LedgerEvent[][]} */
  const together = [];
  for (const event of events) {
    const last = together.at(-1);
    if (last && isWork(event) && isWork(last[0])) last.push(event);
    else together.push([event]);
  }
  return together;
}

/** @param {LedgerEvent[]} events */
function entryElements(events) {
  const kind = events[0]?.data.kind;
  return runs(events).map((run) => runElement(run, kind));
}

/**
 * @param {LedgerEvent[]} run
 * @param {string} kind
 */
function runElement(run, kind) {
  const entries = run.map((event) => eventElement(event, kind));
  if (!isWork(run[0])) return entries;
  const fold = element(
    "details",
    { class: "run" },
    element("summary", {}, workSummary(run, kind)),
    element("ol", { class: "timeline" }, entries),
  );
  return element("li", { class: "quiet" }, timeElement(run[0].at), fold);
}

/**
 * @param {LedgerEvent} event
 * @param {string} kind
 */
function eventElement(event, kind) {
  const raw = element("pre", { tabindex: 0 }, visible(JSON.stringify(event, null, 2)));
  return element(
    "li",
    { "data-type": event.type },
    timeElement(event.at),
    element("details", { class: "raw" }, element("summary", {}, sentence(event, kind)), raw),
  );
}
