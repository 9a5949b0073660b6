/** One operation from the request to its end: progress, proposal, receipt, history. */

import { listen } from "../browser/channel.js";
import { newest } from "../browser/newest.js";
import { watch } from "../browser/watch.js";
import { announce } from "../elements/announce.js";
import { element, fill } from "../elements/element.js";
import { useShortcuts } from "../elements/shortcuts.js";
import { listIn } from "../lists/lists.js";
import { backTo } from "../proposal/heading.js";
import { call, operationPath } from "../session/api.js";
import { readLimits } from "../session/limits.js";
import { kindOf } from "../words/kinds.js";
import { stageName, stateName } from "../words/words.js";
import { againElement } from "./again.js";
import { endingElement, STOP, WITHDRAW } from "./ending.js";
import { proofElement } from "./proof.js";
import { approvedVersion, recordElements } from "./records.js";
import { headElements, statusElement, usageElement } from "./status.js";
import { timelineElement } from "./timeline.js";
import { lastAct, versionsElement } from "./versions.js";

/**
 * @import { LimitsView, Me, OperationView } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { Ledger } from "../kind.js"
 * @import { View, Visit } from "../view.js"
 */

/**
 * @typedef {object} Way
 * @property {Query} list the list that it was reached from
 * @property {boolean} [isPart] whether it stands beside that
 * @property {Visit["go"]} go
 */

const WORKING_SECONDS = 2;
const WAITING_SECONDS = 8;

/**
 * @param {Visit} visit
 * @returns {Promise<View>}
 */
export async function operationView({ query, me, signal, go }) {
  const id = query.get("operation") ?? "";
  const list = listIn(query);
  const { title, content } = await shownOperation({ id, me, list, go, signal });
  useShortcuts({ i: () => go(backTo(list, id)) }, signal);
  return { title, name: "operation", content };
}

/**
 * An operation, on a page of its own or beside a list.
 *
 * @param {{id: string, me: Me, signal: AbortSignal} & Way} shown
 */
export async function shownOperation({ id, me, signal, ...way }) {
  const view = new FollowedOperation(id, { me, way, limits: await readLimits() }, signal);
  await view.look();
  view.follow();
  return { title: view.title, content: view.content, shortcuts: {} };
}

class FollowedOperation {
  #id;
  #me;
  #way;
  #limits;
  #signal;
  /** @type {OperationView|undefined} */
  #operation;
  #told = "";
  /** Read the operation, and show what is new. */
  look;
  #head = element("header", { class: "operation-head" });
  #status = element("div", { class: "status" });
  #records = element("div", { class: "result" });
  #result = element("div", { class: "result" });
  #withdraw = element("div");
  #stop = element("div");
  #history = element("div");
  /** @type {{plan: () => void}|undefined} */
  #watching;

  /**
   * @param {string} id
   * @param {{me: Me, way: Way, limits: LimitsView}} options
   * @param {AbortSignal} signal
   */
  constructor(id, { me, way, limits }, signal) {
    this.#id = id;
    this.#me = me;
    this.#way = way;
    this.#limits = limits;
    this.#signal = signal;
    this.look = newest(signal, (reading) => this.#look(reading));
    const side = element(
      "div",
      { class: "operation-side" },
      this.#withdraw,
      this.#stop,
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
    return this.#operation?.title ?? "";
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

  /** @param {AbortSignal} signal */
  async #look(signal) {
    /** @type {OperationView} */
    const operation = await call(operationPath(this.#id), { signal });
    // Signs of life come every few seconds, and are in no history.
    const told = JSON.stringify({ ...operation, under_way: [] });
    if (told === this.#told) return this.#showStatus(operation);
    /** @type {Ledger} */
    const history = await call(operationPath(this.#id, "/history"), { signal });
    const before = this.#operation;
    this.#operation = operation;
    await this.#show(operation, history);
    this.#told = told;
    if (before && before.stage !== operation.stage)
      announce(`${stateName(operation.state)}: ${stageName(operation)}`);
  }

  /**
   * @param {OperationView} operation
   * @param {Ledger} history
   */
  async #show(operation, history) {
    fill(this.#head, headElements(operation, this.#way));
    this.#showStatus(operation);
    fill(
      this.#records,
      operation.outcome && lastAct(history.events, operation.kind),
      element("div", {}, againElement(operation, this.#me, this.#way.go)),
      recordElements(operation, history.events),
      versionsElement(operation, history.events, this.#way.list),
    );
    this.#showEndings(operation);
    const open = openEntries(this.#history);
    fill(this.#history, timelineElement(history, operation));
    reopen(this.#history, open);
    if (operation.receipt && !this.#result.hasChildNodes()) {
      const version = approvedVersion(history.events) ?? 0;
      const { carriedOut } = kindOf(operation.kind);
      fill(this.#result, await carriedOut?.(operation, version, this.#signal));
    }
  }

  /** @param {OperationView} operation */
  #showStatus(operation) {
    const retried = () => this.#lookNow();
    const options = { me: this.#me, retried };
    const told = JSON.stringify(operation);
    // What somebody is about to press stays as it is, unless there is something new.
    if (told === this.#status.dataset.told) return;
    this.#status.dataset.told = told;
    fill(this.#status, statusElement(operation, this.#signal, options), usageElement(operation));
  }

  /** @param {OperationView} operation */
  #showEndings(operation) {
    const options = { me: this.#me, limits: this.#limits, ended: () => this.#lookNow() };
    const { withdraw, stop } = operation.may;
    for (const [may, way, place] of /** @type {const} */ ([
      [withdraw, WITHDRAW, this.#withdraw],
      // Whoever asked for it takes it back.
      [withdraw === true ? null : stop, STOP, this.#stop],
    ])) {
      if (may !== true) fill(place);
      else if (!place.hasChildNodes()) fill(place, endingElement(operation, way, options));
    }
  }

  #seconds() {
    const { state, outcome, receipt } = this.#operation ?? {};
    const working = !outcome && (state !== "awaiting_approval" || receipt);
    return working ? WORKING_SECONDS : WAITING_SECONDS;
  }
}

/**
 * Which folds of the history are open, so that a new look at it leaves them so.
 *
 * @param {HTMLElement} history
 */
function openEntries(history) {
  return new Set(
    [...history.querySelectorAll("details[open] > summary")].map((each) => each.textContent),
  );
}

/**
 * @param {HTMLElement} history
 * @param {Set<string|null>} open
 */
function reopen(history, open) {
  for (const summary of history.querySelectorAll("summary")) {
    const fold = summary.parentElement;
    if (open.has(summary.textContent)) fold?.setAttribute("open", "");
  }
}
