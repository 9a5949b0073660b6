/** One operation from the request to its end: progress, proposal, receipt, history. */

import { announce } from "./announce.js";
import { call, operationPath } from "./api.js";
import { listen } from "./channel.js";
import { countdown } from "./countdown.js";
import { address, count, element, fill, foreign, icon, visible, within } from "./element.js";
import { newest } from "./newest.js";
import { notice } from "./notice.js";
import { publishedElement, receiptElement } from "./published.js";
import { requesterId } from "./review.js";
import { useShortcuts } from "./shortcuts.js";
import { timelineElement } from "./timeline.js";
import { timeElement } from "./time.js";
import { watch } from "./watch.js";
import { withdrawElement } from "./withdraw.js";
import { ENDS, roleName, spelled, STAGES, stateName } from "./words.js";

const WORKING_SECONDS = 2;
const WAITING_SECONDS = 15;
const KINDS = { published: "good", rejected: "bad", failed: "bad", write_unknown: "bad" };

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
  #told = "";
  /** Read the operation, and show what is new. */
  look;
  #head = element("header", { class: "operation-head" });
  #status = element("div", { class: "status" });
  #result = element("div", { class: "result" });
  #withdraw = element("div");
  #history = element("div");
  #watching;

  constructor(id, me, signal) {
    this.#id = id;
    this.#me = me;
    this.#signal = signal;
    this.look = newest(signal, (reading) => this.#look(reading));
    const side = element("div", { class: "operation-side" }, this.#withdraw, this.#history);
    const body = element(
      "div",
      { class: "operation" },
      element("div", {}, this.#status, this.#result),
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

  /** Look at once; a failure is left to the next look. */
  #lookNow() {
    this.look().catch(() => this.#watching?.plan());
  }

  async #look(signal) {
    const operation = await call(operationPath(this.#id), { signal });
    const told = JSON.stringify([operation.updated_at, operation.state, operation.usage]);
    if (told === this.#told) return;
    const history = await call(operationPath(this.#id, "/history"), { signal });
    const before = this.#operation;
    this.#operation = operation;
    await this.#show(operation, history);
    this.#told = told;
    if (before && before.stage !== operation.stage)
      announce(`${stateName(operation.state)}: ${stageName(operation)}`);
  }

  async #show(operation, history) {
    fill(this.#head, headElements(operation));
    fill(this.#status, statusElement(operation, this.#signal), usageElement(operation.usage));
    this.#showWithdraw(operation, history.events);
    const open = openEntries(this.#history);
    fill(this.#history, timelineElement(history));
    reopen(this.#history, open);
    if (operation.receipt && !this.#result.hasChildNodes()) {
      fill(
        this.#result,
        receiptElement(operation.receipt),
        await publishedElement(operation, this.#signal),
      );
    }
  }

  #showWithdraw({ outcome, receipt, state }, events) {
    const may = !outcome && !receipt && ["running", "awaiting_approval"].includes(state);
    if (!may || requesterId(events) !== this.#me.id) fill(this.#withdraw);
    else if (!this.#withdraw.hasChildNodes()) {
      fill(
        this.#withdraw,
        withdrawElement(this.#id, this.#me, () => this.#lookNow()),
      );
    }
  }

  #seconds() {
    const { state, outcome, receipt } = this.#operation ?? {};
    const working = !outcome && (state !== "awaiting_approval" || receipt);
    return working ? WORKING_SECONDS : WAITING_SECONDS;
  }
}

function headElements(operation) {
  return [
    element("p", { class: "crumbs" }, within({}, [icon("back"), "Inbox"])),
    element("h1", {}, foreign(operation.title)),
    element(
      "p",
      { class: "hint" },
      `${spelled(operation.kind)}, asked for by `,
      foreign(operation.requester),
      " ",
      timeElement(operation.created_at),
      " · ",
      element("code", {}, visible(operation.operation_id)),
    ),
  ];
}

function statusElement(operation, signal) {
  if (operation.outcome) return endElement(operation.outcome);
  if (operation.state === "awaiting_approval") return waitingElement(operation, signal);
  return progressElement(operation);
}

function endElement({ as: outcome, reason }) {
  const kind = KINDS[outcome] ?? "info";
  return notice(
    kind,
    stateName(outcome),
    ENDS[outcome] ?? "",
    reason ? [" ", foreign(reason)] : "",
  );
}

function waitingElement({ operation_id: id, proposal, consequence }, signal) {
  const { version, required_role: role, expires_at: until } = proposal;
  return notice(
    "wait",
    [`Version ${version} waits for a ${roleName(role)}: `, countdown(until, { signal })],
    element("span", {}, "By ", timeElement(until), ". ", visible(consequence ?? "")),
    within({ operation: id, version }, `Open version ${version}`, { class: "button primary" }),
  );
}

function progressElement(operation) {
  const { progress, proposal, operation_id: id } = operation;
  const known = progress.total > 0 && !proposal;
  const bar = element("progress", {
    id: "progress",
    max: progress.total || 1,
    value: known ? progress.done : null,
  });
  const words = known ? `${progress.done} of ${progress.total} subtopics` : "";
  return element(
    "section",
    { class: "card progress" },
    element(
      "p",
      {},
      element("label", { for: "progress" }, `The team is ${stageName(operation)}`),
      element("span", { class: "hint" }, words),
    ),
    bar,
    proposal &&
      element(
        "p",
        {},
        within({ operation: id, version: proposal.version }, `Look at version ${proposal.version}`),
      ),
  );
}

function usageElement(usage) {
  if (!usage) return null;
  const share = Math.ceil((100 * usage.tokens) / usage.limit);
  const words = `${count(usage.tokens, "model token")} used, ${share} % of what this operation may use.`;
  return element("p", { class: "hint" }, words);
}

function stageName({ stage }) {
  return STAGES[stage] ?? spelled(stage);
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
