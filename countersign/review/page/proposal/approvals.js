/** Who approved a version so far, in which roles, and who has to yet. */

import { foreign } from "../elements/element.js";
import { roleName, rolesInWords } from "../words/words.js";

/**
 * @import { Approvals, VersionView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 */

/** What whoever corrected a version has to know before approving it. */
export const OWN_CORRECTION =
  "You changed this, so somebody else has to approve it too: your approval counts only together with somebody else's.";

/**
 * "1 of 2 approvals: Grace, as purchase approver; one more by a purchase escalation is needed"
 *
 * @param {VersionView} proposal
 * @returns {Child[]}
 */
export function approvalsInWords(proposal) {
  const { by, missing_role: missing } = proposal.approvals;
  const needed = approvalsNeeded(proposal.approvals);
  const names = by.flatMap(({ name, roles }, place) => [
    place ? ", " : ": ",
    foreign(name),
    roles.length ? `, as ${rolesInWords(roles)}` : "",
  ]);
  const approved = [`${by.length} of ${needed} approvals`, names];
  if (!missing || proposal.status !== "pending") return approved;
  return [approved, by.length ? "; " : ", ", stillNeeded(proposal)];
}

/**
 * The same where there is little room: of one approval, only by whom it has to be.
 *
 * @param {VersionView} proposal
 * @returns {Child}
 */
export function approvalsInShort(proposal) {
  const { by, missing_role: missing } = proposal.approvals;
  if (!by.length && approvalsNeeded(proposal.approvals) === 1) return `by a ${roleName(missing)}`;
  return approvalsInWords(proposal);
}

/**
 * "one more by a purchase escalation is needed"
 *
 * @param {{approvals: Approvals}} proposal
 */
export function stillNeeded({ approvals }) {
  const { by, missing_role: missing, countersigner_role: last } = approvals;
  const left = approvalsNeeded(approvals) - by.length;
  if (left === 1 && by.length) return `one more by a ${roleName(missing)} is needed`;
  const next = by.length ? `${left} more are needed, the next` : "the first";
  const open = last && last !== missing && !by.some(({ roles }) => roles.includes(last));
  return `${next} by a ${roleName(missing)}${open ? `, the last by a ${roleName(last)}` : ""}`;
}

/**
 * How many people have to approve in all, as things stand.
 *
 * @param {Approvals} approvals
 */
function approvalsNeeded({ quorum, countersigner_role: countersigner, by, missing_role }) {
  const least = quorum + (countersigner ? 1 : 0);
  return Math.max(least, by.length + (missing_role ? 1 : 0));
}
