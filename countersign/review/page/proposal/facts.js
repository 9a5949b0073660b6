/** What a reviewer has to know before reading: who asks, what follows, by when, and how sure it is. */

import { announce } from "../elements/announce.js";
import { approvalsInShort } from "./approvals.js";
import { countdown } from "../elements/countdown.js";
import { count, element, foreign, small, visible } from "../elements/element.js";
import { kindOf } from "../words/kinds.js";
import { button } from "../elements/notice.js";
import { timeElement } from "../browser/time.js";
import { originName, shortDigest, spelled } from "../words/words.js";

/**
 * @param {import("./review.js").Review} review
 * @param {{signal: AbortSignal, ended: () => void, own: [string, Array]}} options `own` is the name
 *   and the content of the fact that only operations of its kind have
 */
export function factsElement(review, options) {
  return element(
    "dl",
    { class: "facts" },
    fact("Asked by", requested(review)),
    fact("On approval", consequence(review)),
    fact("Decide by (your time)", deadline(review, options)),
    fact("Version", version(review.proposal)),
    options.own && fact(...options.own),
  );
}

function fact(name, content) {
  return (
    content &&
    element("div", { class: "fact" }, element("dt", {}, name), element("dd", {}, content))
  );
}

function requested({ operation }) {
  const { team } = kindOf(operation.kind);
  return [
    foreign(operation.requester, "strong"),
    small(timeElement(operation.created_at)),
    team && small(cost(operation.usage)),
  ];
}

function consequence({ operation }) {
  return visible(operation.consequence);
}

function deadline({ proposal }, { signal, ended }) {
  const at = timeElement(proposal.expires_at);
  if (proposal.status !== "pending") return [spelled(proposal.status), small("was due ", at)];
  const left = countdown(proposal.expires_at, { signal, ended });
  return [left, small(at), small(approvalsInShort(proposal))];
}

function version({ version: number, origin, digest, kind }) {
  const code = element("code", { class: "digest", title: digest }, shortDigest(digest));
  const copy = button("Copy", () => copyText(digest), {
    class: "link",
    "aria-label": "Copy the whole digest",
  });
  return [
    element("strong", {}, String(number)),
    small(originName(origin, kind)),
    small("Digest ", code, " ", copy),
  ];
}

function cost(usage) {
  if (!usage) return null;
  const share = usage.limit ? `, ${percent(usage.tokens / usage.limit)} of its budget` : "";
  return `${count(usage.tokens, "token")} so far${share}`;
}

function percent(share) {
  return share < 0.01 ? "less than 1 %" : `${Math.round(100 * share)} %`;
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    announce("The browser does not let this page copy. The digest is in the ledger's history too.");
  }
}
