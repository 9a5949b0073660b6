/** Every refusal of the API in a plain sentence, with what to do next. */

import { localTime, timeElement } from "../browser/time.js";
import { foreign, visible, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { Problem } from "../session/problem.js";
import { signInAgain } from "../session/sign-in.js";
import { kindOf } from "./kinds.js";
import { decided, roleName, shortDigest, withRoleNames } from "./words.js";

/**
 * @import { Child } from "../elements/element.js"
 * @import { NoticeKind } from "../elements/notice.js"
 * @import { Facts } from "../session/problem.js"
 */

const KEPT = "What you typed is kept.";

/**
 * Where it happened: the operation, its kind, the version, and what to do again.
 *
 * @typedef {{operation?: string, kind?: string, version?: number, retry?: () => unknown}} Place
 */
/** @typedef {{say: Child, next: Child, kind?: NoticeKind, final?: boolean}} Plain */

/**
 * By `code`: what to say, and what comes next. `facts` are the problem document's members; `place`
 * is where it happened. `final`: doing the same again would not help, or the entry has a button of
 * its own for it.
 *
 * @type {Record<string, (facts: Facts, place: Place) => Plain>}
 */
const PLAIN = {
  unauthenticated: (_, place) => ({
    say: "You are not signed in any more.",
    next: [`Sign in again and come back to this tab. ${KEPT}`, signInAgain(place.retry)],
    final: true,
  }),
  another_person: ({ name }) => ({
    final: true,
    say: ["You are signed in as ", foreign(name), " now, in another tab."],
    next: [
      "Nothing was recorded. Load this page again to go on as that person.",
      reload("Load again"),
    ],
  }),
  not_authorised: ({ needs }) => ({
    final: true,
    say: `This needs ${withRoleNames(needs ?? "another role")}, which you don't have.`,
    next: ["Ask whoever gives out roles in your organisation, or leave it to somebody who has it."],
  }),
  own_request: (_, { kind }) => ({
    say: "You requested this yourself, so someone else has to decide.",
    next: [
      `You can still read it, and withdraw the request as long as nothing is ${kindOf(kind).done}.`,
    ],
  }),
  people_only: () => ({
    final: true,
    say: "Your token belongs to a program, and only a person can decide.",
    next: ["Sign in as yourself, and decide then."],
  }),
  insufficient_scope: ({ detail }) => ({
    final: true,
    say: "Your token is for something else than to use this app.",
    next: [visible(detail)],
  }),
  forgery_suspected: () => ({
    final: true,
    say: "The server could not tell that this page asked.",
    next: ["Load the page again. " + KEPT, reload("Load again")],
  }),
  already_decided: ({ by, at, decision }, { operation }) => ({
    kind: "info",
    say: [
      foreign(by),
      ` ${decided(decision)} this `,
      timeElement(at),
      ", and that decision is final.",
    ],
    next: ["Nothing of yours was recorded.", operation && openOperation(operation)],
  }),
  superseded: ({ current }, { operation }) => ({
    kind: "info",
    say: `Version ${current} has taken this version's place.`,
    next: [
      "Your decision was not recorded, since it would be about what is no longer offered.",
      operation && newer(operation, current),
    ],
  }),
  expired: ({ at, escalated_to: role }, { operation, kind }) => ({
    kind: "info",
    say: `The time to decide ended ${localTime(at)}.`,
    next: [
      role
        ? `It was passed on to the role ${roleName(role)}, who decide about a new version of the same ${kindOf(kind).noun}.`
        : `It was passed on to nobody, so the operation ends and nothing is ${kindOf(kind).done}.`,
      operation && openOperation(operation),
    ],
  }),
  digest_mismatch: ({ current }) => ({
    final: true,
    say: `What is offered now has the digest ${shortDigest(current)}, not the one you were shown.`,
    next: [
      "Nothing was recorded. Look at what is there now, then decide.",
      reload("Show what is there now"),
    ],
  }),
  malformed: ({ fields }) => ({
    final: true,
    say: "Something in it can't be taken as it is.",
    next: fieldReasons(fields ?? {}),
  }),
  too_large: ({ detail }) => ({
    final: true,
    say: "It is too large to be sent.",
    next: [visible(detail), " Make it shorter. " + KEPT],
  }),
  length_required: ({ detail }) => ({
    final: true,
    say: "It came without its length.",
    next: [visible(detail)],
  }),
  idempotency_conflict: ({ operation_id: operation }) => ({
    kind: "info",
    say: "This form has been sent before, with other words in it.",
    next: ["That request is on its way.", operation && openOperation(operation)],
  }),
  not_found: () => ({
    final: true,
    say: "There is no such operation or version for you.",
    next: [
      "It may belong to another organisation, or the link is incomplete.",
      within({}, "Open the inbox", { class: "button" }),
    ],
  }),
  not_published: () => ({
    kind: "info",
    say: "Nothing has been published for this operation.",
    next: [],
  }),
  no_report: () => ({
    kind: "info",
    final: true,
    say: "This is no research: it has a receipt, and no report.",
    next: [],
  }),
  report_missing: () => ({
    say: "The report was published, and is gone from where it was.",
    next: ["The ledger still has its receipt. Tell whoever looks after the destination."],
  }),
  report_altered: () => ({
    say: "What stands at the destination is not what was published.",
    next: [
      "Somebody changed it there. The approved text is below; tell whoever looks after the destination.",
    ],
  }),
  ledger_broken: () => ({
    final: true,
    say: "The history is not what was recorded, so nothing can be proved with it.",
    next: ["Tell whoever answers for the ledger; the history shows from which entry on."],
  }),
  keys_unavailable: () => ({
    say: "Your sign-in can't be checked at the moment.",
    next: [`Try again in a minute. ${KEPT}`],
  }),
  not_configured: ({ detail }) => ({
    say: "The app is not set up completely.",
    next: ["Tell whoever runs it: ", foreign(detail)],
  }),
  store_unavailable: () => ({
    say: "The records can't be reached at the moment.",
    next: [`Nothing is lost: what was recorded stands. ${KEPT} Try again in a moment.`],
  }),
  internal: () => ({
    say: "Something unforeseen went wrong on the server.",
    next: [`${KEPT} Trying again is safe: the same decision is never recorded twice.`],
  }),
  busy: () => ({
    say: "Other files are being read at the moment.",
    next: ["Send this one again in a few seconds."],
  }),
  unsupported_type: ({ suffixes }) => ({
    final: true,
    say: "Files of this kind can't be read.",
    next: [`The ending has to be one of ${visible((suffixes ?? []).join(", "))}.`],
  }),
  unreadable: ({ detail }) => ({
    final: true,
    say: "This file can't be read.",
    next: [visible(detail), " Save it again, or as another kind of file."],
  }),
  question_open: () => ({
    kind: "info",
    say: "Your last question has no answer yet.",
    next: ["Ask again once it has; what you typed stays here."],
  }),
  questions_spent: ({ most }) => ({
    kind: "info",
    say: `${most} questions were asked about this operation, and it takes no more.`,
    next: ["What was answered stands above. Ask for changes if something is still open."],
  }),
  unexpected: ({ detail }) => ({
    say: "The server's answer is not one that this page knows.",
    next: [
      visible(detail),
      ` It may be starting up, or be of another version than the page. ${KEPT}`,
    ],
  }),
  unreachable: () => ({
    say: "The server can't be reached.",
    next: [`${KEPT} Trying again is safe: the same decision is never recorded twice.`],
  }),
};

/**
 * @param {unknown} problem
 * @param {Place} [place]
 * @returns {HTMLElement} a notice about a problem; `place.retry` adds a button that tries again
 */
export function problemNotice(problem, place = {}) {
  const { say, next, kind = "bad", final } = plain(problem, place);
  const again = place.retry && !final && button("Try again", place.retry);
  const box = notice(kind, say, next, again);
  box.setAttribute("role", "alert");
  return box;
}

/**
 * @param {unknown} problem
 * @param {Place} place
 */
function plain(problem, place) {
  if (!(problem instanceof Problem)) return unknown({ detail: String(problem) });
  const explain = Object.hasOwn(PLAIN, problem.code) ? PLAIN[problem.code] : unknown;
  return explain({ detail: problem.detail, ...problem.facts }, place);
}

/**
 * @param {Facts} facts
 * @returns {Plain}
 */
function unknown({ detail }) {
  return { say: visible(detail) || "That did not work.", next: [KEPT] };
}

/** @param {Record<string, string>} fields */
function fieldReasons(fields) {
  const reasons = Object.entries(fields);
  if (!reasons.length) return "It is said at the fields. " + KEPT;
  return reasons.map(([name, reason]) => `${fieldName(name)}: ${visible(reason)}. `);
}

/** @param {string} name */
function fieldName(name) {
  return visible(name)
    .replace(/^(correction|approval)\./, "")
    .replaceAll("_", " ");
}

/**
 * @param {string} operation
 * @param {number} version
 */
function newer(operation, version) {
  return within({ operation, version }, `Open version ${version}`, { class: "button" });
}

/** @param {string} operation */
function openOperation(operation) {
  return within({ operation }, "See what became of it", { class: "button" });
}

/** @param {string} label */
function reload(label) {
  return button(label, () => location.reload());
}
