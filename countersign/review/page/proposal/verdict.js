/** Send a decision so that it is recorded once, and known to be, whatever the network does. */

import { call, operationPath, proposalPath } from "../session/api.js";
import { codeOf, Problem } from "../session/problem.js";
import { ownDecision } from "./review.js";

/**
 * @import { Approvals, Decided, PasskeySignatureBody } from "../api.js"
 * @import { Decision, LedgerEvent, Review, Status } from "../kind.js"
 * @import { DecisionEvent } from "./review.js"
 */

const LOOKS_MILLISECONDS = [1500, 4000];

/**
 * What one decision alone makes of a version.
 *
 * @type {Record<string, Status>}
 */
const ENDS = { reject: "rejected", revise: "superseded" };

/**
 * What is known of a recorded decision; an answer that was lost left no count of the approvals.
 *
 * @typedef {Omit<Decided, "approvals"> & {approvals?: Approvals}} Recorded
 */
/**
 * @typedef {{decision: Decision, digest: string, comment: string, correction?: object,
 *   comments?: object[], passkey?: PasskeySignatureBody}} Body
 */

/**
 * @param {Review} review
 * @param {Body} body the decision, its digest, comment and correction
 * @returns {Promise<Recorded>}
 * @throws {Problem} it was not recorded, as far as anybody can tell
 */
export async function sendVerdict(review, body) {
  const path = proposalPath(review.id, review.version, "/decision");
  try {
    return await call(path, { json: body, by: review.me });
  } catch (problem) {
    if (codeOf(problem) !== "unreachable") throw problem;
    // The request may have arrived, and only the answer was lost.
    const recorded = await recordedAfterAll(review, body);
    if (recorded) return recorded;
    throw problem;
  }
}

/**
 * @param {Review} review
 * @param {Body} body
 * @throws {Problem} what this person recorded before, say in another tab, is something else
 */
async function recordedAfterAll(review, body) {
  for (const pause of LOOKS_MILLISECONDS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const history = await call(operationPath(review.id, "/history")).catch(() => null);
    const mine = history && ownDecision({ ...review, events: history.events });
    if (mine && !says(mine.data, body)) throw otherwise(mine);
    if (mine) return asRecorded(review, mine, history.events);
    if (history) return null;
  }
  return null;
}

/**
 * Whether what is recorded is what was sent; what else an approval says changes nothing.
 *
 * @param {LedgerEvent["data"]} recorded
 * @param {Body} body
 */
function says(recorded, { decision, digest, comment, correction, comments }) {
  const same = recorded.decision === decision && recorded.digest === digest;
  if (decision !== "revise") return same;
  return (
    same &&
    recorded.comment === comment &&
    Boolean(recorded.correction) === Boolean(correction) &&
    Boolean(recorded.comments) === Boolean(comments)
  );
}

/** @param {DecisionEvent} decision */
function otherwise({ actor, at, data }) {
  return new Problem(409, "already_decided", "", { by: actor.name, at, decision: data.decision });
}

/**
 * @param {Review} review
 * @param {DecisionEvent} decision
 * @param {LedgerEvent[]} events
 * @returns {Recorded}
 */
function asRecorded({ id, version }, { actor, at, sequence, data }, events) {
  const { decision } = data;
  const receipt = { operation_id: id, version, decision, by: actor.name, at, sequence };
  const approved = events.some(
    (event) => event.type === "ProposalApproved" && event.data.version === version,
  );
  const status = ENDS[decision] ?? (approved ? "approved" : "pending");
  return { receipt, delivery: "delivered", status };
}
