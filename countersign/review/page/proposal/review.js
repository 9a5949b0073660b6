/** All that is known about one version while somebody reviews it. */

import { call, operationPath, proposalPath } from "../session/api.js";
import { readLimits } from "../session/limits.js";
import { see, seenBefore } from "./seen.js";

/**
 * @import { ActorView, Me, VersionView } from "../api.js"
 * @import { LedgerEvent, Review } from "../kind.js"
 */

/**
 * A decision as it stands in the history.
 *
 * @typedef {LedgerEvent & {at: string, actor: ActorView}} DecisionEvent
 */

/**
 * @param {string} id
 * @param {number} version
 * @param {Me} me
 * @param {AbortSignal} signal
 * @returns {Promise<Review>}
 */
export async function readReview(id, version, me, signal) {
  const seen = seenBefore(me.id, id, version);
  const [facts, proposal, limits] = await Promise.all([
    readFacts(id, signal),
    readProposal(id, version, seen, signal),
    readLimits(),
  ]);
  see(me.id, id, version);
  return { id, version, me, seen, proposal, limits, ...facts };
}

/**
 * The same review with what has happened meanwhile, or this very one if nothing has.
 *
 * @param {Review} review
 * @param {AbortSignal} signal
 * @returns {Promise<Review>}
 */
export async function refreshed(review, signal) {
  const operation = await call(operationPath(review.id), { signal });
  // It says when a deadline has passed, too, that nobody has recorded yet.
  if (JSON.stringify(operation) === JSON.stringify(review.operation)) return review;
  return readReview(review.id, review.version, review.me, signal);
}

/**
 * The version with what changed in it since another one, by default the one before.
 *
 * @param {string} id
 * @param {number} version
 * @param {number|null|undefined} since
 * @param {AbortSignal} signal
 * @returns {Promise<VersionView>}
 */
export function readProposal(id, version, since, signal) {
  const query = since ? `?since=${since}` : "";
  return call(proposalPath(id, version, query), { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Pick<Review, "operation"|"events">>}
 */
async function readFacts(id, signal) {
  const [operation, history] = await Promise.all([
    call(operationPath(id), { signal }),
    call(operationPath(id, "/history"), { signal }),
  ]);
  return { operation, events: history.events };
}

/**
 * The decisions that stand about a version, the first one first: those that nobody took back, and
 * the approvals of an expired version that count for this one.
 *
 * @param {LedgerEvent[]} events
 * @param {number} version
 */
export function decisionsAbout(events, version) {
  const kept = openingOf(events, version)?.data.kept ?? [];
  const back = events.filter(({ type }) => type === "ApprovalTakenBack");
  const found = events.filter(
    ({ type, data, sequence }) =>
      type === "DecisionRecorded" &&
      (data.version === version || kept.includes(sequence)) &&
      !back.some((event) => event.data.approval === sequence && event.data.version <= version),
  );
  return /** @type {DecisionEvent[]} */ (found);
}

/**
 * @param {LedgerEvent[]} events
 * @param {number} version
 */
function openingOf(events, version) {
  return events.find(({ type, data }) => type === "ProposalOpened" && data.version === version);
}

/**
 * What this person decided about the version, if anything.
 *
 * @param {Review} review
 */
export function ownDecision({ events, version, me }) {
  return decisionsAbout(events, version).find(({ actor }) => actor.id === me.id);
}
