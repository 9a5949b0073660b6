/** The answer to a recorded decision: what stands, what follows, and what waits next. */

import { exactTime, timeElement } from "../browser/time.js";
import { watch } from "../browser/watch.js";
import { element, fill, foreign, within } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { call, operationPath } from "../session/api.js";
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

const LOOK_SECONDS = 2;

/**
 * A decision of some kind of operation; `last`: no version can follow; `corrected`: it was made by
 * sending one's own version.
 *
 * @typedef {Recorded & {kind: string, last: boolean, corrected: boolean}} Told
 */

/**
 * @param {Told} recorded
 * @param {AbortSignal} signal
 * @param {HTMLElement} [next] where to go on, if that is not beside it
 */
export function receiptElement(recorded, signal, next) {
  const { receipt, delivery, corrected } = recorded;
  return element(
    "div",
    { class: "receipt" },
    notice(
      "good",
      [
        "Recorded: ",
        foreign(receipt.by),
        ` ${decided(receipt.decision, corrected)} version ${receipt.version}.`,
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
      corrected && linkToCorrected(receipt, signal),
      within({ operation: receipt.operation_id }, "Follow the progress", { class: "button" }),
      next,
    ),
  );
}

/**
 * A link to the version that a correction becomes, as soon as there is one.
 *
 * @param {Told["receipt"]} receipt
 * @param {AbortSignal} signal
 */
function linkToCorrected({ operation_id: operation, version }, signal) {
  const place = element("div", { role: "status" });
  const corrected = version + 1;
  const { plan } = watch(look, { every: () => (place.hasChildNodes() ? 0 : LOOK_SECONDS), signal });
  look().catch(plan);

  async function look() {
    const { proposal } = await call(operationPath(operation), { signal });
    if (place.hasChildNodes() || !(proposal?.version >= corrected)) return;
    const target = { operation, version: corrected };
    fill(place, within(target, `Open version ${corrected}`, { class: "button" }));
  }

  return place;
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
