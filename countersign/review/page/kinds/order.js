/** Orders: placed once the people whom their amount takes approved vendor, lines and total. */

import { orderDifference } from "../order/changes.js";
import { ORDER_CHANGES } from "../order/choices.js";
import { OrderEditor } from "../order/editor.js";
import { OrderOffer } from "../order/offer.js";
import { orderedElement } from "../order/ordered.js";
import { numberInWords, ORDER_RECEIPT } from "../order/receipt.js";
import { orderMaker } from "../order/request.js";
import { afterEnd } from "../order/unconfirmed.js";
import { register } from "../words/kinds.js";

/**
 * @import { Kind } from "../kind.js"
 * @import { OrderVersion } from "../order/order.js"
 */

/** @type {Kind<OrderVersion>} */
const ORDER = {
  kind: "purchase",
  name: "Order",
  plural: "Orders",
  noun: "order",
  done: "ordered",
  worker: "The app",
  icon: "cart",
  team: false,
  // It is called by what it is now, and not by what was asked for.
  title: ({ content, amount }) => `Order from ${content.vendor} for ${amount}`,
  roles: {
    "Purchase.Requester": "purchase requester",
    "Purchase.Approver": "purchase approver",
    "Purchase.Escalation": "purchase escalation",
  },
  stages: { ordering: "placing the approved order" },
  origins: {
    draft: "as requested",
    correction: "corrected by a reviewer",
    escalation: "the same order, escalated because nobody decided",
  },
  ends: {
    ordered: "It was approved and ordered once, and the purchasing system confirmed it.",
    write_unknown:
      "The order was sent, but the purchasing system did not confirm what was approved: it may have been placed. Check there before anyone orders again.",
    failed: "The order could not be placed, or an operator terminated it.",
  },
  request: {
    form: "order",
    label: "An order",
    role: "purchase requester",
    draft: "order-request",
    again: (_, first) => ({ ...first?.content }),
    maker: orderMaker,
  },
  changes: ORDER_CHANGES,
  offer: (review, changes) => new OrderOffer(review, changes),
  editor: (review, draft, changed, signal) => new OrderEditor(review, draft, changed, signal),
  difference: (changes, { currency }) => orderDifference(changes, currency),
  carriedOut: orderedElement,
  receipt: ORDER_RECEIPT,
  recordedAs: numberInWords,
  afterEnd,
};

register(ORDER);
