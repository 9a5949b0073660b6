/** Ask for something: a report or an order. */

import { call } from "./api.js";
import { blameFields } from "./checked-field.js";
import { address, element, fill, within } from "./element.js";
import { forget, keep, kept } from "./keep.js";
import { button, notice } from "./notice.js";
import { OrderRequest } from "./order-request.js";
import { problemNotice } from "./problem.js";
import { ReportRequest } from "./report-request.js";
import { useShortcuts } from "./shortcuts.js";

/** What can be asked for, by what stands in the address after `new`. */
const FORMS = {
  "": { label: "A report", may: "request", role: "requester" },
  order: { label: "An order", may: "purchase", role: "purchase requester" },
};

export async function requestView({ query, me, signal, go }) {
  useShortcuts({ i: () => go(address()) }, signal);
  const open = Object.keys(FORMS).filter((name) => me.may?.[FORMS[name].may]);
  // Whoever may ask for one thing alone is led to it from everywhere.
  const asked = Object.hasOwn(FORMS, query.get("new")) ? query.get("new") : "";
  const chosen = asked === "" && open.length === 1 ? open[0] : asked;
  const head = [element("h1", {}, "New request"), choices(open, chosen)];
  const view = { title: "New request", place: "new" };
  if (!open.includes(chosen)) return { ...view, content: [head, notAllowed(FORMS[chosen])] };
  const make = await makerOf(chosen, signal);
  const again = () => go(address({ new: chosen }));
  return { ...view, content: [new RequestForm(make, head, { me, go, again }).element] };
}

async function makerOf(name, signal) {
  if (name === "order") return (changed) => new OrderRequest(changed);
  const [limits, sources] = await Promise.all([
    call("documents", { signal }),
    call("sources", { signal }),
  ]);
  return (changed) => new ReportRequest(limits, sources, signal, changed);
}

/** The form around what is asked for: it keeps what is typed, and sends it once. */
class RequestForm {
  #me;
  #go;
  #asked;
  #name;
  #sending = false;
  #trouble = element("div");
  #send;

  constructor(make, head, { me, go, again }) {
    this.#me = me;
    this.#go = go;
    this.#asked = make(() => this.#keep());
    this.#name = `${this.#asked.draft}:${me.id}`;
    this.#send = element("button", { class: "button primary" }, this.#asked.send);
    this.element = element(
      "form",
      {
        class: "request",
        novalidate: true,
        submit: (event) => this.#submit(event),
        input: () => this.#keep(),
      },
      head,
      element("p", { class: "lead" }, this.#asked.lead),
      this.#asked.elements,
      this.#trouble,
      element(
        "div",
        { class: "actions" },
        this.#send,
        button("Clear the form", () => {
          forget(this.#name);
          again();
        }),
      ),
    );
    this.#asked.typed = this.#draft;
  }

  get #draft() {
    return kept(this.#name) ?? {};
  }

  #keep() {
    // One key for each form: sending it twice, or again after a lost answer, makes one operation.
    keep(this.#name, { key: crypto.randomUUID(), ...this.#draft, ...this.#asked.typed });
  }

  #submit(event) {
    event.preventDefault();
    if (!this.#sending && !this.#asked.check()) this.#start();
  }

  async #start() {
    this.#busy(true);
    this.#keep();
    try {
      const headers = { "Idempotency-Key": this.#draft.key };
      const sent = { json: this.#asked.body, by: this.#me, headers };
      const { operation_id: operation } = await call(this.#asked.path, sent);
      forget(this.#name);
      await this.#go(address({ operation }));
    } catch (problem) {
      fill(this.#trouble, this.#refusal(problem));
    } finally {
      this.#busy(false);
    }
  }

  #refusal(problem) {
    if (problem.code === "idempotency_conflict")
      return this.#sentBefore(problem.facts.operation_id);
    if (problem.code !== "malformed") return problemNotice(problem, { retry: () => this.#start() });
    const reasons = problem.facts.fields ?? {};
    problem.facts.fields = blameFields(reasons, (name) => this.#asked.fieldOf(name));
    return problemNotice(problem);
  }

  #sentBefore(operation) {
    const another = () => {
      keep(this.#name, { ...this.#draft, key: crypto.randomUUID() });
      this.#start();
    };
    return notice(
      "info",
      "This form was sent before, with other words in it, and that request is on its way.",
      within({ operation }, "Open that request", { class: "button" }),
      button("Send this as another request", another, { class: "button primary" }),
    );
  }

  #busy(sending) {
    this.#sending = sending;
    this.#send.disabled = sending;
    fill(this.#send, sending ? "Sending…" : this.#asked.send);
  }
}

function choices(open, chosen) {
  if (open.length < 2) return null;
  const links = open.map((name) =>
    within({ new: name }, FORMS[name].label, { "aria-current": name === chosen && "page" }),
  );
  return element("nav", { class: "lists", "aria-label": "What to ask for" }, links);
}

function notAllowed({ label, role }) {
  return notice(
    "info",
    `Asking for ${label.toLowerCase()} needs the role ${role}.`,
    "Ask whoever gives out roles in your organisation.",
    within({}, "Open the inbox", { class: "button" }),
  );
}
