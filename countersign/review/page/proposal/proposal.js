/** One version: what it says, what stands behind it, and the bar where it is decided. */

import { watch } from "../browser/watch.js";
import { announce } from "../elements/announce.js";
import { element, fill } from "../elements/element.js";
import { useShortcuts } from "../elements/shortcuts.js";
import { listIn } from "../lists/lists.js";
import { kindOf } from "../words/kinds.js";
import { ChangesView } from "./changes.js";
import { choicesFor } from "./choices.js";
import { Decision } from "./decision.js";
import { factsElement } from "./facts.js";
import { backTo, headingElement } from "./heading.js";
import { paperElement } from "./paper.js";
import { readReview, refreshed } from "./review.js";
import { inMotion } from "./standing.js";
import { unknownOffer } from "./unknown.js";

/**
 * @import { Me } from "../api.js"
 * @import { Query } from "../elements/element.js"
 * @import { Review } from "../kind.js"
 * @import { View, Visit } from "../view.js"
 * @import { Told } from "./receipt.js"
 */

/**
 * @typedef {object} Shown
 * @property {string} id the operation's
 * @property {number} version
 * @property {Me} me
 * @property {Query} list the list that it was reached from
 * @property {(told: Told) => void} [recorded] takes the receipt of a decision, where it stands
 *   beside a list
 * @property {() => void} [held] called when a decision is about to be sent, so that the list goes on
 * @property {AbortSignal} signal
 */

const LOOK_SECONDS = 8;
const MOTION_SECONDS = 3;

/**
 * @param {Visit} visit
 * @returns {Promise<View>}
 */
export async function proposalView({ query, me, signal, go }) {
  const version = Number(query.get("version"));
  const list = listIn(query);
  const id = query.get("operation") ?? "";
  const { title, content, shortcuts } = await shownProposal({ id, version, me, list, signal });
  useShortcuts({ ...shortcuts, i: () => go(backTo(list, id)) }, signal);
  return { title, name: "proposal", content };
}

/**
 * A version with all that it takes to decide about it, on a page of its own or beside a list.
 *
 * @param {Shown} shown
 */
export async function shownProposal({ id, version, me, list, recorded, held, signal }) {
  const review = await readReview(id, version, me, signal);
  const view = new ProposalView(review, { list, recorded, held, signal });
  const title = `Version ${version} of ${kindOf(review.proposal.kind).title(review.proposal)}`;
  return { title, content: view.content, shortcuts: view.shortcuts() };
}

class ProposalView {
  #review;
  #list;
  #recorded;
  #held;
  #paper;
  #signal;
  #facts;
  #offer;
  #decision;
  #watching;
  #place = element("section", { class: "review-text", "aria-label": "Proposal" });

  /**
   * @param {Review} review
   * @param {Pick<Shown, "list"|"recorded"|"held"|"signal">} options
   */
  constructor(review, { list, recorded, held, signal }) {
    this.#review = review;
    this.#list = list;
    this.#recorded = recorded;
    this.#held = held;
    this.#signal = signal;
    this.#offer = this.#offered(review);
    this.#facts = this.#factsNow();
    this.#decision = this.#decisionBar();
    this.#watching = watch(() => this.#look(), { every: () => this.#seconds(), signal });
    const heading = headingElement(review, this.#facts, { list, isPart: Boolean(recorded) });
    this.#paper = paperElement(review);
    this.content = [heading, this.#body(), this.#paper, this.#decision.element];
    if (review.seen && review.proposal.changes) this.#offer.text.choose("changes");
  }

  shortcuts() {
    const choices = choicesFor(this.#review.proposal).map(([name, { key }]) => [
      key,
      () => this.#decision.focus(name),
    ]);
    return {
      ...Object.fromEntries(choices),
      ...this.#offer.shortcuts,
      d: () => this.#switchText(),
    };
  }

  /**
   * What shows the content, by its kind, and all that is shown beside it.
   *
   * @param {Review} review
   */
  #offered(review) {
    const { offer = unknownOffer } = kindOf(review.proposal.kind);
    return offer(review, this.#changesTab(), this.#signal);
  }

  #body() {
    const { text, beside } = this.#offer;
    fill(this.#place, text.list, text.panels, this.#decision.editor?.element);
    return element("div", { class: "review" }, this.#place, beside);
  }

  #changesTab() {
    const { proposal, seen } = this.#review;
    if (!proposal.changes) return null;
    const { since } = proposal.changes;
    const note = `since version ${since}${seen === since ? ", which you saw" : ""}`;
    const { element: content } = new ChangesView(this.#review, this.#signal);
    return { id: "changes", label: "Changes", note, content };
  }

  #factsNow() {
    return factsElement(this.#review, {
      signal: this.#signal,
      ended: () => this.#lookNow(),
      own: this.#offer.fact(this.#review),
    });
  }

  #decisionBar() {
    return new Decision(this.#review, {
      signal: this.#signal,
      changed: () => this.#lookNow(),
      editing: (open) => this.#edit(open),
      list: this.#list,
      recorded: this.#recorded,
      held: this.#held,
    });
  }

  /** Take in what others did meanwhile: a stale page must not look like a fresh one. */
  async #look() {
    const before = this.#review;
    const after = await refreshed(before, this.#signal);
    if (after === before) return;
    this.#review = after;
    const facts = this.#factsNow();
    this.#facts.replaceWith(facts);
    this.#facts = facts;
    const paper = paperElement(after);
    this.#paper.replaceWith(paper);
    this.#paper = paper;
    this.#decision.update(after);
    this.#offer.update(after);
    this.#watching.plan();
    if (before.proposal.status !== after.proposal.status)
      announce(`This version is ${after.proposal.status} now.`);
  }

  /** Look at once; a failure is left to the next look. */
  #lookNow() {
    this.#look().catch(() => this.#watching.plan());
  }

  #seconds() {
    return inMotion(this.#review) ? MOTION_SECONDS : LOOK_SECONDS;
  }

  /**
   * A correction takes the place of what is offered while it is open.
   *
   * @param {boolean} open
   */
  #edit(open) {
    this.#place.toggleAttribute("data-editing", open);
  }

  #switchText() {
    const { list, first, choose } = this.#offer.text;
    const shown = list.querySelector("[aria-selected=true]")?.id;
    if (this.#review.proposal.changes)
      choose(shown === "tab-changes" ? first : "changes", { focus: true });
  }
}
