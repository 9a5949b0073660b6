/** Each event of the ledger as a plain sentence. */

import { duration, timeElement } from "../browser/time.js";
import { count, foreign, visible } from "../elements/element.js";
import { kindOf } from "../words/kinds.js";
import { decided, originName, roleName, rolesInWords, spelled, stateName } from "../words/words.js";

/**
 * @import { Child } from "../elements/element.js"
 * @import { LedgerEvent } from "../kind.js"
 */

/** @type {Record<string, (part: string) => string>} */
const STEPS = {
  plan: () => "planned the subtopics",
  research: (subtopic) => `researched subtopic ${Number(subtopic) + 1}`,
  check: (round) => `checked the facts (round ${Number(round) + 1})`,
  draft: (version) => `wrote version ${version}`,
  open: (version) => `opened version ${version}`,
  question: () => "answered a question",
  "own-text": () => "checked a reviewer's own text",
};

/**
 * By type: what happened to an operation of some kind, after the name of who did it.
 *
 * @type {Record<string, (data: LedgerEvent["data"], kind: string) => Child>}
 */
const SENTENCES = {
  OperationStarted: ({ title }) => ["requested “", foreign(title), "”"],
  WorkPlanned: ({ subtopics }) => [
    "planned ",
    count(subtopics.length, "subtopic"),
    ": ",
    foreign(subtopics.join("; ")),
  ],
  WorkDone: ({ step }) => `${stepName(step)}; the result is stored`,
  ModelCalled: ({ step, tokens }) => `${stepName(step)}: a model call of ${count(tokens, "token")}`,
  WorkHeld: ({ step, cause, reason, tries }) => [
    `failed (${spelled(cause).toLowerCase()}) when it `,
    step ? stepName(step) : "worked",
    `, ${count(tries, "try", "tries")} so far: `,
    foreign(reason),
  ],
  RetryRequested: () => "retried the work",
  WorkResumed: ({ step }) => `continued and ${stepName(step)}`,
  RevisionFailed: ({ version, reason }) => [
    `could not change version ${version} as requested: `,
    foreign(reason),
  ],
  ProposalOpened: ({ version, origin, expires_at: until, required_role: role }, kind) => [
    `proposed version ${version} (${originName(origin, kind)}) to the role ${roleName(role)} until `,
    timeElement(until),
  ],
  DecisionRecorded: ({ version, decision, comment, correction, roles, comments, passkey }) => [
    `${decided(decision, correction)} version ${version}`,
    roles?.length ? ` as ${rolesInWords(roles)}` : "",
    comments ? ", with comments on passages" : "",
    passkey ? ", signed with their passkey" : "",
    comment ? [": “", foreign(comment), "”"] : "",
  ],
  CommentsAdded: ({ version, count: number }) =>
    `added ${count(number, "comment", "comments")} on passages of version ${version}`,
  CommentResolved: ({ version, comment }) => `resolved comment ${comment} on version ${version}`,
  ApprovalTakenBack: ({ version }) => `took their approval of version ${version} back`,
  ProposalApproved: ({ version }) => `completed the approval of version ${version}`,
  ProposalRejected: ({ version }) => `ended version ${version} by rejecting it`,
  ProposalSuperseded: ({ version }) => `replaced version ${version} with a new one`,
  ProposalExpired: ({ version, escalated_to: role }) =>
    `closed version ${version}: nobody decided in time${role ? `; ${roleName(role)} is asked next` : ""}`,
  ReminderDue: ({ version, percent }) =>
    `noted that ${percent} % of the time for version ${version} has passed`,
  OperationWithdrawn: ({ reason }) => [
    "withdrew the request",
    reason ? [": “", foreign(reason), "”"] : "",
  ],
  OperationStopped: ({ reason }) => ["stopped the operation: “", foreign(reason), "”"],
  WriteClaimed: ({ version }) => `began to write version ${version}`,
  WriteRefused: ({ version, reason }) => [
    `recorded that nothing of version ${version} was accepted or will be: `,
    foreign(reason),
  ],
  WriteFound: ({ found }) => [
    "found something at the destination that nobody approved here: ",
    foreign(found),
  ],
  ReceiptRecorded: ({ version, receipt }, kind) => [
    `wrote version ${version}`,
    kindOf(kind).recordedAs?.(receipt) ?? "",
    "; confirmed by ",
    foreign(receipt.destination ?? "the destination"),
  ],
  OperationClosed: ({ outcome, reason }) => [
    `closed the operation: ${stateName(outcome).toLowerCase()}`,
    reason ? ["; ", foreign(reason)] : "",
  ],
  ContentErased: ({ rule }) => [
    "recorded that all names and texts are erased, under the rule “",
    foreign(rule),
    "”",
  ],
  PersonErased: ({ rule }) => [
    "recorded that what one person is called and wrote is erased, under the rule “",
    foreign(rule),
    "”",
  ],
  LegalHoldPlaced: ({ reason }) => ["placed a legal hold: “", foreign(reason), "”"],
  LegalHoldLifted: ({ reason }) => ["lifted the legal hold: “", foreign(reason), "”"],
  QuestionAnswered: () => "answered a question to the fact-checker",
  QuestionFailed: ({ reason }) => ["could not answer a question: ", foreign(reason)],
  NoticeClaimed: ({ notice }) => ["is about to send the notice “", foreign(notice), "”"],
  NoticeSent: ({ notice, taken, failed }) => noticeSent(notice, taken ?? [], failed ?? {}),
  NoticeInDoubt: ({ notice }) => [
    "does not know whether the notice “",
    foreign(notice),
    "” was sent, and does not send it again",
  ],
  QuestionAsked: ({ version, question }) => [
    `asked the fact-checker about version ${version}`,
    question ? [": “", foreign(question), "”"] : "",
  ],
};

