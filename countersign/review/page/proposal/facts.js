/** What a reviewer has to know before reading: who asks, what follows, by when, and how sure it is. */

import { timeElement } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { countdown } from "../elements/countdown.js";
import { count, element, foreign, small, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { kindOf } from "../words/kinds.js";
import { originName, shortDigest, spelled } from "../words/words.js";
import { approvalsInShort } from "./approvals.js";

/**
 * @import { TokenUsage, VersionView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { Review } from "../kind.js"
 */

/**
 * @typedef {object} Options
 * @property {AbortSignal} signal
 * @property {() => void} ended called at the deadline
 * @property {[string, Child]|null} own the name and content of what only its kind has
 */

/**
 * @param {Review} review
 * @param {Options} options
 */
export function factsElement(review, options) {
  return element(
    "dl",
    { class: "facts" },
    fact("Requested by", requested(review)),
    fact("On approval", consequence(review)),
    fact("Decide by (your time)", deadline(review, options)),
    fact("Version", version(review.proposal)),
    options.own && fact(...options.own),
  );
}

/**
 * @param {string} name
 * @param {Child} content
 */
function fact(name, content) {
  return (
    content &&
    element("div", { class: "fact" }, element("dt", {}, name), element("dd", {}, content))
  );
}

/** @param {Review} review */
function requested({ operation }) {
  const { team } = kindOf(operation.kind);
  return [
    foreign(operation.requester, "strong"),
    small(timeElement(operation.created_at)),
    team && small(cost(operation.usage)),
  ];
}

/** @param {Review} review */
function consequence({ operation }) {
  return visible(operation.consequence);
}

/**
 * @param {Review} review
 * @param {Options} options
 */
function deadline({ proposal }, { signal, ended }) {
  const at = timeElement(proposal.expires_at);
  if (proposal.status !== "pending") return [spelled(proposal.status), small("was due ", at)];
  const left = countdown(proposal.expires_at, { signal, ended });
  return [left, small(at), small(approvalsInShort(proposal))];
}

/** @param {VersionView} proposal */
function version({ version: number, origin, digest, kind }) {
  const code = element("code", { class: "digest", title: digest }, shortDigest(digest));
  const copy = button("Copy", () => copyText(digest), {
    class: "link",
    "aria-label": "Copy the full digest",
  });
  return [
    element("strong", {}, String(number)),
    small(originName(origin, kind)),
    small("Digest ", code, " ", copy),
  ];
}

/** @param {TokenUsage} usage */
function cost(usage) {
  if (!usage) return null;
  const share = usage.limit ? `, ${percent(usage.tokens / usage.limit)} of its budget` : "";
  return `${count(usage.tokens, "token")} so far${share}`;
}

/** @param {number} share */
function percent(share) {
  return share < 0.01 ? "less than 1 %" : `${Math.round(100 * share)} %`;
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    announce("The browser does not let this page copy. The digest is in the history too.");
  }
}
