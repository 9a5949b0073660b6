/** Letters of reply: what a third kind brings to the page, and nothing else. */

import { CheckedField } from "../elements/checked-field.js";
import { element, visible } from "../elements/element.js";
import { tabs } from "../elements/tabs.js";
import { register } from "../words/kinds.js";

class ReplyRequest {
  path = "replies";
  draft = "reply-request";
  send = "Request the letter";
  lead = "It is sent only after someone else has approved exactly this text.";
  #customer = new CheckedField("Customer", element("input", { id: "customer" }));
  #text = new CheckedField("Letter", element("textarea", { id: "letter", rows: 5 }));

  get elements() {
    return [this.#customer.element, this.#text.element];
  }

  get typed() {
    return { customer: this.#customer.control.value, text: this.#text.control.value };
  }

  set typed({ customer = "", text = "" }) {
    this.#customer.control.value = customer;
    this.#text.control.value = text;
  }

  get body() {
    return this.typed;
  }

  check() {
    return false;
  }

  fieldOf(name) {
    return { customer: this.#customer, text: this.#text }[name];
  }
}

register({
  kind: "reply",
  name: "Letter",
  plural: "Letters",
  noun: "letter",
  done: "sent",
  worker: "The app",
  team: false,
  title: ({ content }) => `Letter to ${content.customer}`,
  roles: { "Reply.Requester": "letter writer", "Reply.Approver": "letter approver" },
  stages: { addressing: "addressing the letter", sending: "sending the letter" },
  ends: { sent: "It was approved and sent once." },
  request: {
    form: "reply",
    label: "A letter",
    role: "letter writer",
    maker: async () => () => new ReplyRequest(),
  },
  offer: ({ proposal }) => {
    const content = element("p", {}, visible(proposal.content.text));
    return {
      text: tabs("What is offered", [{ id: "letter", label: "Letter", content }]),
      beside: element("div"),
      shortcuts: {},
      fact: () => ["Customer", visible(proposal.content.customer)],
      update: () => {},
    };
  },
});
