/** The answer to a recorded decision: what stands, what follows, and what waits next. */

import { timeElement, timeWithSeconds } from "../browser/time.js";
import { watch } from "../browser/watch.js";
import { element, fill, foreign, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { call, operationPath } from "../session/api.js";
import { kindOf } from "../words/kinds.js";
import { decided, endInWords } from "../words/words.js";
import { stillNeeded } from "./approvals.js";
import { ownerFollows } from "./choices.js";

/**
 * @import { Approvals, OperationView } from "../api.js"
 * @import { KindWords, Status } from "../kind.js"
 * @import { Recorded } from "./verdict.js"
 */

/** @type {Partial<Record<Status, (kind: KindWords, approvals?: Approvals) => string>>} */
const FOLLOWS = {
  approved: ({ done }) => `It is being ${done} now.`,
  pending: ({ done }, approvals) =>
    `It counts, but someone else has to approve too before anything is ${done}${missing(approvals)}.`,
  rejected: ({ done }) => `The operation ends, and nothing is ${done}.`,
  superseded: () => "The next version is in progress. It needs its own decision.",
};

const LOOK_SECONDS = 2;

/**
 * A decision about a version, and what that is called. `last`: no version can follow; `corrected`:
 * it was made by sending one's own version.
 *
 * @typedef {Recorded & {title: string, kind: string, last: boolean, corrected: boolean}} Told
 */

/**
 * @param {Told} recorded
 * @param {HTMLElement} [next] where to go on, if the receipt takes the place of the choices; else
 *   it stands beside something else, and names what was decided
 */
export function receiptElement(recorded, next) {
  const { receipt, delivery, corrected, title } = recorded;
  return element(
    "div",
    { class: "receipt" },
    notice(
      "good",
      [
        "Recorded: ",
        foreign(receipt.by),
        ` ${decided(receipt.decision, corrected)} version ${receipt.version}`,
        !next && [" of “", foreign(title), "”"],
        ".",
      ],
      [
        element(
          "span",
          {},
          timeElement(receipt.at, timeWithSeconds),
          `, entry ${receipt.sequence} of the history. `,
        ),
        followed(recorded),
        delivery === "pending"
          ? " The next step has not begun yet. Your decision is recorded, and the step begins within two minutes."
          : "",
      ],
      receipt.decision === "revise" && linkToNext(recorded),
      within({ operation: receipt.operation_id }, "Follow the progress", { class: "button" }),
      next,
    ),
  );
}

/**
 * What follows, until it has followed; then what it came to.
 *
 * @param {Told} recorded
 */
function followed(recorded) {
  const { receipt, status, kind } = recorded;
  const place = element("span", { role: "status" }, follows(recorded));
  if (status === "approved") {
    whileShown(place, receipt.operation_id, ({ outcome }) => {
      if (!outcome) return false;
      const done = outcome.as === kindOf(kind).done;
      fill(place, done ? `It is ${outcome.as} now.` : endInWords(outcome.as, kind));
      return true;
    });
  }
  return place;
}

/**
 * A link to the version that a correction or a wish becomes, as soon as there is one.
 *
 * @param {Told} recorded
 */
function linkToNext({ receipt: { operation_id: operation, version: before } }) {
  const place = element("div", { role: "status" });
  const version = before + 1;
  whileShown(place, operation, ({ proposal, outcome }) => {
    if ((proposal?.version ?? 0) < version) return outcome !== null;
    const target = { operation, version };
    fill(place, within(target, `Open version ${version}`, { class: "button" }));
    return true;
  });
  return place;
}

/**
 * Look at an operation from time to time, as long as what is said about it is on the page.
 *
 * @param {HTMLElement} place where it is said
 * @param {string} operation
 * @param {(operation: OperationView) => boolean} show says whether there will be nothing more to say
 */
function whileShown(place, operation, show) {
  const ends = new AbortController();
  const { signal } = ends;
  const { plan } = watch(look, { every: () => LOOK_SECONDS, signal });
  look().then(plan, plan);

  async function look() {
    const there = await call(operationPath(operation), { signal });
    if (!place.isConnected || show(there)) ends.abort();
  }
}

/** @param {Told} recorded */
function follows({ receipt, kind, status, last, approvals, corrected }) {
  if (corrected) {
    const version = `version ${receipt.version + 1}`;
    return `The correction becomes ${version}, which needs its own decision.`;
  }
  if (last && status === "superseded") return `The operation ends: ${ownerFollows(kind)}`;
  return FOLLOWS[status]?.(kindOf(kind), approvals) ?? "";
}

/**
 * An answer that was lost left no count of the approvals.
 *
 * @param {Approvals} [approvals]
 */
function missing(approvals) {
  return approvals?.needed.length ? `: ${stillNeeded(approvals)}` : "";
}
