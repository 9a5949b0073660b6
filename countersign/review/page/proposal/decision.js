/** The bar at the bottom of a proposal: how it stands, and the choices where there are any. */

import { listen, tellAll } from "../browser/channel.js";
import { announce } from "../elements/announce.js";
import { countdown } from "../elements/countdown.js";
import { element, fill } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { codeOf, Problem } from "../session/problem.js";
import { kindOf } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";
import { Ballot } from "./ballot.js";
import { difference } from "./changes.js";
import { choicesFor } from "./choices.js";
import { nextOf } from "./next.js";
import { tell as tellElsewhere, tellRefused } from "./outbox.js";
import { receiptElement } from "./receipt.js";
import { standing } from "./standing.js";
import { takeBackElements } from "./take-back.js";

/**
 * @import { VersionView } from "../api.js"
 * @import { Changes, Review } from "../kind.js"
 * @import { Query } from "../elements/element.js"
 * @import { Told } from "./receipt.js"
 * @import { Recorded } from "./verdict.js"
 */

/** After these refusals the version stands otherwise than it did when the page was loaded. */
const MEANWHILE = new Set([
  "already_decided",
  "superseded",
  "expired",
  "not_authorised",
  "own_request",
  "people_only",
]);

export class Decision {
  #review;
  #signal;
  #changed;
  #editing;
  #list;
  #goOn;
  #ballot;
  #recorded = false;
  #trouble = element("div");
  #bar = element("div", { class: "decide-bar" });

  /**
   * @param {Review} review
   * @param {object} options
   * @param {AbortSignal} options.signal
   * @param {() => void} options.changed called when the version may stand otherwise now
   * @param {(open: boolean) => void} options.editing called when the reviewer's own text takes the
   *   report's place, and when it makes way again
   * @param {Query} options.list the list that the version was reached from
   * @param {(told: Told) => void} [options.recorded] takes the receipt, instead of the bar
   * @param {() => void} [options.held] called when a decision is about to be sent
   */
  constructor(review, { signal, changed, editing, list, recorded, held }) {
    this.#review = review;
    this.#signal = signal;
    this.#changed = changed;
    this.#editing = editing;
    this.#list = list;
    this.#goOn = recorded;
    const told = {
      chosen: this.#chosen.bind(this),
      busy: this.#busy.bind(this),
      held: () => held?.(),
      recorded: this.#done.bind(this),
      refused: this.#refused.bind(this),
    };
    this.#ballot = new Ballot(review, told, signal);
    this.element = element(
      "section",
      { class: "decide", "aria-label": "Your decision" },
      this.#trouble,
      this.#ballot.element,
      this.#bar,
    );
    listen("decided", ({ operation }) => operation === review.id && changed(), signal);
    this.update(review);
    if (standing(review).may) this.#ballot.takeUp();
  }

  get editor() {
    return this.#ballot.editor;
  }

  /**
   * Show how the version stands now; what is being typed stays.
   *
   * @param {Review} review
   */
  update(review) {
    this.#review = review;
    this.#ballot.update(review);
    const stands = standing(review);
    // A receipt stays until the reader goes on.
    if (this.#recorded) return;
    if (!stands.may) {
      this.#ballot.close();
      const says = notice(stands.kind, stands.say, stands.next, this.#takeBack());
      fill(this.#bar, says, this.#ballot.leftOver());
    } else if (!this.#buttons.length) {
      fill(this.#bar, this.#summary(), this.#choices());
    }
  }

  #takeBack() {
    if (this.#review.proposal.may.take_back !== true) return null;
    return takeBackElements(this.#review, () => tellAll("decided", { operation: this.#review.id }));
  }

  /**
   * Go to a choice, without making it.
   *
   * @param {string} choice
   */
  focus(choice) {
    [...this.#buttons].find(({ dataset }) => dataset.choice === choice)?.focus();
  }

  /** @returns {NodeListOf<HTMLButtonElement>} */
  get #buttons() {
    return this.#bar.querySelectorAll("[data-choice]");
  }

  #summary() {
    const { version, proposal } = this.#review;
    const left = countdown(proposal.expires_at, { signal: this.#signal });
    const which = element("span", {}, `Version ${version}`);
    return element("p", { class: "decide-summary" }, which, left);
  }

  #choices() {
    const choices = choicesFor(this.#review.proposal).map(([name, { label, short, key }]) =>
      button(labels(label, short), () => this.#ballot.open(name), {
        class: `button choice ${name}`,
        "data-choice": name,
        "aria-expanded": "false",
        "aria-controls": "ballot",
        "aria-keyshortcuts": key,
      }),
    );
    return element("div", { class: "choices", role: "group", "aria-label": "Decide" }, choices);
  }

  /**
   * @param {string|null} choice
   * @param {boolean} inside
   */
  #chosen(choice, inside) {
    const left = [...this.#buttons].find(({ ariaExpanded }) => ariaExpanded === "true");
    for (const each of this.#buttons) {
      each.setAttribute("aria-expanded", String(each.dataset.choice === choice));
    }
    this.#editing(choice === "edit");
    // What went wrong with one choice must not be tried again as another one.
    if (standing(this.#review).may) fill(this.#trouble);
    if (choice === null && inside) left?.focus();
  }

  /** @param {boolean} sending */
  #busy(sending) {
    if (sending) fill(this.#trouble);
    for (const each of this.#buttons) each.disabled = sending;
  }

  /** @param {Recorded & {corrected: boolean}} recorded */
  #done(recorded) {
    this.#recorded = true;
    const { kind, last } = this.#review.proposal;
    const told = { ...recorded, title: this.#title, kind, last };
    announce("Your decision is recorded.");
    if (this.#goOn) this.#goOn(told);
    else if (this.#signal.aborted) tellElsewhere(receiptElement(told));
    else this.#showReceipt(told);
    tellAll("decided", { operation: this.#review.id });
  }

  /** @param {Told} told */
  #showReceipt(told) {
    const next = nextOf(this.#list, this.#review, this.#signal);
    fill(this.#bar, receiptElement(told, next));
    this.#bar.tabIndex = -1;
    this.#bar.focus();
  }

  get #title() {
    const { proposal } = this.#review;
    return kindOf(proposal.kind).title(proposal);
  }

  /** @param {unknown} problem */
  #refused(problem) {
    const meanwhile = MEANWHILE.has(codeOf(problem));
    const { id: operation, version, proposal } = this.#review;
    const retry = meanwhile ? undefined : () => this.#ballot.send();
    const box = problemNotice(problem, { operation, version, kind: proposal.kind, retry });
    const changes = problem instanceof Problem && problem.facts.changes;
    if (changes) box.lastElementChild?.append(whatIsNew(changes, proposal, !this.#signal.aborted));
    if (this.#signal.aborted) return tellRefused(this.#title, box);
    fill(this.#trouble, box);
    if (meanwhile) this.#changed();
  }
}

/**
 * Both are there, and the width of the window says which of them is shown.
 *
 * @param {string} long
 * @param {string} short
 */
function labels(long, short) {
  return [element("span", { class: "long" }, long), element("span", { class: "short" }, short)];
}

/**
 * @param {Changes} changes
 * @param {VersionView} proposal
 * @param {boolean} open
 */
function whatIsNew(changes, proposal, open) {
  const summary = element("summary", {}, "Changes in it");
  return element("details", { open }, summary, difference(changes, proposal));
}
