/** What a reviewer has to know before reading: who asks, what follows, by when, and how sure it is. */

import { timeElement } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { countdown } from "../elements/countdown.js";
import { element, foreign, small, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { originName, shortDigest, spelled } from "../words/words.js";
import { approvalsInShort } from "./approvals.js";

/**
 * @import { VersionView } from "../api.js"
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
    fact("Decide by", deadline(review, options)),
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
  return [foreign(operation.requester, "strong"), small(timeElement(operation.created_at))];
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
    element("details", { class: "small" }, element("summary", {}, "Digest"), code, " ", copy),
  ];
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
