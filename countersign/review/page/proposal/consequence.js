/** What follows from a person's approval: at once, or once others have approved it, too. */

import { call, proposalPath } from "../session/api.js";
import { kindOf } from "../words/kinds.js";
import { approvalsLeft, stillNeeded } from "./approvals.js";

/**
 * @import { Me, VersionView } from "../api.js"
 */

/**
 * Say what follows if this person approves; the API is asked only where others may be needed.
 *
 * @param {string} id of the operation
 * @param {VersionView} proposal
 * @param {Me} me
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function consequenceOf(id, proposal, me, signal) {
  const { approvals, consequence, digest, kind, own_correction, version } = proposal;
  if (approvalsLeft(approvals) === 1 && !own_correction) return consequence;
  const json = { decision: "approve", digest, comment: "" };
  const path = proposalPath(id, version, "/preview");
  const after = (await call(path, { json, by: me, signal })).approvals;
  if (!approvalsLeft(after)) return consequence;
  return `Nothing is ${kindOf(kind).done} yet: ${stillNeeded(after)}.`;
}
