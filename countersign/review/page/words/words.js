/** The API's closed sets in plain words. */

import { count, visible } from "../elements/element.js";
import { kindOf, kinds } from "./kinds.js";

/** @import { EvidenceCountView } from "../api.js" */

/** @type {Record<string, string>} */
const STATES = {
  unknown: "Unknown",
  running: "In progress",
  needs_operator: "Needs an operator",
  awaiting_approval: "Pending",
  rejected: "Rejected",
  expired: "Expired",
  withdrawn: "Withdrawn",
  stopped: "Stopped",
  needs_revision: "Not enough evidence",
  needs_owner: "Too many versions",
  over_budget: "Over budget",
  write_unknown: "Unconfirmed",
  failed: "Failed",
};

/**
 * What each end means, and what can be done about it, where a kind does not say it otherwise.
 *
 * @type {Record<string, string>}
 */
const ENDS = {
  rejected: "A reviewer rejected it.",
  expired: "Nobody decided in time, and neither did the escalation role.",
  withdrawn: "The requester withdrew it before anything was written.",
  stopped: "An operator stopped it before it was approved.",
  needs_owner:
    "A reviewer requested changes to the last version. The person who owns the matter has to take over.",
  over_budget: "The operation has used all of its model tokens.",
  write_unknown:
    "The write began, but the destination cannot confirm its result. A person has to check there.",
  failed: "The work failed.",
};

/** After these ends nothing was carried out. */
const UNDONE = new Set(["rejected", "expired", "stopped", "over_budget", "failed"]);

/** @type {Record<string, string>} */
const STAGES = {
  unknown: "waiting for a version that knows its kind",
  validating: "validating the request",
  awaiting_decision: "waiting for a reviewer",
  revising: "writing the next version",
  escalating: "escalating it",
  closing: "ending the operation",
  closed: "closed",
};

/** @type {Record<string, string>} */
const DECISIONS = {
  approve: "approved",
  reject: "rejected",
  revise: "requested changes to",
  withdraw: "withdrew",
  stop: "stopped",
};

/**
 * Roles that have to do with every kind.
 *
 * @type {Record<string, string>}
 */
const ROLES = { Auditor: "auditor", Operator: "operator" };

/**
 * A role as people say it; one that is not ours is shown as it is.
 *
 * @param {string|null} role
 */
export function roleName(role) {
  const named = [ROLES, ...kinds().map(({ roles }) => roles)];
  const name = role ?? "";
  return named.find((each) => Object.hasOwn(each, name))?.[name] ?? visible(name);
}

/**
 * A sentence of the API, with the roles in it as people say them.
 *
 * @param {unknown} text
 */
export function withRoleNames(text) {
  return visible(text).replace(/\b[A-Z]\w+\.[A-Z]\w+\b/g, roleName);
}

/** @param {string[]} roles */
export function rolesInWords(roles) {
  return roles.map(roleName).join(" and ");
}

/** @param {string[]} roles */
export function eitherRole(roles) {
  return roles.map(roleName).join(" or ");
}

/**
 * What people are called, each once; where two have one name, with the end of each one's id.
 *
 * @param {{id: string, name: string}[]} people
 */
export function toldApart(people) {
  const byId = new Map(people.map(({ id, name }) => [id, name]));
  const names = [...byId.values()];
  return [...byId].map(([id, name]) =>
    names.filter((each) => each === name).length > 1 ? `${name} (…${id.slice(-6)})` : name,
  );
}

/** @param {string} name */
export function isState(name) {
  return Object.hasOwn(STATES, name) || kinds().some(({ done }) => done === name);
}

/** @param {string} state */
export function stateName(state) {
  return STATES[state] ?? spelled(state);
}

/**
 * What an end means, and what can be done about it; empty for a state that is no end.
 *
 * @param {string} state
 * @param {string} name
 */
export function endInWords(state, name) {
  const { ends, done } = kindOf(name);
  const said = ends?.[state] ?? ENDS[state] ?? "";
  return UNDONE.has(state) ? `${said} Nothing was ${done}.` : said;
}

/**
 * What goes on in a stage, after "The team is".
 *
 * @param {{stage: string, kind: string}} operation
 */
export function stageName({ stage, kind }) {
  return kindOf(kind).stages?.[stage] ?? STAGES[stage] ?? spelled(stage);
}

/**
 * Where a version comes from.
 *
 * @param {string} origin
 * @param {string} name
 */
export function originName(origin, name) {
  return kindOf(name).origins?.[origin] ?? spelled(origin).toLowerCase();
}

/**
 * "approved", for "Grace approved version 2".
 *
 * @param {string} decision
 * @param {unknown} [correction] the person's own version, if the decision was made by sending one
 */
export function decided(decision, correction) {
  if (correction) return "corrected";
  return DECISIONS[decision] ?? `closed (${stateName(decision).toLowerCase()})`;
}

/**
 * What the evidence for a version comes to, and whether nothing in it is in doubt.
 *
 * @param {EvidenceCountView} evidence
 */
export function evidenceInShort({ claims, to_check: doubtful }) {
  if (doubtful === null) return { good: false, said: "not checked" };
  if (doubtful) return { good: false, said: `${doubtful} to check` };
  return { good: claims > 0, said: count(claims, "claim") };
}

/**
 * A name of code as words: "OperationStarted" and "operation_started" become "Operation started".
 *
 * @param {string} name
 */
export function spelled(name) {
  const words = visible(name)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * A digest's first twelve digits in groups of four, which people can compare by eye.
 *
 * @param {string} digest
 */
export function shortDigest(digest) {
  return visible(digest)
    .slice(0, 12)
    .replace(/(.{4})(?=.)/g, "$1 ");
}
