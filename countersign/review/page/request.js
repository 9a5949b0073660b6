/** Ask for a report. */

import { call } from "./api.js";
import { Documents } from "./documents.js";
import { address, count, element, fill, foreign, within } from "./element.js";
import { forget, keep, kept } from "./keep.js";
import { button, field, notice } from "./notice.js";
import { problemNotice } from "./problem.js";
import { useShortcuts } from "./shortcuts.js";
import { Terms } from "./terms.js";

const LEAD =
  "A team of three agents researches the topic, checks each fact against its source and drafts a" +
  " report. It is published only after somebody other than you has approved exactly that text.";

export async function requestView({ me, signal, go }) {
  useShortcuts({ i: () => go(address()) }, signal);
  const view = { title: "New request", place: "new" };
  if (!me.may?.request) return { ...view, content: [element("h1", {}, view.title), notAllowed()] };
  const limits = await call("documents", { signal });
  return { ...view, content: [new RequestForm(me, limits, signal, go).element] };
}

class RequestForm {
  #me;
  #go;
  #name;
  #documents;
  #sending = false;
  #terms = new Terms();
  #topic = element("input", {
    id: "topic",
    maxlength: 300,
    autocomplete: "off",
    "aria-describedby": "topic-fault",
  });
  #subtopics = element("textarea", {
    id: "subtopics",
    rows: 4,
    "aria-describedby": "subtopics-hint",
  });
  #fault = element("p", { class: "fault", id: "topic-fault" });
  #trouble = element("div");
  #send = element("button", { class: "button primary" }, "Ask for the report");

  constructor(me, limits, signal, go) {
    this.#me = me;
    this.#go = go;
    this.#name = `request:${me.id}`;
    this.#topic.addEventListener("input", () => this.#blame(""));
    this.#documents = new Documents(limits, signal, () => this.#keep());
    this.element = element(
      "form",
      {
        class: "request",
        novalidate: true,
        submit: (event) => this.#submit(event),
        input: () => this.#keep(),
      },
      this.#parts(),
    );
    this.#restore();
  }

  get #draft() {
    return kept(this.#name) ?? {};
  }

  #parts() {
    const hint = element(
      "p",
      { class: "hint", id: "subtopics-hint" },
      "One on each line. Without any, the team plans them itself.",
    );
    const own = element(
      "p",
      { class: "hint" },
      "With documents of yours, the team looks in them and not in the library.",
    );
    return [
      element("h1", {}, "New request"),
      element("p", { class: "lead" }, LEAD),
      this.#lostFiles(),
      field("Topic", this.#topic, this.#fault),
      field("Subtopics (optional)", this.#subtopics, hint),
      element(
        "fieldset",
        {},
        element("legend", {}, "Documents to research in (optional)"),
        own,
        this.#documents.element,
      ),
      this.#terms.element,
      this.#trouble,
      element(
        "div",
        { class: "actions" },
        this.#send,
        button("Clear the form", () => this.#clear()),
      ),
    ];
  }

  /** Files can't be kept between visits, so the page says which ones were there. */
  #lostFiles() {
    const { names } = this.#draft;
    if (!names?.length) return null;
    const lost = count(names.length, "file has", "files have");
    return notice(
      "info",
      `Your draft is here; ${lost} to be added again.`,
      foreign(names.join(", ")),
    );
  }

  #keep() {
    const typed = {
      topic: this.#topic.value,
      subtopics: this.#subtopics.value,
      names: this.#documents.names,
      ...this.#terms.typed,
    };
    // One key for each form: sending it twice, or again after a lost answer, makes one operation.
    keep(this.#name, { key: crypto.randomUUID(), ...this.#draft, ...typed });
  }

  #restore() {
    const { topic = "", subtopics = "", ...terms } = this.#draft;
    this.#topic.value = topic;
    this.#subtopics.value = subtopics;
    this.#terms.typed = terms;
  }

  #clear() {
    forget(this.#name);
    this.#go(address({ new: "" }));
  }

  #submit(event) {
    event.preventDefault();
    if (this.#sending) return;
    const fault = this.#topic.value.trim() ? "" : "Say what the report is to be about.";
    this.#blame(fault);
    if (fault) this.#topic.focus();
    else if (this.#documents.fault) fill(this.#trouble, notice("bad", this.#documents.fault));
    else this.#start();
  }

  #blame(fault) {
    fill(this.#fault, fault);
    this.#topic.setAttribute("aria-invalid", String(Boolean(fault)));
  }

  async #start() {
    this.#busy(true);
    this.#keep();
    try {
      const headers = { "Idempotency-Key": this.#draft.key };
      const sent = { json: this.#body(), by: this.#me, headers };
      const { operation_id: operation } = await call("research", sent);
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
    const retry = problem.code === "malformed" ? undefined : () => this.#start();
    return problemNotice(problem, { retry });
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

  #body() {
    const lines = this.#subtopics.value.split("\n").map((line) => line.trim());
    const body = { topic: this.#topic.value.trim(), approval: this.#terms.approval };
    const subtopics = lines.filter(Boolean);
    const { documents } = this.#documents;
    return {
      ...body,
      ...(subtopics.length && { subtopics }),
      ...(documents.length && { documents }),
    };
  }

  #busy(sending) {
    this.#sending = sending;
    this.#send.disabled = sending;
    fill(this.#send, sending ? "Sending…" : "Ask for the report");
  }
}

function notAllowed() {
  return notice(
    "info",
    "Asking for a report needs the role requester.",
    "Ask whoever gives out roles in your organisation.",
    within({}, "Open the inbox", { class: "button" }),
  );
}
