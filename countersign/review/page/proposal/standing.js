/** Where a version stands, and whether the reader may decide about it. */

import { timeElement } from "../browser/time.js";
import { foreign, visible, within } from "../elements/element.js";
import { isKnown, kindOf, unknownInWords } from "../words/kinds.js";
import {
  decided,
  endInWords,
  roleName,
  stateName,
  toldApart,
  withRoleNames,
} from "../words/words.js";
import { OWN_CORRECTION, stillNeeded } from "./approvals.js";
import { ownerFollows } from "./choices.js";
import { decisionsAbout, ownDecision } from "./review.js";

/**
 * @import { VersionView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { NoticeKind } from "../elements/notice.js"
 * @import { Review, Status } from "../kind.js"
 * @import { DecisionEvent } from "./review.js"
 */

/**
 * Nothing to decide, and what a notice says of it.
 *
 * @typedef {{may: false, kind: NoticeKind, say: Child, next: Child[]}} Shut
 */

/**
 * @param {Review} review
 * @returns {{may: true, note: string}|Shut} `note` is what to know before deciding
 */
export function standing(review) {
  const { status } = review.proposal;
  if (status !== "pending") return (ENDED[status] ?? unknown)(review);
  if (review.operation.outcome) return ended(review);
  return own(review) ?? { may: true, note: correctorsNote(review) };
}

/**
 * Why a person can't decide about a pending version; null if they can.
 *
 * @param {Review} review
 */
function own(review) {
  const { me, proposal } = review;
  const mine = ownDecision(review);
  if (mine) return decidedAlready(review, mine);
  if (!isKnown(proposal.kind))
    return shut("info", unknownInWords(proposal.kind), "So you cannot decide on it here.");
  const { approve } = proposal.may.decide;
  if (approve === true) return null;
  if (isOwn(proposal))
    return shut("info", "You requested this yourself, so someone else has to decide.");
  const held = me.roles.length
    ? `Your roles: ${me.roles.map(roleName).join(", ")}.`
    : "You have no role in this app.";
  return shut("info", withRoleNames(approve.detail), approve.code === "not_authorised" ? held : "");
}

/**
 * Why a person can't ask the fact-checker about a version, in a sentence; empty if they can.
 *
 * @param {Review} review
 */
export function mayNotAsk({ operation, proposal }) {
  const { ask } = proposal.may;
  // What is being typed meanwhile is not to be taken away.
  if (ask === true || ask.code === "question_open") return "";
  if (proposal.status !== "pending" || operation.outcome)
    return "Questions are answered while this version is pending.";
  if (isOwn(proposal)) return "You requested this yourself: only its reviewers can ask questions.";
  return withRoleNames(ask.detail);
}

/**
 * Whether the reader is its requester, who alone can take it back.
 *
 * @param {VersionView} proposal
 */
function isOwn({ may }) {
  return may.withdraw === true;
}

/**
 * @param {Review} review
 * @param {DecisionEvent} decision
 */
function decidedAlready(review, { at }) {
  const waits = `Someone else has to approve it too: ${stillNeeded(review.proposal.approvals)}.`;
  return shut("wait", ["You approved this version ", timeElement(at), "."], waits);
}

/** @param {Review} review */
function correctorsNote({ proposal }) {
  return proposal.own_correction ? OWN_CORRECTION : "";
}

/** @type {Partial<Record<Status, (review: Review) => Shut>>} */
const ENDED = {
  approved: (review) => {
    const { state, kind } = review.operation;
    const { done } = kindOf(kind);
    if (endInWords(state, kind) && state !== done) return cameToNothing(review);
    const next = state === done ? `It is ${done}.` : `It is being ${done}.`;
    return shut(
      "good",
      by(review, "approve"),
      next,
      toOperation(review, "See the receipt and the history"),
    );
  },
  rejected: (review) =>
    shut("bad", by(review, "reject"), remark(review), `Nothing will be ${doneIn(review)}.`),
  superseded: (review) => shut("info", by(review, "revise"), remark(review), newest(review)),
  expired: (review) => {
    const { expires_at: at } = review.proposal;
    const say = ["Nobody decided in time; the deadline passed ", timeElement(at), "."];
    return shut("info", say, afterExpiry(review));
  },
  withdrawn: (review) =>
    shut("info", "The requester withdrew the request.", toOperation(review, "See the history")),
  stopped: (review) =>
    shut("info", "An operator stopped the operation.", toOperation(review, "See the history")),
};

