/** The API's closed sets in plain words. */

import { visible } from "./element.js";

export const STATES = {
  running: "In work",
  needs_operator: "Needs an operator",
  awaiting_approval: "Awaiting a decision",
  published: "Published",
  ordered: "Ordered",
  rejected: "Rejected",
  expired: "Expired",
  withdrawn: "Withdrawn",
  needs_revision: "Sources don't carry it",
  needs_owner: "Needs an owner",
  over_budget: "Over budget",
  write_unknown: "Write unknown",
  failed: "Failed",
};

/** What each end means, and what can be done about it; `endInWords` adds what sets kinds apart. */
export const ENDS = {
  published: "It was approved, written once, and the destination confirmed it.",
  ordered: "It was approved, ordered once, and the purchasing system confirmed it.",
  rejected: "Somebody who was asked to approve it rejected it.",
  expired: "It was not decided in time, by those asked first or by those asked next.",
  withdrawn: "Its requester took it back before anything was written.",
  needs_revision:
    "The sources do not carry a report on this topic. Try a narrower topic, or add documents.",
  needs_owner:
    "Its last version was sent back too. A person who owns the matter has to take it up.",
  over_budget: "The model tokens of this operation are used up.",
  write_unknown:
    "Writing was begun and the destination can't tell what became of it. A person has to look there.",
  failed: "The work could not be done, or an operator ended it.",
};

export const STAGES = {
  validating: "looking the request over",
  planning: "planning the subtopics",
  researching: "researching the subtopics",
  checking: "checking the facts against the sources",
  writing: "writing the draft",
  awaiting_decision: "waiting for a reviewer",
  revising: "writing the next version",
  escalating: "passing it on to the escalation role",
  publishing: "publishing what was approved",
  ordering: "placing the order that was approved",
  closing: "closing",
  closed: "closed",
};

export const ORIGINS = {
  draft: "the team's first draft",
  revision: "rewritten by the team as a reviewer asked",
  correction: "a reviewer's own text",
  escalation: "the same text, passed on after nobody decided",
  unchanged: "the same text, as the change that was asked for could not be made",
};

const DECISIONS = {
  approve: "approved",
  reject: "rejected",
  revise: "asked for changes to",
  withdraw: "withdrew",
};

const ROLES = {
  "Report.Reviewer": "report reviewer",
  "Report.Escalation": "report escalation",
  "Research.Requester": "requester",
  "Purchase.Requester": "purchase requester",
  "Purchase.Approver": "purchase approver",
  "Purchase.Escalation": "purchase escalation",
  Auditor: "auditor",
  Operator: "operator",
};

/** A role as people say it; one that is not ours is shown as it is. */
export function roleName(role) {
  return Object.hasOwn(ROLES, role) ? ROLES[role] : visible(role);
}

export function stateName(state) {
  return STATES[state] ?? spelled(state);
}

/** "approved", for "Grace approved version 2". */
export function decided(decision) {
  return DECISIONS[decision] ?? `closed (${stateName(decision).toLowerCase()})`;
}

/** A name of code as words: "OperationStarted" and "operation_started" become "Operation started". */
export function spelled(name) {
  const words = visible(name)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A digest's first twelve digits in groups of four, which people can compare by eye. */
export function shortDigest(digest) {
  return visible(digest)
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, "$1 ");
}
