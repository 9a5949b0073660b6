/** Who approved a version so far, in which roles, and who has to yet. */

import { element, foreign, visible } from "./element.js";
import { notice } from "./notice.js";
import { beyondInWords } from "./order-changes.js";
import { isOwnCorrection } from "./review.js";
import { timeElement } from "./time.js";
import { roleName } from "./words.js";

/** What whoever corrected a version has to know before approving it. */
export const OWN_CORRECTION =
  "You changed this, so somebody else has to approve it too: your approval counts only together with somebody else's.";

/** "1 of 2 approvals: Grace, as purchase approver; one more by a purchase escalation is needed" */
function approvalsInWords(proposal) {
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

/** The same where there is little room: of one approval, only by whom it has to be. */
export function approvalsInShort(proposal) {
  const { by, missing_role: missing } = proposal.approvals;
  if (!by.length && approvalsNeeded(proposal.approvals) === 1) return `by a ${roleName(missing)}`;
  return approvalsInWords(proposal);
}

/** "one more by a purchase escalation is needed" */
export function stillNeeded({ approvals }) {
  const { by, missing_role: missing, countersigner_role: last } = approvals;
  const left = approvalsNeeded(approvals) - by.length;
  if (left === 1 && by.length) return `one more by a ${roleName(missing)} is needed`;
  const next = by.length ? `${left} more are needed, the next` : "the first";
  const open = last && last !== missing && !by.some(({ roles }) => roles.includes(last));
  return `${next} by a ${roleName(missing)}${open ? `, the last by a ${roleName(last)}` : ""}`;
}

/** How many people have to approve in all, as things stand. */
function approvalsNeeded({ quorum, countersigner_role: countersigner, by, missing_role }) {
  const least = quorum + (countersigner ? 1 : 0);
  return Math.max(least, by.length + (missing_role ? 1 : 0));
}

export function rolesInWords(roles) {
  return roles.map(roleName).join(" and ");
}

/** @param {import("./review.js").Review} review */
export function approvalsElement(review) {
  const { proposal } = review;
  return element(
    "section",
    { class: "card approvals", "aria-labelledby": "approvals-title" },
    element("h2", { id: "approvals-title" }, "Approvals"),
    element("p", { class: "approvals-stand" }, approvalsInWords(proposal), "."),
    element("ol", {}, approvedElements(proposal)),
    ruleElement(review),
  );
}

function approvedElements({ decisions, approvals }) {
  const approved = decisions.filter(({ decision }) => decision === "approve");
  return approvals.by.map(({ name, roles }, place) => {
    const { at, comment } = approved[place];
    return element(
      "li",
      {},
      foreign(name, "strong"),
      ` approved it as ${rolesInWords(roles)}, `,
      timeElement(at),
      comment && element("p", { class: "comment", dir: "auto" }, visible(comment)),
    );
  });
}

/** Four eyes: what goes beyond the version before is never approved by its corrector alone. */
function ruleElement(review) {
  const { correctors } = review.proposal.approvals;
  if (!correctors.length) return null;
  const names = correctors.flatMap((name, place) => [place ? ", " : "", foreign(name)]);
  const changes = review.proposal.changes;
  const asked = changes?.widened?.length
    ? ["Beyond version ", String(changes.since), ": ", beyondInWords(changes.widened), "."]
    : [];
  if (isOwnCorrection(review)) return notice("warn", OWN_CORRECTION, element("span", {}, asked));
  const rule = "Whoever corrected it can't be the only one to approve it. ";
  return notice("info", ["Corrected by ", names, "."], rule, element("span", {}, asked));
}
