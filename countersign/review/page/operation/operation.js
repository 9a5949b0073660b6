/** One operation from the request to its end: progress, proposal, receipt, history. */

import { announce } from "../elements/announce.js";
import { call, operationPath } from "../session/api.js";
import { listen } from "../browser/channel.js";
import { address, element, fill } from "../elements/element.js";
import { newest } from "../browser/newest.js";
import { proofElement } from "./proof.js";
import { approvedVersion, recordElements } from "./records.js";
import { requesterId } from "../proposal/review.js";
import { useShortcuts } from "../elements/shortcuts.js";
import { headElements, statusElement, usageElement } from "./status.js";
import { timelineElement } from "./timeline.js";
import { watch } from "../browser/watch.js";
import { withdrawElement } from "./withdraw.js";
import { kindOf } from "../words/kinds.js";
import { stageName, stateName } from "../words/words.js";

const WORKING_SECONDS = 2;
const WAITING_SECONDS = 15;

/** As long as it stands so, its requester can take it back. */
const UNDECIDED = ["running", "awaiting_approval", "needs_operator"];

export async function operationView({ query, me, signal, go }) {
  const view = new OperationView(query.get("operation"), me, signal);
  await view.look();
  view.follow();
  useShortcuts({ i: () => go(address()) }, signal);
  return { title: view.title, name: "operation", content: view.content };
}

class OperationView {
  #id;
  #me;
  #signal;
  #operation;
  #events = [];
  #told = "";
  /** Read the operation, and show what is new. */
  look;
  #head = element("header", { class: "operation-head" });
  #status = element("div", { class: "status" });
  #records = element("div", { class: "result" });
  #result = element("div", { class: "result" });
  #withdraw = element("div");
  #history = element("div");
  #watching;

  constructor(id, me, signal) {
    this.#id = id;
    this.#me = me;
    this.#signal = signal;
    this.look = newest(signal, (reading) => this.#look(reading));
    const side = element(
      "div",
      { class: "operation-side" },
      this.#withdraw,
      this.#history,
      proofElement(id, signal),
    );
    const body = element(
      "div",
      { class: "operation" },
      element("div", {}, this.#status, this.#records, this.#result),
      side,
    );
    this.content = [this.#head, body];
  }

  get title() {
    return this.#operation.title;
  }

  /** Look again from now on, from time to time and when somebody decides. */
  follow() {
    const signal = this.#signal;
    this.#watching = watch(this.look, { every: () => this.#seconds(), signal });
    listen("decided", ({ operation }) => operation === this.#id && this.#lookNow(), signal);
  }

  /** Look at once, and soon again if that shows that something goes on; a failure is left to it. */
  #lookNow() {
    const plan = () => this.#watching?.plan();
    this.look().then(plan, plan);
  }

  async #look(signal) {
    const operation = await call(operationPath(this.#id), { signal });
    // Signs of life come every few seconds, and are in no history.
    const told = JSON.stringify({ ...operation, under_way: [] });
    if (told === this.#told) return this.#showStatus(operation);
    const history = await call(operationPath(this.#id, "/history"), { signal });
    const before = this.#operation;
    this.#operation = operation;
    this.#events = history.events;
    await this.#show(operation, history);
    this.#told = told;
    if (before && before.stage !== operation.stage)
      announce(`${stateName(operation.state)}: ${stageName(operation)}`);
  }

  async #show(operation, history) {
    fill(this.#head, headElements(operation));
    this.#showStatus(operation);
    fill(this.#records, recordElements(operation, history.events));
    this.#showWithdraw(operation, history.events);
    const open = openEntries(this.#history);
    fill(this.#history, timelineElement(history));
    reopen(this.#history, open);
    if (operation.receipt && !this.#result.hasChildNodes()) {
      const version = approvedVersion(history.events);
      const { carriedOut } = kindOf(operation.kind);
      fill(this.#result, (await carriedOut?.(operation, version, this.#signal)) ?? null);
    }
  }

  #showStatus(operation) {
    const retried = () => this.#lookNow();
    const options = { me: this.#me, events: this.#events, retried };
    const told = JSON.stringify(operation);
    // What somebody is about to press stays as it is, unless there is something new.
    if (told === this.#status.dataset.told) return;
    this.#status.dataset.told = told;
    fill(
      this.#status,
      statusElement(operation, this.#signal, options),
      usageElement(operation),
    );
  }

  #showWithdraw({ outcome, receipt, state }, events) {
    const may = !outcome && !receipt && UNDECIDED.includes(state);
    if (!may || requesterId(events) !== this.#me.id) fill(this.#withdraw);
    else if (!this.#withdraw.hasChildNodes()) {
      fill(
        this.#withdraw,
        withdrawElement(this.#operation, this.#me, () => this.#lookNow()),
      );
    }
  }

  #seconds() {
    const { state, outcome, receipt } = this.#operation ?? {};
    const working = !outcome && (state !== "awaiting_approval" || receipt);
    return working ? WORKING_SECONDS : WAITING_SECONDS;
  }
}

/** Which folds of the history are open, so that a new look at it leaves them so. */
function openEntries(history) {
  return new Set(
    [...history.querySelectorAll("details[open] > summary")].map((each) => each.textContent),
  );
}

function reopen(history, open) {
  for (const summary of history.querySelectorAll("summary")) {
    if (open.has(summary.textContent)) summary.parentElement.open = true;
  }
}