/**
 * An approval is no promise: its requester can still withdraw, and writing can fail.
 *
 * @param {Review} review
 */
function cameToNothing(review) {
  const { state, outcome, kind } = review.operation;
  return shut(
    "warn",
    by(review, "approve"),
    `${stateName(state)}: ${endInWords(state, kind)} `,
    outcome?.reason && foreign(outcome.reason),
    toOperation(review, "See the history"),
  );
}

/**
 * A deadline passes before anybody records what follows from it.
 *
 * @param {Review} review
 */
function afterExpiry(review) {
  const { escalated_to: role } = review.proposal;
  if (role) return [`It was escalated to the role ${roleName(role)}.`, newest(review)];
  if (review.operation.outcome)
    return [`Nothing is ${doneIn(review)}.`, toOperation(review, "See the history")];
  return "The result is being recorded and appears here in a moment.";
}

/**
 * Whether something is about to follow on this version without anybody's doing.
 *
 * @param {Review} review
 */
export function inMotion({ operation, proposal, version }) {
  const newest = operation.proposal?.version === version;
  return newest && proposal.status !== "pending" && !operation.outcome;
}

/** @param {Review} review */
function ended(review) {
  const reason = review.operation.outcome?.reason;
  return shut(
    "info",
    "The operation has ended.",
    visible(reason),
    toOperation(review, "See the history"),
  );
}

/** @param {Review} review */
function unknown({ proposal }) {
  return shut("info", `This version is ${visible(proposal.status)}.`);
}

/**
 * @param {Review} review
 * @param {string} decision
 */
function by({ events, version }, decision) {
  const decisions = decisionsAbout(events, version).filter(
    ({ data }) => data.decision === decision,
  );
  const last = decisions.at(-1);
  if (!last) return `Version ${version} is decided.`;
  const names = toldApart(decisions.map(({ actor }) => actor));
  const who = names.flatMap((name, place) => [place ? " and " : "", foreign(name)]);
  const did = decided(decision, last.data.correction);
  return [who, ` ${did} version ${version} `, timeElement(last.at), "."];
}

/** @param {Review} review */
function remark({ events, version }) {
  const comment = decisionsAbout(events, version).at(-1)?.data.comment;
  return comment ? ["“", foreign(comment), "” "] : [];
}

/** @param {Review} review */
function newest(review) {
  const newer = review.operation.proposal?.version ?? 0;
  if (newer > review.version) {
    return within({ operation: review.id, version: newer }, `Open version ${newer}`, {
      class: "button primary",
    });
  }
  if (review.proposal.last) {
    return [
      `It was the last one, so the operation ends: ${ownerFollows(review.operation.kind)}`,
      toOperation(review, "See the history"),
    ];
  }
  const waits = review.operation.state === "needs_operator";
  return [
    waits
      ? "The next version waits for someone who runs this app; its link will appear here."
      : "The next version is in progress; its link will appear here.",
    toOperation(review, "See the progress"),
  ];
}

/**
 * What would become of it if it were approved, as in "nothing is published".
 *
 * @param {Review} review
 */
function doneIn({ operation }) {
  return kindOf(operation.kind).done;
}

/**
 * @param {Review} review
 * @param {string} label
 */
function toOperation({ id }, label) {
  return within({ operation: id }, label, { class: "button" });
}

/**
 * @param {NoticeKind} kind
 * @param {Child} say
 * @param {...Child} next
 * @returns {Shut}
 */
function shut(kind, say, ...next) {
  return { may: false, kind, say, next };
}
