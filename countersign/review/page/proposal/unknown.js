/** A version of a kind that this page does not know: it can be told of, and not be read. */

import { element } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { tabs } from "../elements/tabs.js";
import { unknownInWords } from "../words/kinds.js";

/** @import { Offer, Review } from "../kind.js" */

/**
 * @param {Review} review
 * @returns {Offer}
 */
export function unknownOffer({ proposal }) {
  const content = notice("warn", unknownInWords(proposal.kind), "It cannot be shown here.");
  return {
    text: tabs("Proposal", [{ id: "offered", label: "Version", content }]),
    beside: element("div", { class: "review-beside" }),
    shortcuts: {},
    fact: () => null,
    update: () => {},
  };
}
