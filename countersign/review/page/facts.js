/** What a reviewer has to know before reading: who asks, what follows, by when, and how sure it is. */

import { announce } from "./announce.js";
import { countdown } from "./countdown.js";
import { count, element, foreign, icon, visible } from "./element.js";
import { verdictOn } from "./evidence.js";
import { button } from "./notice.js";
import { timeElement } from "./time.js";
import { ORIGINS, roleName, shortDigest, spelled } from "./words.js";

/**
 * @param {import("./review.js").Review} review
 * @param {{signal: AbortSignal, ended: () => void, showEvidence: () => void}} options
 */
export function factsElement(review, options) {
  return element(
    "dl",
    { class: "facts" },
    fact("Asked by", requested(review)),
    fact("On approval", consequence(review)),
    fact("Decide by (your time)", deadline(review, options)),
    fact("Version", version(review.proposal)),
    fact("Evidence", evidence(review, options)),
  );
}

function fact(name, content) {
  return (
    content &&
    element("div", { class: "fact" }, element("dt", {}, name), element("dd", {}, content))
  );
}

function requested({ operation }) {
  return [
    foreign(operation.requester, "strong"),
    small(timeElement(operation.created_at)),
    small(cost(operation.usage)),
  ];
}

function consequence({ operation }) {
  return visible(operation.consequence ?? "The report is published, exactly as shown here.");
}

function deadline({ proposal }, { signal, ended }) {
  const at = timeElement(proposal.expires_at);
  if (proposal.status !== "pending") return [spelled(proposal.status), small("was due ", at)];
  const left = countdown(proposal.expires_at, { signal, ended });
  return [left, small(at), small(approval(proposal))];
}

function version({ version: number, origin, digest }) {
  const code = element("code", { class: "digest", title: digest }, shortDigest(digest));
  const copy = button("Copy", () => copyText(digest), {
    class: "link",
    "aria-label": "Copy the whole digest",
  });
  return [
    element("strong", {}, String(number)),
    small(ORIGINS[origin] ?? ""),
    small("Digest ", code, " ", copy),
  ];
}

function evidence({ proposal }, { showEvidence }) {
  const { good, said, more } = verdictOn(proposal.evidence);
  return [
    button([icon(good ? "check" : "alert"), said], showEvidence, {
      class: "link tally",
      "data-state": good ? "good" : "bad",
    }),
    small(more),
  ];
}

function approval({ required_role: role, quorum = 1, decisions }) {
  const approvals = decisions.filter(({ decision }) => decision === "approve");
  if (quorum === 1 && !approvals.length) return `by a ${roleName(role)}`;
  const names = approvals.flatMap(({ by }, place) => [place ? ", " : ": ", foreign(by)]);
  return [`${approvals.length} of ${quorum} approvals by a ${roleName(role)}`, names];
}

function cost(usage) {
  if (!usage) return null;
  const share = usage.limit
    ? `, ${percent(usage.tokens / usage.limit)} of its budget`
    : "";
  return `${count(usage.tokens, "token")} so far${share}`;
}

function percent(share) {
  return share < 0.01 ? "less than 1 %" : `${Math.round(100 * share)} %`;
}

function small(...content) {
  return element("span", { class: "small" }, content);
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    announce("The browser does not let this page copy. The digest is in the ledger's history too.");
  }
}
