/** Who approved a version so far, in which roles, and who has to yet. */

import { foreign } from "../elements/element.js";
import { eitherRole, rolesInWords } from "../words/words.js";

/**
 * @import { Approvals, VersionView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 */

/** What whoever corrected a version, or asked for its changes, has to know before approving it. */
export const OWN_CORRECTION =
  "You changed this or asked for the changes, so someone else has to approve it too: your approval alone does not count.";

/**
 * "1 of 2 approvals: Grace, as purchase approver; one more by a purchase escalation is needed"
 *
 * @param {VersionView} proposal
 * @returns {Child[]}
 */
export function approvalsInWords({ approvals }) {
  const { by, needed } = approvals;
  const names = by.flatMap(({ name, roles }, place) => [
    place ? ", " : ": ",
    foreign(name),
    roles.length ? `, as ${rolesInWords(roles)}` : "",
  ]);
  const approved = [`${by.length} of ${approvals.total} approvals`, names];
  if (!needed.length) return approved;
  return [approved, by.length ? "; " : ", ", stillNeeded(approvals)];
}

/**
 * The same where there is little room: of one approval, only by whom it has to be.
 *
 * @param {VersionView} proposal
 * @returns {Child}
 */
export function approvalsInShort(proposal) {
  const { by, needed } = proposal.approvals;
  if (!by.length && approvalsLeft(proposal.approvals) === 1)
    return `by a ${eitherRole(needed[0].roles)}`;
  return approvalsInWords(proposal);
}

/**
 * "one more by a purchase escalation is needed"
 *
 * @param {Approvals} approvals
 */
export function stillNeeded(approvals) {
  const { by, needed } = approvals;
  const [first, ...others] = needed.map(({ roles }) => `by a ${eitherRole(roles)}`);
  if (approvalsLeft(approvals) === 1 && by.length) return `one more ${first} is needed`;
  const next = by.length ? `${approvalsLeft(approvals)} more are needed, the next` : "the first";
  return [`${next} ${first}`, ...others.map((other) => `the last ${other}`)].join(", ");
}

/**
 * How many people have to approve yet.
 *
 * @param {Approvals} approvals
 */
export function approvalsLeft({ needed }) {
  return needed.reduce((sum, { count }) => sum + count, 0);
}
