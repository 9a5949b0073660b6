/** Who approved a version of an order so far, and what follows from a correction. */

import { timeElement } from "../browser/time.js";
import { element, foreign, visible } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { approvalsInWords, OWN_CORRECTION } from "../proposal/approvals.js";
import { rolesInWords } from "../words/words.js";
import { beyondInWords } from "./changes.js";

/**
 * @import { VersionView } from "../api.js"
 * @import { OrderReview } from "./order.js"
 */

/** @param {OrderReview} review */
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

/** @param {VersionView} proposal */
function approvedElements({ decisions, approvals }) {
  const approved = decisions.filter(
    ({ decision, taken_back_at: back }) => decision === "approve" && !back,
  );
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

/**
 * Four eyes: what goes beyond the version before is never approved by its corrector alone.
 *
 * @param {OrderReview} review
 */
function ruleElement(review) {
  const { correctors } = review.proposal.approvals;
  if (!correctors.length) return null;
  const names = correctors.flatMap((name, place) => [place ? ", " : "", foreign(name)]);
  const changes = review.proposal.changes;
  const asked = changes?.widened?.length
    ? ["Beyond version ", String(changes.since), ": ", beyondInWords(changes.widened), "."]
    : [];
  if (review.proposal.own_correction)
    return notice("warn", OWN_CORRECTION, element("span", {}, asked));
  const rule = "The person who corrected it cannot be the only one to approve it. ";
  return notice("info", ["Corrected by ", names, "."], rule, element("span", {}, asked));
}
