/** The ledger of an operation, event by event, and whether its chain of hashes holds. */

import { element, visible } from "./element.js";
import { isWork, sentence, workSummary } from "./happening.js";
import { notice } from "./notice.js";
import { timeElement } from "./time.js";

/** @param {{events: object[], chain: string}} history */
export function timelineElement({ events, chain }) {
  return element(
    "section",
    { class: "card timeline-card", "aria-labelledby": "timeline-title" },
    element("h2", { id: "timeline-title" }, "History"),
    chainElement(chain),
    element("ol", { class: "timeline" }, runs(events).map(runElement)),
  );
}

function chainElement(chain) {
  if (chain === "intact") {
    return element(
      "p",
      { class: "hint chain" },
      "The chain of hashes is intact: no entry was changed, taken out or put in.",
    );
  }
  return notice(
    "bad",
    `The chain of hashes is ${chain}.`,
    "From that entry on the history is not what was recorded. Tell whoever answers for the ledger before you rely on it.",
  );
}

/** The team's steps that follow each other are told together. */
function runs(events) {
  const together = [];
  for (const event of events) {
    const last = together.at(-1);
    if (last && isWork(event) && isWork(last[0])) last.push(event);
    else together.push([event]);
  }
  return together;
}

function runElement(run) {
  if (!isWork(run[0])) return eventElement(run[0]);
  const fold = element(
    "details",
    { class: "run" },
    element("summary", {}, workSummary(run)),
    element("ol", { class: "timeline" }, run.map(eventElement)),
  );
  return element("li", { class: "quiet" }, timeElement(run[0].at), fold);
}

function eventElement(event) {
  const raw = element("pre", { tabindex: 0 }, visible(JSON.stringify(event, null, 2)));
  return element(
    "li",
    { "data-type": event.type },
    timeElement(event.at),
    element("details", { class: "raw" }, element("summary", {}, sentence(event)), raw),
  );
}
