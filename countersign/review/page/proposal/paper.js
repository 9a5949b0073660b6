/** What a printed version ends with: which it is to the letter, and who decided. */

import { exactTime, timeElement } from "../browser/time.js";
import { element, foreign, visible } from "../elements/element.js";
import { decided } from "../words/words.js";
import { decisionsAbout } from "./review.js";

/** @import { Review } from "../kind.js" */

/** @param {Review} review */
export function paperElement({ id, version, proposal, events }) {
  const signed = decisionsAbout(events, version).map(({ actor, at, data }) =>
    element(
      "p",
      {},
      foreign(actor.name, "strong"),
      ` ${decided(data.decision, data.correction)} this version, `,
      timeElement(at, exactTime),
    ),
  );
  return element(
    "footer",
    { class: "on-paper" },
    element("p", {}, `Version ${version} of `, visible(id), `, ${visible(proposal.status)}`),
    element("p", {}, "SHA-256 ", element("code", {}, visible(proposal.digest))),
    signed,
  );
}
