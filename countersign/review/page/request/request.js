/** Ask for something: a report or an order. */

import { RequestDraft } from "../browser/request-draft.js";
import { blameFields } from "../elements/checked-field.js";
import { address, element, fill, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { useShortcuts } from "../elements/shortcuts.js";
import { call } from "../session/api.js";
import { Problem } from "../session/problem.js";
import { kinds, kindsToAskFor } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";

/**
 * @import { Me } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { AnyKind, RequestFields, RequestKind } from "../kind.js"
 * @import { View, Visit } from "../view.js"
 */

/**
 * @param {Visit} visit
 * @returns {Promise<View>}
 */
export async function requestView({ query, me, signal, go }) {
  useShortcuts({ i: () => go(address()) }, signal);
  const open = kindsToAskFor(me);
  const chosen = chosenKind(query.get("new"), open);
  const head = [element("h1", {}, "New request"), choices(open, chosen)];
  const { request } = chosen;
  if (!open.includes(chosen)) return viewOf(head, notAllowed(request));
  const make = await request.maker(signal);
  const again = () => go(address({ new: request.form }));
  return viewOf(new RequestForm(make, head, { me, go, again, signal }).element);
}

/**
 * @param {...Child} content
 * @returns {View}
 */
function viewOf(...content) {
  return { title: "New request", place: "new", content };
}

/**
 * Whoever may ask for one thing alone is led to it from everywhere.
 *
 * @param {string|null} form
 * @param {AnyKind[]} open
 */
function chosenKind(form, open) {
  const named = kinds().find(({ request }) => request.form === form);
  return form && named ? named : open.length === 1 ? open[0] : kinds()[0];
}

/** The form around what is asked for: it keeps what is typed, and sends it once. */
class RequestForm {
  #me;
  #go;
  #asked;
  #draft;
  #sending = false;
  #trouble = element("div");
  /** Whether all that the notice at the foot speaks of is marked at its field. */
  #isMarked = false;
  #send;

  /**
   * @param {(changed: () => void) => RequestFields} make
   * @param {Child} head
   * @param {{me: Me, go: Visit["go"], again: () => void, signal: AbortSignal}} options
   */
  constructor(make, head, { me, go, again, signal }) {
    this.#me = me;
    this.#go = go;
    this.#asked = make(() => this.#keep());
    this.#draft = new RequestDraft(this.#asked.draft, me.id);
    this.#send = element("button", { class: "button primary" }, this.#asked.send);
    this.element = element(
      "form",
      {
        class: "request",
        novalidate: true,
        submit: (event) => this.#submit(event),
        input: () => {
          this.#keep();
          this.#mended();
        },
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
          this.#draft.drop();
          again();
        }),
      ),
    );
    this.#asked.typed = this.#draft.typed;
    this.#draft.defend(() => this.#asked.typed, signal);
  }

  #keep() {
    this.#draft.typed = this.#asked.typed;
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    if (!this.#sending && !this.#asked.check()) this.#start();
  }

  /** A notice about marked fields goes with the last mark. */
  #mended() {
    if (!this.#isMarked || this.element.querySelector("[aria-invalid=true]")) return;
    this.#isMarked = false;
    fill(this.#trouble);
  }

  async #start() {
    this.#busy(true);
    this.#isMarked = false;
    this.#keep();
    try {
      const headers = { "Idempotency-Key": this.#draft.typed.key };
      const sent = { json: this.#asked.body, by: this.#me, headers };
      const { operation_id: operation } = await call(this.#asked.path, sent);
      this.#draft.drop();
      await this.#go(address({ operation }));
    } catch (problem) {
      fill(this.#trouble, this.#refusal(problem));
    } finally {
      this.#busy(false);
    }
  }

  /** @param {unknown} problem */
  #refusal(problem) {
    const retry = () => this.#start();
    if (!(problem instanceof Problem)) return problemNotice(problem, { retry });
    if (problem.code === "idempotency_conflict")
      return this.#sentBefore(problem.facts.operation_id);
    if (problem.code !== "malformed") return problemNotice(problem, { retry });
    const reasons = problem.facts.fields ?? {};
    const left = blameFields(reasons, (name) => this.#asked.fieldOf(name));
    problem.facts.fields = left;
    this.#isMarked = Object.keys(left).length === 0;
    return problemNotice(problem);
  }

  /** @param {string} operation */
  #sentBefore(operation) {
    const another = () => {
      this.#draft.begin(this.#asked.typed);
      this.#start();
    };
    return notice(
      "info",
      "This form was sent before with other contents, and that request is in progress.",
      within({ operation }, "Open that request", { class: "button" }),
      button("Send this as another request", another, { class: "button primary" }),
    );
  }

  /** @param {boolean} sending */
  #busy(sending) {
    this.#sending = sending;
    this.#send.disabled = sending;
    fill(this.#send, sending ? "Sending…" : this.#asked.send);
  }
}

/**
 * @param {AnyKind[]} open
 * @param {AnyKind} chosen
 */
function choices(open, chosen) {
  if (open.length < 2) return null;
  const links = open.map((kind) => {
    const { form, label } = kind.request;
    return within({ new: form }, label, { "aria-current": kind === chosen && "page" });
  });
  return element("nav", { class: "lists", "aria-label": "Request" }, links);
}

/** @param {RequestKind} request */
function notAllowed({ label, role }) {
  return notice(
    "info",
    `Requesting ${label.toLowerCase()} needs the role ${role}.`,
    "Ask the person who assigns roles in your organisation.",
    within({}, "Open the inbox", { class: "button" }),
  );
}
