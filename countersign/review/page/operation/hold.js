/** Work that failed and is to be tried again: why, since when, and what can be done about it. */

import { timeElement } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { count, element, fill, foreign } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { call, operationPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";

/** @import { HoldView, Me, OperationView } from "../api.js" */

/**
 * @typedef {object} HoldOptions
 * @property {Me} me
 * @property {() => void} retried called once it is to be tried again
 */

/**
 * @param {OperationView} operation
 * @param {HoldView} hold its own
 * @param {HoldOptions} options
 */
export function holdElement(operation, hold, { me, retried }) {
  if (!hold.needs_operator) return passingElement(hold);
  const trouble = element("div");
  return element(
    "div",
    {},
    notice(
      "warn",
      "The work waits for someone who runs this app.",
      foreign(hold.reason, "span"),
      element("span", {}, " Failed since ", timeElement(hold.since), `: ${triesSoFar(hold)}. `),
      element("span", {}, nextTry(hold)),
      " The work done so far is kept and not paid for again.",
      operation.may.retry === true &&
        !hold.asked_by &&
        retryButton(operation, me, retried, trouble),
    ),
    trouble,
  );
}

/**
 * "2 tries", for what has failed so far.
 *
 * @param {HoldView} hold
 */
export function triesSoFar({ tries }) {
  return count(tries, "try", "tries");
}

/**
 * What is expected to pass by itself, and is mentioned only.
 *
 * @param {HoldView} hold
 */
function passingElement(hold) {
  return element(
    "p",
    { class: "hint" },
    foreign(hold.reason, "span"),
    ` ${triesSoFar(hold)} failed since `,
    timeElement(hold.since),
    "; the next attempt follows in a moment.",
  );
}

/** @param {HoldView} hold */
function nextTry({ next_try: at, asked_by: who }) {
  if (who) return [foreign(who), " requested a retry, which is in progress."];
  if (at) return ["It is retried automatically ", timeElement(at), " or soon after."];
  return "Because each attempt costs tokens, it is retried only on request.";
}

/**
 * @param {OperationView} operation
 * @param {Me} me
 * @param {() => void} retried
 * @param {HTMLElement} trouble
 */
function retryButton({ operation_id: id }, me, retried, trouble) {
  const send = button("Retry now", async () => {
    send.disabled = true;
    fill(trouble);
    try {
      await call(operationPath(id, "/retry"), { json: {}, by: me });
      announce("The retry has begun.");
      retried();
    } catch (problem) {
      fill(trouble, problemNotice(problem, { operation: id }));
    } finally {
      send.disabled = false;
    }
  });
  return send;
}
