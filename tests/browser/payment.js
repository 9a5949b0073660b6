/** A kind of operation that the page has no file for: what a third one brings. */

import { element, visible } from "../elements/element.js";
import { tabs } from "../elements/tabs.js";
import { register } from "../words/kinds.js";

register({
  kind: "payment",
  name: "Payment",
  plural: "Payments",
  noun: "payment",
  done: "paid",
  worker: "The bank",
  team: false,
  title: ({ content }) => `Payment for ${content.title}`,
  roles: { "Report.Reviewer": "payer" },
  origins: { draft: "as the bank prepared it" },
  request: {
    form: "payment",
    label: "A payment",
    role: "payment requester",
  },
  offer: ({ proposal }) => {
    const content = element("p", {}, `Pay for ${visible(proposal.content.title)}`);
    return {
      text: tabs("What is offered", [{ id: "payment", label: "Payment", content }]),
      beside: element("div"),
      shortcuts: {},
      fact: () => ["Amount", "12.50 EUR"],
      update: () => {},
    };
  },
});
