/** Every refusal of the API in a plain sentence, with what to do next. */

import { localTime, timeElement } from "../browser/time.js";
import { count, foreign, visible, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { Problem } from "../session/problem.js";
import { signInAgain } from "../session/sign-in.js";
import { kindOf } from "./kinds.js";
import { decided, roleName, withRoleNames } from "./words.js";

/**
 * @import { Child } from "../elements/element.js"
 * @import { NoticeKind } from "../elements/notice.js"
 * @import { Facts } from "../session/problem.js"
 */

const KEPT = "Your text is saved.";

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
    say: "You are no longer signed in.",
    next: [`Sign in again and come back to this tab. ${KEPT}`, signInAgain(place.retry)],
    final: true,
  }),
  another_person: ({ name }) => ({
    final: true,
    say: ["You are signed in as ", foreign(name), " now, in another tab."],
    next: [
      "Nothing was recorded. Reload this page to continue as that person.",
      reload("Load again"),
    ],
  }),
  not_authorised: ({ needs }) => ({
    final: true,
    say: `This requires ${withRoleNames(needs ?? "another role")}, which you do not have.`,
    next: [
      "Ask the person who assigns roles in your organisation, or leave it to someone who has it.",
    ],
  }),
  own_request: (_, { kind }) => ({
    say: "You requested this yourself, so someone else has to decide.",
    next: [`You can still read it, and withdraw the request until it is ${kindOf(kind).done}.`],
  }),
  people_only: () => ({
    final: true,
    say: "Your token belongs to a program, and only a person can decide.",
    next: ["Sign in as yourself, then decide."],
  }),
  insufficient_scope: ({ detail }) => ({
    final: true,
    say: "Your token is not for this app.",
    next: [visible(detail)],
  }),
  forgery_suspected: () => ({
    final: true,
    say: "The server could not confirm that the request came from this page.",
    next: ["Reload the page. " + KEPT, reload("Load again")],
  }),
  passkey_required: () => ({
    final: true,
    say: "This approval has to be signed with your passkey.",
    next: ["Nothing was recorded. Load the version again, then approve it.", reload("Load again")],
  }),
  passkey_refused: ({ detail }) => ({
    say: visible(detail),
    next: [`Nothing was recorded. ${KEPT}`, passkeys()],
  }),
  passkey_missing: () => ({
    say: "This browser or device has no passkey that can be used here.",
    next: [
      `Nothing was recorded. Use another browser or device, or add a passkey. ${KEPT}`,
      passkeys(),
    ],
  }),
  passkey_unused: () => ({
    say: "Nothing was signed: the request was cancelled, or your passkey is not on this device.",
    next: [`Nothing was recorded. ${KEPT}`, passkeys()],
  }),
  passkey_late: () => ({
    say: "You did not use your passkey in time.",
    next: [`Nothing was recorded. ${KEPT}`],
  }),
  passkey_known: () => ({
    final: true,
    say: "You have already added a passkey from this device.",
    next: ["Use that one, or add one from another device."],
  }),
  passkey_elsewhere: ({ origin }) => ({
    final: true,
    say: ["Passkeys work only at ", foreign(origin), "."],
    next: ["Open the page there."],
  }),
  already_decided: ({ by, at, decision }, { operation }) => ({
    kind: "info",
    say: [foreign(by), ` ${decided(decision)} this `, timeElement(at), ", and that stands."],
    next: ["Your decision was not recorded.", operation && openOperation(operation)],
  }),
  superseded: ({ current }, { operation }) => ({
    kind: "info",
    say: `Version ${current} has replaced this version.`,
    next: ["Your decision was not recorded.", operation && newer(operation, current)],
  }),
  expired: ({ at, escalated_to: role }, { operation, kind }) => ({
    kind: "info",
    say: `The deadline passed ${localTime(at)}.`,
    next: [
      role
        ? `It was escalated to the role ${roleName(role)} as a new version of the same ${kindOf(kind).noun}.`
        : `Nobody is left to ask, so the operation ends and nothing is ${kindOf(kind).done}.`,
      operation && openOperation(operation),
    ],
  }),
  digest_mismatch: () => ({
    final: true,
    say: "The proposal has changed since you opened it.",
    next: [
      "Nothing was recorded. Read the current version, then decide.",
      reload("Show the current version"),
    ],
  }),
  malformed: ({ fields }) => ({
    final: true,
    say: "Please correct the form.",
    next: fieldReasons(fields ?? {}),
  }),
  too_large: ({ detail }) => ({
    final: true,
    say: "It is too large.",
    next: [visible(detail), " Make it shorter. " + KEPT],
  }),
  length_required: ({ detail }) => ({
    final: true,
    say: "The request has no length.",
    next: [visible(detail)],
  }),
  idempotency_conflict: ({ operation_id: operation }) => ({
    kind: "info",
    say: "This form was sent before with other contents.",
    next: ["That request is in progress.", operation && openOperation(operation)],
  }),
  not_found: () => ({
    final: true,
    say: "You have no access to such an operation or version.",
    next: [
      "It may belong to another organisation, or the link may be incomplete.",
      within({}, "Open the inbox", { class: "button" }),
    ],
  }),
  unknown_kind: ({ detail }) => ({
    kind: "info",
    final: true,
    say: visible(detail),
    next: [],
  }),
  not_published: () => ({
    kind: "info",
    say: "Nothing has been published for this operation.",
    next: [],
  }),
  no_report: () => ({
    kind: "info",
    final: true,
    say: "This operation has a receipt instead of a report.",
    next: [],
  }),
  report_missing: () => ({
    say: "The report was published but is missing now.",
    next: ["Its receipt is still recorded. Tell the person responsible for the destination."],
  }),
  report_altered: () => ({
    say: "The report at the destination differs from the published one.",
    next: [
      "Someone changed it there. The approved text is below. Tell the person responsible for the destination.",
    ],
  }),
  erased: ({ rule }) => ({
    kind: "info",
    final: true,
    say: "The names and texts of this operation were erased.",
    next: ["The rule was “", foreign(rule), "”. The history and the proof remain."],
  }),
  ledger_broken: () => ({
    final: true,
    say: "The history differs from what was recorded, so it cannot prove anything.",
    next: ["Tell the person responsible for the ledger. The history shows the first wrong entry."],
  }),
  text_lost: () => ({
    final: true,
    say: "A stored text is missing or damaged.",
    next: ["Tell the person who runs the app: it has to be restored from a backup."],
  }),
  keys_unavailable: () => ({
    say: "Your sign-in cannot be checked at the moment.",
    next: [`Try again in a minute. ${KEPT}`],
  }),
  not_configured: ({ detail }) => ({
    say: "The app is not fully configured.",
    next: ["Tell the person who runs it: ", foreign(detail)],
  }),
  store_unavailable: () => ({
    say: "The records cannot be reached at the moment.",
    next: [`Recorded decisions are safe. ${KEPT} Try again in a moment.`],
  }),
  internal: () => ({
    say: "The server met an unexpected error.",
    next: [`${KEPT} You can try again safely: the same decision is never recorded twice.`],
  }),
  busy: () => ({
    say: "The server is reading other files.",
    next: ["Send this one again in a few seconds."],
  }),
  unsupported_type: ({ suffixes }) => ({
    final: true,
    say: "Files of this type cannot be read.",
    next: [`The extension must be one of ${visible((suffixes ?? []).join(", "))}.`],
  }),
  unreadable: ({ detail }) => ({
    final: true,
    say: "This file cannot be read.",
    next: [visible(detail), " Save it again, or as another type of file."],
  }),
  question_open: () => ({
    kind: "info",
    say: "Your last question has no answer yet.",
    next: ["Ask again after the answer; your text stays here."],
  }),
  questions_spent: ({ most }) => ({
    kind: "info",
    say: `${most} questions were asked about this operation, which is the limit.`,
    next: ["The answers are above. Request changes if something is still open."],
  }),
  last_version: ({ most }) => ({
    kind: "info",
    final: true,
    say: `Version ${most} is the last one, so it takes no correction.`,
    next: [`Request changes in words: the person who owns the matter then takes over. ${KEPT}`],
  }),
  too_many_open: ({ most }) => ({
    kind: "info",
    say: `You have ${count(Number(most), "open request")}, which is the limit.`,
    next: [
      `Wait until one has ended, or withdraw one. ${KEPT}`,
      within({ list: "mine" }, "Open your requests", { class: "button" }),
    ],
  }),
  tokens_spent: () => ({
    kind: "info",
    final: true,
    say: "Your requests of today have used all model tokens that you may use in a day.",
    next: [`You can make the next one tomorrow (UTC). ${KEPT}`],
  }),
  unexpected: ({ detail }) => ({
    say: "The server sent an unknown answer.",
    next: [
      visible(detail),
      ` It may be starting, or its version may differ from the page’s. ${KEPT}`,
    ],
  }),
  unreachable: () => ({
    say: "The server cannot be reached.",
    next: [`${KEPT} You can try again safely: the same decision is never recorded twice.`],
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
  if (!reasons.length) return "See the marked fields. " + KEPT;
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
  return within({ operation }, "See the result", { class: "button" });
}

function passkeys() {
  return within({ passkeys: "" }, "Passkeys", { class: "button" });
}

/** @param {string} label */
function reload(label) {
  return button(label, () => location.reload());
}
