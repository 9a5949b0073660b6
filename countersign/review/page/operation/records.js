/**
 * What is on record about the end of an operation: that people approved it, and that it was done.
 *
 * They are two records, since either can be there without the other: a decision stands whatever
 * became of it, and only the destination can tell what it took.
 */

import { element, external, foreign, isWeb, visible, within } from "../elements/element.js";
import { kindOf } from "../words/kinds.js";
import { decisionsAbout } from "../proposal/review.js";
import { exactTime, timeElement } from "../browser/time.js";
import { rolesInWords, spelled } from "../words/words.js";

/** The version that was approved; undefined as long as none is. */
export function approvedVersion(events) {
  return events.find(({ type }) => type === "ProposalApproved")?.data.version;
}

/** @returns {HTMLElement[]} none as long as nothing is approved */
export function recordElements({ operation_id: id, receipt, outcome, kind }, events) {
  const version = approvedVersion(events);
  if (!version) return [];
  return [
    decisionElement(id, version, events),
    receipt ? receiptElement(receipt, kind) : noReceiptElement(outcome, kind),
  ];
}

function decisionElement(id, version, events) {
  const { digest } = events.find(isOpeningOf(version)).data;
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

function approvalElement({ actor, at, sequence, data }) {
  return element(
    "li",
    {},
    foreign(actor.name, "strong"),
    data.roles?.length ? ` as ${rolesInWords(data.roles)}, ` : ", ",
    timeElement(at, exactTime),
    `, entry ${sequence} of the ledger`,
  );
}

function receiptElement(receipt, kind) {
  const told = kindOf(kind).receipt ?? namesOf(receipt);
  const rows = Object.entries(told).map(([name, { name: label, value }]) => [
    element("dt", {}, label),
    element("dd", {}, value ? value(receipt) : valueElement(name, receipt[name])),
  ]);
  const facts = element("dl", { class: "receipt-facts" }, rows);
  return card("receipt", "Receipt of the destination", facts);
}

function namesOf(receipt) {
  return Object.fromEntries(Object.keys(receipt).map((name) => [name, { name: spelled(name) }]));
}

function noReceiptElement(outcome, kind) {
  const { done } = kindOf(kind);
  const said = outcome
    ? "The destination gave none."
    : `There is none yet: what was approved is being ${done}.`;
  return card("receipt", "Receipt of the destination", element("p", { class: "hint" }, said));
}

function card(id, title, ...content) {
  return element(
    "section",
    { class: "card record", "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title),
    content,
  );
}

function isOpeningOf(version) {
  return ({ type, data }) => type === "ProposalOpened" && data.version === version;
}

function valueElement(name, value) {
  if (name.endsWith("_at")) return timeElement(value, exactTime);
  if (name === "size") return `${value.toLocaleString("en")} bytes`;
  if (isWeb(value)) return external(value);
  return foreign(value, name.startsWith("sha") ? "code" : "bdi");
}