/** Events that say how the team got on, which few readers want one by one. */
const WORK = new Set(["ModelCalled", "WorkDone"]);

/**
 * @param {LedgerEvent[]} act what one person, or the app, did at one moment
 * @param {string} kind
 * @returns {Child} the sentence about it, for an operation of some kind
 */
export function sentenceOf(act, kind) {
  const who = foreign(act[0].actor?.name ?? "Somebody", "strong");
  const said = act.map((event, place) => [place ? ", and " : " ", told(event, kind)]);
  return [who, said];
}

/**
 * @param {LedgerEvent} event
 * @param {string} kind
 */
function told({ type, data }, kind) {
  if (!Object.hasOwn(SENTENCES, type)) return `recorded: ${spelled(type)}`;
  return SENTENCES[type](data ?? {}, kind);
}

/** @param {LedgerEvent} event */
export function isWork({ type }) {
  return WORK.has(type);
}

/**
 * "The team worked for 2 min: 3 steps, 1,234 tokens" for a run of steps.
 *
 * @param {LedgerEvent[]} events
 * @param {string} kind
 */
export function workSummary(events, kind) {
  const tokens = events.reduce((sum, { data }) => sum + (data.tokens ?? 0), 0);
  const [first, last] = [events[0], events.at(-1)].map((each) => Date.parse(each?.at ?? ""));
  const took = last - first;
  const lasted = took < 1000 ? "less than a second" : duration(took);
  return `${kindOf(kind).worker} worked for ${lasted}: ${count(events.length, "step")}, ${count(tokens, "token")}`;
}

/**
 * @param {string} name
 * @param {string[]} taken
 * @param {Record<string, string>} failed
 */
function noticeSent(name, taken, failed) {
  const lost = Object.entries(failed);
  const sent = taken.length
    ? `, accepted by ${taken.map(visible).join(", ")}`
    : ", which no channel accepted";
  const not = lost.map(([channel, why]) => `; not by ${visible(channel)} (${visible(why)})`);
  return ["sent the notice “", foreign(name), "”", sent, not];
}

/** @param {string} step */
function stepName(step) {
  const [name, ...parts] = visible(step).split(":");
  // Of `research:1:2` the subtopic, which comes after the round.
  return Object.hasOwn(STEPS, name)
    ? STEPS[name](parts.at(-1) ?? "")
    : `did the step “${visible(step)}”`;
}
