/** The ways to decide: what each says beforehand, and what it asks for. */

import { element, fill, foreign, visible } from "../elements/element.js";
import { passed } from "../session/api.js";
import { kindOf } from "../words/kinds.js";
import { consequenceOf } from "./consequence.js";

/**
 * @import { VersionView } from "../api.js"
 * @import { Choice, Review } from "../kind.js"
 */

/**
 * What follows when the last version that there can be is sent back.
 *
 * @param {string} kind
 */
export function ownerFollows(kind) {
  return `nothing is ${kindOf(kind).done}, and the person who owns the matter has to take over.`;
}

/** @type {Choice} */
const APPROVE = {
  decision: "approve",
  label: "Approve",
  short: "Approve",
  key: "a",
  comment: "Comment (optional, visible in the history)",
  needs: "",
  act: (version) => `Sign and approve version ${version}`,
  before: signature,
};

/** @type {Choice} */
const REJECT = {
  decision: "reject",
  label: "Reject",
  short: "Reject",
  key: "r",
  comment: "Why?",
  needs: "Give a reason: the requester sees it in the history.",
  act: (version) => `Reject version ${version}`,
  before: ({ proposal }) =>
    said(
      `This ends the operation. Nothing will be ${kindOf(proposal.kind).done}, and you cannot undo it.`,
    ),
};

/**
 * The choices that there are about a version: after the last one, no other can be offered any more.
 *
 * @param {VersionView} proposal
 * @returns {[string, Choice][]}
 */
export function choicesFor({ kind, last }) {
  const choices = { approve: APPROVE, ...kindOf(kind).changes, reject: REJECT };
  return Object.entries(choices).filter(([name]) => !(last && name === "edit"));
}

/**
 * What an approval says, in the words that the reviewer answers for.
 *
 * @param {Review} review
 */
function signature({ me, id, version, proposal }) {
  const follows = element("p");
  consequenceOf(id, proposal, me)
    .then((consequence) => fill(follows, visible(consequence)))
    // Why the API refuses an approval is told when it is sent.
    .catch((problem) => {
      passed(problem);
      fill(follows, "What follows could not be loaded.");
    });
  return element(
    "div",
    { class: "signature", tabindex: -1 },
    element(
      "p",
      {},
      "I, ",
      foreign(me.name, "strong"),
      `, approve version ${version} of “`,
      foreign(kindOf(proposal.kind).title(proposal)),
      "”.",
    ),
    follows,
    proposal.may.passkey_required &&
      element("p", { class: "hint" }, "Your device will ask you to sign with your passkey."),
    element(
      "details",
      {},
      element("summary", {}, "What is signed"),
      element("p", { class: "hint" }, "Digest ", element("code", {}, visible(proposal.digest))),
    ),
  );
}

/**
 * What a choice says before it is sent, as one paragraph.
 *
 * @param {string} text
 */
export function said(text) {
  return element("p", {}, text);
}
