/**
 * What is on record about the end of an operation: that people approved it, and that it was done.
 *
 * They are two records, since either can be there without the other: a decision stands whatever
 * became of it, and only the destination can tell what it took.
 */

import { timeElement, timeWithSeconds } from "../browser/time.js";
import { element, external, foreign, isWeb, visible, within } from "../elements/element.js";
import { decisionsAbout } from "../proposal/review.js";
import { kindOf } from "../words/kinds.js";
import { rolesInWords, spelled } from "../words/words.js";

/**
 * @import { OperationView, OutcomeView, ReceiptView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { LedgerEvent, ReceiptFact } from "../kind.js"
 * @import { DecisionEvent } from "../proposal/review.js"
 */

/**
 * The version that was approved; undefined as long as none is.
 *
 * @param {LedgerEvent[]} events
 */
export function approvedVersion(events) {
  return events.find(({ type }) => type === "ProposalApproved")?.data.version;
}

/**
 * @param {OperationView} operation
 * @param {LedgerEvent[]} events
 * @returns {HTMLElement[]} none as long as nothing is approved
 */
export function recordElements({ operation_id: id, receipt, outcome, kind }, events) {
  const version = approvedVersion(events);
  if (!version) return [];
  return [
    decisionElement(id, version, events),
    receipt ? receiptElement(receipt, kind) : noReceiptElement(outcome, kind),
  ];
}

/**
 * @param {string} id
 * @param {number} version
 * @param {LedgerEvent[]} events
 */
function decisionElement(id, version, events) {
  const digest = events.find(isOpeningOf(version))?.data.digest;
  const approvals = decisionsAbout(events, version).filter(
    ({ data }) => data.decision === "approve",
  );
  return card(
    "decision",
    "The decision",
    element(
      "p",
      {},
      within({ operation: id, version }, `Version ${version}`),
      " was approved, with the digest ",
      element("code", {}, visible(digest)),
    ),
    element("ol", { class: "approved-by" }, approvals.map(approvalElement)),
  );
}

/** @param {DecisionEvent} event */
function approvalElement({ actor, at, sequence, data }) {
  return element(
    "li",
    {},
    foreign(actor.name, "strong"),
    data.roles?.length ? ` as ${rolesInWords(data.roles)}, ` : ", ",
    timeElement(at, timeWithSeconds),
    `, entry ${sequence} of the history`,
  );
}

/**
 * @param {ReceiptView} receipt
 * @param {string} kind
 */
function receiptElement(receipt, kind) {
  const told = kindOf(kind).receipt ?? namesOf(receipt);
  const values = new Map(Object.entries(receipt));
  const rows = Object.entries(told).map(([name, { name: label, value }]) => [
    element("dt", {}, label),
    element("dd", {}, value ? value(receipt) : valueElement(name, values.get(name))),
  ]);
  const facts = element("dl", { class: "receipt-facts" }, rows);
  return card("receipt", "Receipt of the destination", facts);
}

/** @type {Record<string, string>} */
const NAMES = { sha256: "SHA-256" };

/**
 * @param {ReceiptView} receipt
 * @returns {Record<string, ReceiptFact>}
 */
function namesOf(receipt) {
  return Object.fromEntries(
    Object.keys(receipt).map((name) => [name, { name: NAMES[name] ?? spelled(name) }]),
  );
}

/**
 * @param {OutcomeView|null} outcome
 * @param {string} kind
 */
function noReceiptElement(outcome, kind) {
  const { done } = kindOf(kind);
  const said = outcome
    ? "The destination sent none."
    : `There is none yet: the approved version is being ${done}.`;
  return card("receipt", "Receipt of the destination", element("p", { class: "hint" }, said));
}

/**
 * @param {string} id
 * @param {string} title
 * @param {...Child} content
 */
function card(id, title, ...content) {
  return element(
    "section",
    { class: "card record", "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title),
    content,
  );
}

/**
 * @param {number} version
 * @returns {(event: LedgerEvent) => boolean}
 */
function isOpeningOf(version) {
  return ({ type, data }) => type === "ProposalOpened" && data.version === version;
}

/**
 * @param {string} name
 * @param {string|number|null|undefined} value
 */
function valueElement(name, value) {
  if (typeof value === "number") return `${value.toLocaleString("en")} bytes`;
  if (name.endsWith("_at")) return timeElement(value ?? null, timeWithSeconds);
  if (isWeb(value)) return external(String(value));
  return foreign(value, name.startsWith("sha") ? "code" : "bdi");
}
