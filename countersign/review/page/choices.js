/** The ways to decide: what each says beforehand, and what it asks for. */

import { element, foreign, visible } from "./element.js";
import { KINDS } from "./kinds.js";

/**
 * @typedef {object} Choice
 * @property {"approve"|"revise"|"reject"} decision what the API is told
 * @property {string} label of the button that leads to it
 * @property {string} short the same where there is little room
 * @property {string} key its shortcut
 * @property {string} comment what the comment is for
 * @property {string} needs what to say if it is missing; empty where it may be
 * @property {(version: number) => string} act what sends it
 * @property {(review: import("./review.js").Review) => Node} before what to know before sending it
 */

/** What follows when the last version that there can be is sent back. */
export function ownerFollows(kind) {
  return `nothing is ${KINDS[kind].done}, and a person who owns the matter has to take it up.`;
}

/** @type {Record<string, Choice>} */
const CHOICES = {
  approve: {
    decision: "approve",
    label: "Approve",
    short: "Approve",
    key: "a",
    comment: "Comment (optional; it stands in the history)",
    needs: "",
    act: (version) => `Sign and approve version ${version}`,
    before: signature,
  },
  revise: {
    decision: "revise",
    label: "Ask for changes",
    short: "Changes",
    key: "c",
    comment: "What should change?",
    needs: "Say what should change: whoever goes on with it gets these words.",
    act: () => "Send it back",
    before: ({ version, proposal }) =>
      said(
        proposal.last
          ? `Version ${version} is the last one that there can be. Sending it back ends the operation: ${ownerFollows(proposal.kind)}`
          : `The team writes version ${version + 1} from your words. It gets a deadline of its own and has to be approved anew; version ${version} can't be approved any more.`,
      ),
  },
  edit: {
    decision: "revise",
    label: "Edit the text",
    short: "Edit",
    key: "e",
    comment: "Comment (optional; what you changed, and why)",
    needs: "",
    act: (version) => `Offer my text as version ${version + 1}`,
    before: ({ version }) =>
      said(
        `Your text becomes version ${version + 1}. Someone else has to approve it: nobody is the only one to approve their own correction. It is published only then.`,
      ),
  },
  reject: {
    decision: "reject",
    label: "Reject",
    short: "Reject",
    key: "r",
    comment: "Why?",
    needs: "Say why: the requester reads it in the history.",
    act: (version) => `Reject version ${version}`,
    before: ({ proposal }) =>
      said(
        `This ends the whole operation. Nothing will be ${KINDS[proposal.kind].done}, and nobody can take it back.`,
      ),
  },
};

/** Nobody stands behind an order who could change it as somebody says: who wants a change makes it. */
const ORDER_CHOICES = {
  approve: CHOICES.approve,
  edit: {
    ...CHOICES.edit,
    label: "Correct the order",
    short: "Correct",
    act: (version) => `Send it back as version ${version + 1}`,
    before: ({ version }) =>
      said(
        `Your correction becomes version ${version + 1}, with a deadline of its own. It has to be approved anew; version ${version} can't be approved any more. Where you ask for more of something, a higher price, another vendor or another destination, somebody other than you has to approve it too.`,
      ),
  },
  reject: CHOICES.reject,
};

/**
 * The choices that there are about a version: after the last one, no other can be offered any more.
 *
 * @returns {[string, Choice][]}
 */
export function choicesFor({ kind, last }) {
  const choices = kind === "purchase" ? ORDER_CHOICES : CHOICES;
  return Object.entries(choices).filter(([name]) => !(last && name === "edit"));
}

/** What an approval says, in the words that the reviewer answers for. */
function signature({ me, version, proposal, operation }) {
  return element(
    "div",
    { class: "signature", tabindex: -1 },
    element(
      "p",
      {},
      "I, ",
      foreign(me.name, "strong"),
      `, approve version ${version} of “`,
      foreign(KINDS[proposal.kind].title(proposal)),
      "”.",
    ),
    element("p", {}, visible(operation.consequence)),
    element("p", { class: "hint" }, "Digest ", element("code", {}, visible(proposal.digest))),
  );
}

function said(text) {
  return element("p", {}, text);
}
