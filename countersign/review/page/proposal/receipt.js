/** The answer to a recorded decision: what stands, what follows, and what waits next. */

import { exactTime, timeElement } from "../browser/time.js";
import { element, foreign, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { kindOf } from "../words/kinds.js";
import { decided } from "../words/words.js";
import { stillNeeded } from "./approvals.js";
import { ownerFollows } from "./choices.js";

/**
 * @import { Approvals } from "../api.js"
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

/**
 * A decision of some kind of operation; `last`: no version can follow.
 *
 * @typedef {Recorded & {kind: string, last: boolean}} Told
 */

/**
 * @param {Told} recorded
 * @param {HTMLElement} [next] where to go on, if that is not beside it
 */
export function receiptElement(recorded, next) {
  const { receipt, delivery } = recorded;
  return element(
    "div",
    { class: "receipt" },
    notice(
      "good",
      [
        "Recorded: ",
        foreign(receipt.by),
        ` ${decided(receipt.decision)} version ${receipt.version}.`,
      ],
      [
        element(
          "span",
          {},
          timeElement(receipt.at, exactTime),
          `, entry ${receipt.sequence} of the history. `,
        ),
        follows(recorded),
        delivery === "pending"
          ? " The next step has not begun yet. Your decision is recorded, and the step begins within two minutes."
          : "",
      ],
      within({ operation: receipt.operation_id }, "Follow the progress", { class: "button" }),
      next,
    ),
  );
}

/** @param {Told} recorded */
function follows({ kind, status, last, approvals }) {
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
