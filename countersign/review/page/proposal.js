/** One version: what it says, what stands behind it, and the bar where it is decided. */

import { announce } from "./announce.js";
import { ChangesView } from "./changes.js";
import { CHOICES } from "./choices.js";
import { Decision } from "./decision.js";
import { address, element, fill, visible } from "./element.js";
import { Evidence, verdictOn } from "./evidence.js";
import { factsElement } from "./facts.js";
import { headingElement } from "./heading.js";
import { Questions } from "./questions.js";
import { Quotes } from "./quotes.js";
import { reportElement } from "./report.js";
import { readReview, refreshed } from "./review.js";
import { stepThrough, useShortcuts } from "./shortcuts.js";
import { inMotion } from "./standing.js";
import { tabs } from "./tabs.js";
import { watch } from "./watch.js";

const LOOK_SECONDS = 15;
const MOTION_SECONDS = 3;

export async function proposalView({ query, me, signal, go }) {
  const version = Number(query.get("version"));
  const review = await readReview(query.get("operation"), version, me, signal);
  const view = new ProposalView(review, signal);
  useShortcuts(view.shortcuts(go), signal);
  const title = `Version ${version} of ${review.proposal.content.title}`;
  return { title, name: "proposal", content: view.content };
}

class ProposalView {
  #review;
  #signal;
  #facts;
  #text;
  #beside;
  #evidence;
  #questions;
  #decision;
  #watching;
  #place = element("section", { class: "review-text", "aria-label": "What is offered" });

  constructor(review, signal) {
    this.#review = review;
    this.#signal = signal;
    const sheet = reportElement(review.proposal);
    const quotes = new Quotes(sheet, review.proposal.evidence.claims, signal);
    this.#evidence = new Evidence(review.proposal.evidence, quotes, () =>
      this.#text.choose("report"),
    );
    this.#questions = new Questions(review, signal);
    this.#text = this.#textTabs(sheet);
    this.#beside = this.#besideTabs();
    this.#facts = this.#factsNow();
    this.#decision = this.#decisionBar();
    sheet.addEventListener("click", ({ clientX, clientY }) =>
      this.#openAt(quotes, clientX, clientY),
    );
    this.#watching = watch(() => this.#look(), { every: () => this.#seconds(), signal });
    this.content = [headingElement(review, this.#facts), this.#body(), this.#decision.element];
    if (review.seen && review.proposal.changes) this.#text.choose("changes");
  }

  shortcuts(go) {
    const choices = Object.entries(CHOICES).map(([name, { key }]) => [
      key,
      () => this.#decision.focus(name),
    ]);
    return {
      ...Object.fromEntries(choices),
      j: () => this.#step(1),
      k: () => this.#step(-1),
      d: () => this.#switchText(),
      q: () => this.#ask(),
      i: () => go(address()),
    };
  }

  #body() {
    fill(this.#place, this.#text.list, this.#text.panels, this.#decision.editor.element);
    const beside = element(
      "section",
      { class: "review-beside", id: "beside", "aria-label": "What stands behind it" },
      this.#beside.list,
      this.#beside.panels,
    );
    return element("div", { class: "review" }, this.#place, beside);
  }

  #textTabs(sheet) {
    const { content } = this.#review.proposal;
    const attributes = { class: "source-text", dir: "auto", tabindex: 0 };
    const source = element("pre", attributes, visible(content.text));
    const parts = [
      { id: "report", label: "Report", content: sheet },
      this.#changesTab(),
      { id: "source", label: "Markdown", content: source },
    ];
    return tabs("What is offered", parts.filter(Boolean));
  }

  #changesTab() {
    const { proposal, seen } = this.#review;
    if (!proposal.changes) return null;
    const { since } = proposal.changes;
    const note = `since version ${since}${seen === since ? ", which you saw" : ""}`;
    const { element: content } = new ChangesView(this.#review, this.#signal);
    return { id: "changes", label: "Changes", note, content };
  }

  #besideTabs() {
    const { evidence } = this.#review.proposal;
    const note = verdictOn(evidence).note;
    return tabs("What stands behind it", [
      { id: "evidence", label: "Evidence", note, content: this.#evidence.element },
      { id: "questions", label: "Ask the fact-checker", content: this.#questions.element },
    ]);
  }

  #factsNow() {
    return factsElement(this.#review, {
      signal: this.#signal,
      ended: () => this.#lookNow(),
      showEvidence: () => this.#showBeside("evidence"),
    });
  }

  #decisionBar() {
    return new Decision(this.#review, {
      signal: this.#signal,
      changed: () => this.#lookNow(),
      editing: (open) => this.#edit(open),
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
    this.#decision.update(after);
    this.#questions.update(after);
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

  /** The reviewer's own text takes the report's place while it is open. */
  #edit(open) {
    this.#place.toggleAttribute("data-editing", open);
  }

  #openAt(quotes, x, y) {
    const claim = quotes.at(x, y);
    if (!claim || !getSelection().isCollapsed) return;
    this.#beside.choose("evidence");
    this.#evidence.open(claim);
  }

  #step(step) {
    this.#beside.choose("evidence");
    stepThrough(".claim > summary", step);
  }

  #switchText() {
    const shown = this.#text.list.querySelector("[aria-selected=true]").id;
    if (this.#review.proposal.changes)
      this.#text.choose(shown === "tab-changes" ? "report" : "changes", { focus: true });
  }

  #ask() {
    this.#showBeside("questions");
    this.#questions.focus();
  }

  #showBeside(id) {
    this.#beside.choose(id, { focus: true });
    document.getElementById("beside").scrollIntoView({ block: "nearest" });
  }
}
