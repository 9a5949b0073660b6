/** The answer to a recorded decision: what stands, what follows, and what waits next. */

import { exactTime, timeElement } from "../browser/time.js";
import { element, fill, foreign, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { call } from "../session/api.js";
import { kindOf } from "../words/kinds.js";
import { decided } from "../words/words.js";
import { stillNeeded } from "./approvals.js";
import { ownerFollows } from "./choices.js";

/**
 * @import { Approvals, ProposalPage } from "../api.js"
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
 * @param {AbortSignal} signal
 */
export function receiptElement(recorded, signal) {
  const { receipt, delivery } = recorded;
  const next = element("div", { class: "next" });
  nextInInbox(receipt.operation_id, signal).then((link) => fill(next, link));
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

/**
 * @param {string} done
 * @param {AbortSignal} signal
 */
async function nextInInbox(done, signal) {
  /** @type {ProposalPage} */
  const nothing = { proposals: [], cursor: null, count: null };
  /** @type {ProposalPage} */
  const { proposals } = await call("proposals?limit=2", { signal }).catch(() => nothing);
  const row = proposals.find(({ operation_id: id }) => id !== done);
  if (!row) return within({}, "Back to the inbox: nothing else is pending", { class: "button" });
  const target = { operation: row.operation_id, version: row.version ?? 1 };
  const label = element("span", {}, "Next: ", foreign(row.title));
  return within(target, label, { class: "button primary" });
}
