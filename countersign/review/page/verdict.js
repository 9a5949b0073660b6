/** Send a decision so that it is recorded once, and known to be, whatever the network does. */

import { call, operationPath, proposalPath } from "./api.js";
import { ownDecision } from "./review.js";
import { stillBe } from "./session.js";

const LOOKS_MILLISECONDS = [1500, 4000];

/**
 * @typedef {{receipt: object, delivery: "delivered"|"pending", status: string}} Recorded
 *
 * @param {import("./review.js").Review} review
 * @param {object} body the decision, its digest, comment and correction
 * @returns {Promise<Recorded>}
 * @throws {import("./api.js").Problem} it was not recorded, as far as anybody can tell
 */
export async function sendVerdict(review, body) {
  await stillBe(review.me);
  try {
    return await call(proposalPath(review.id, review.version, "/decision"), { json: body });
  } catch (problem) {
    if (problem.code !== "unreachable") throw problem;
    // The request may have arrived, and only the answer was lost.
    const recorded = await recordedAfterAll(review, body.decision);
    if (recorded) return recorded;
    throw problem;
  }
}

async function recordedAfterAll(review, decision) {
  for (const pause of LOOKS_MILLISECONDS) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    const history = await call(operationPath(review.id, "/history")).catch(() => null);
    const mine = history && ownDecision({ ...review, events: history.events });
    if (mine?.data.decision === decision) return asRecorded(review, mine, history.events);
    if (history) return null;
  }
  return null;
}

function asRecorded({ id, version }, { actor, at, sequence, data }, events) {
  const receipt = {
    operation_id: id,
    version,
    decision: data.decision,
    by: actor.name,
    at,
    sequence,
  };
  const approved = events.some(
    (event) => event.type === "ProposalApproved" && event.data.version === version,
  );
  const ends = { reject: "rejected", revise: "superseded" };
  return {
    receipt,
    delivery: "delivered",
    status: ends[data.decision] ?? (approved ? "approved" : "pending"),
  };
}
