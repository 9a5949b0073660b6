/** An order that is offered: its lines, what changed in them, and who approved it so far. */

import { count, element, fill, small } from "../elements/element.js";
import { tabs } from "../elements/tabs.js";
import { approvalsElement } from "./approvals.js";
import { amountInWords, orderElement } from "./order.js";

/**
 * @import { Child } from "../elements/element.js"
 * @import { Tab } from "../kind.js"
 * @import { OrderReview } from "./order.js"
 */

export class OrderOffer {
  shortcuts = {};
  beside = element("div", { class: "review-beside" });

  /**
   * @param {OrderReview} review
   * @param {Tab|null} changes the tab of what changed
   */
  constructor(review, changes) {
    const order = orderElement(review.proposal.content);
    const parts = [{ id: "order", label: "Order", content: order }, changes ?? []].flat();
    this.text = tabs("Proposal", parts);
    this.update(review);
  }

  /**
   * What only an order has among the facts on top: what it costs.
   *
   * @param {OrderReview} review
   * @returns {[string, Child]}
   */
  fact({ proposal }) {
    const { total, currency, lines } = proposal.content;
    const amount = element("strong", { class: "amount" }, amountInWords(total, currency));
    return ["Amount", [amount, small(count(lines.length, "line"))]];
  }

  /** @param {OrderReview} review */
  update(review) {
    fill(this.beside, approvalsElement(review));
  }
}
