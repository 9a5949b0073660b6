/** An order that is offered: its lines, what changed in them, and who approved it so far. */

import { approvalsElement } from "./approvals.js";
import { count, element, fill, small } from "../elements/element.js";
import { amountInWords, orderElement } from "./order.js";
import { tabs } from "../elements/tabs.js";

export class OrderOffer {
  shortcuts = {};
  beside = element("div", { class: "review-beside" });

  /**
   * @param {import("../proposal/review.js").Review} review
   * @param {{id: string, label: string, content: Node}|null} changes the tab of what changed
   */
  constructor(review, changes) {
    const order = orderElement(review.proposal.content);
    const parts = [{ id: "order", label: "Order", content: order }, changes];
    this.text = tabs("What is offered", parts.filter(Boolean));
    this.update(review);
  }

  /** What only an order has among the facts on top: what it costs. */
  fact({ proposal }) {
    const { total, currency, lines } = proposal.content;
    const amount = element("strong", { class: "amount" }, amountInWords(total, currency));
    return ["Amount", [amount, small(count(lines.length, "line"))]];
  }

  update(review) {
    fill(this.beside, approvalsElement(review));
  }
}
