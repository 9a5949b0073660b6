/** Every version that there was, what became of it, and how the operation ended by whom and why. */

import { timeElement } from "../browser/time.js";
import { element, within } from "../elements/element.js";
import { originName } from "../words/words.js";
import { sentenceOf } from "./happening.js";

/**
 * @import { OperationView } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { LedgerEvent } from "../kind.js"
 */

/** What people, or the passing of time, make of a version. */
const FATES = new Set([
  "DecisionRecorded",
  "ApprovalTakenBack",
  "ProposalExpired",
  "ReceiptRecorded",
  "RevisionFailed",
]);

/** What an operation ends by, before it is closed. */
const ENDS = new Set([
  "DecisionRecorded",
  "ProposalExpired",
  "OperationWithdrawn",
  "OperationStopped",
  "WriteRefused",
]);

/**
 * The last act of an ended operation: by whom, when and why; null if nobody ended it.
 *
 * @param {LedgerEvent[]} events
 * @param {string} kind
 */
export function lastAct(events, kind) {
  const last = events.filter(({ type }) => ENDS.has(type)).at(-1);
  return last ? element("p", { class: "last-act" }, act(last, kind)) : null;
}

/**
 * The versions with links to their texts, the newest first.
 *
 * @param {OperationView} operation
 * @param {LedgerEvent[]} events
 * @param {Query} list the list that the operation was reached from
 */
export function versionsElement({ operation_id: id, kind, may }, events, list) {
  /** @param {number} version */
  const named = (version) =>
    may.read === true
      ? within({ operation: id, version, ...list }, `Version ${version}`)
      : `Version ${version}`;
  const opened = events.filter(({ type }) => type === "ProposalOpened").reverse();
  if (!opened.length) return null;
  const items = opened.map(({ at, data }) =>
    element(
      "li",
      {},
      element(
        "p",
        {},
        named(data.version),
        element("span", { class: "hint" }, `, ${originName(data.origin, kind)}, `, timeElement(at)),
      ),
      events.filter(isFateOf(data.version)).map((event) => element("p", {}, act(event, kind))),
    ),
  );
  return element(
    "section",
    { class: "card", "aria-labelledby": "versions-title" },
    element("h2", { id: "versions-title" }, "Versions"),
    element("ol", { class: "all-versions" }, items),
  );
}

/**
 * @param {number} version
 * @returns {(event: LedgerEvent) => boolean}
 */
function isFateOf(version) {
  return ({ type, data }) => FATES.has(type) && data.version === version;
}

/**
 * @param {LedgerEvent} event
 * @param {string} kind
 */
function act(event, kind) {
  return [
    sentenceOf([event], kind),
    " ",
    element("span", { class: "hint" }, timeElement(event.at)),
  ];
}
