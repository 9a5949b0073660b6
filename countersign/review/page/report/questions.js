/** Questions to the fact-checker about one version; its answers decide nothing. */

import { forget, keep, kept } from "../browser/keep.js";
import { newest } from "../browser/newest.js";
import { timeElement } from "../browser/time.js";
import { watch } from "../browser/watch.js";
import { announce } from "../elements/announce.js";
import { element, fill, foreign, visible } from "../elements/element.js";
import { notice } from "../elements/notice.js";
import { mayNotAsk } from "../proposal/standing.js";
import { call, proposalPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";
import { passageElement } from "./passage.js";
import { sourceElement } from "./source.js";

/**
 * @import { QuestionView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { Review } from "../kind.js"
 * @import { Sources } from "./opened.js"
 */

const WAITING_SECONDS = 3;

export class Questions {
  #path;
  #me;
  #kind;
  #signal;
  #read;
  #draft;
  /** @type {QuestionView[]} */
  #known = [];
  /** @type {Map<string, HTMLElement>} what is settled stays, with the sources opened in it */
  #settled = new Map();
  #opened;
  #looking;
  #asking = element("div");
  #list = element("ol", { class: "questions" });
  #trouble = element("div");
  #field = element("textarea", { id: "question", rows: 3 });
  #send = element("button", { class: "button" }, "Ask");

  /**
   * @param {Review} review
   * @param {Sources} opened opens the sources of answers
   * @param {AbortSignal} signal
   */
  constructor(review, opened, signal) {
    const { id, version, me } = review;
    this.#me = me;
    this.#kind = review.proposal.kind;
    this.#path = proposalPath(id, version, "/questions");
    this.#opened = opened;
    this.#signal = signal;
    this.#draft = `question:${me.id}:${id}:${version}`;
    this.#field.maxLength = review.limits.longest_question;
    this.#field.value = kept(this.#draft) ?? "";
    this.#field.addEventListener("input", () => keep(this.#draft, this.#field.value));
    this.#read = newest(signal, (reading) => this.#readNow(reading));
    this.element = element("div", {}, this.#list, this.#asking);
    this.update(review);
    this.#looking = watch(() => this.#read(), {
      every: () => (this.#waits() ? WAITING_SECONDS : 0),
      signal,
    });
    this.#read().catch((problem) => signal.aborted || this.#refused(problem));
  }

  /**
   * Offer the form to whoever may ask as things stand now; what is being typed stays.
   *
   * @param {Review} review
   */
  update(review) {
    const why = mayNotAsk(review);
    if (why) fill(this.#asking, element("p", { class: "hint" }, why), this.#trouble);
    else if (!this.#asking.contains(this.#field)) fill(this.#asking, this.#form());
  }

  focus() {
    this.#field.focus();
  }

  #form() {
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      this.#ask();
    };
    return element(
      "form",
      { class: "ask", submit },
      element("label", { for: "question" }, "Ask about this version"),
      this.#field,
      element(
        "p",
        { class: "hint" },
        "The fact-checker answers from the findings and sources of this version, with quotes that code verifies. It decides nothing. Questions and answers are visible in the history.",
      ),
      this.#trouble,
      this.#send,
    );
  }

  async #ask() {
    const question = this.#field.value.trim();
    if (!question) return this.focus();
    this.#send.disabled = true;
    fill(this.#trouble);
    try {
      await call(this.#path, { json: { question }, by: this.#me, signal: this.#signal });
      this.#field.value = "";
      forget(this.#draft);
      announce("Your question was sent.");
      await this.#read();
    } catch (problem) {
      if (!this.#signal.aborted) this.#refused(problem);
    } finally {
      this.#send.disabled = false;
    }
  }

  /** @param {AbortSignal} signal */
  async #readNow(signal) {
    const { questions } = await call(this.#path, { signal });
    const waited = this.#waits();
    const same = JSON.stringify(questions) === JSON.stringify(this.#known);
    this.#known = questions;
    const items = this.#known.map((each) => this.#item(each));
    if (!same || !items.length) fill(this.#list, items.length ? items : nothingYet());
    if (waited && !this.#waits()) announce("The fact-checker has answered.");
    if (!waited && this.#waits()) this.#looking.plan();
  }

  /** @param {QuestionView} asked */
  #item(asked) {
    const known = this.#settled.get(asked.question_id);
    if (known) return known;
    const made = questionElement(asked, this.#opened);
    if (asked.status !== "asked") this.#settled.set(asked.question_id, made);
    return made;
  }

  #waits() {
    return this.#known.some(({ status }) => status === "asked");
  }

  /** @param {unknown} problem */
  #refused(problem) {
    fill(this.#trouble, problemNotice(problem, { kind: this.#kind }));
  }
}

/**
 * @param {QuestionView} asked
 * @param {Sources} opened
 */
function questionElement(asked, opened) {
  return element(
    "li",
    {},
    element("p", { class: "hint" }, foreign(asked.by), " asked ", timeElement(asked.at)),
    element("p", { class: "question", dir: "auto" }, visible(asked.question)),
    ANSWERS[asked.status]?.(asked, opened),
  );
}

/** @type {Record<QuestionView["status"], (asked: QuestionView, opened: Sources) => Child>} */
const ANSWERS = {
  asked: () => element("p", { class: "hint working" }, "The fact-checker is reading the sources…"),
  failed: ({ answer }) =>
    notice(
      "warn",
      "This question has no answer.",
      answer ? visible(answer) : "Ask again, or rephrase it.",
    ),
  answered: ({ question_id, answer, quotes }, opened) => [
    element("p", { class: "answer", dir: "auto" }, visible(answer)),
    (quotes ?? []).map((quote, index) => [
      (quote.marks ?? []).map((mark) => foreign(mark, "p", { class: "mark" })),
      passageElement(quote),
      sourceElement(quote.source),
      quote.found && opened.opener(`/questions/${question_id}/quotes/${index + 1}`),
    ]),
  ],
};

function nothingYet() {
  return element("li", { class: "hint" }, "There are no questions about this version.");
}
