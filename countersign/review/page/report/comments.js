/**
 * Comments on passages: those that a reviewer gathers, which a request for changes sends, and those
 * that were sent, with what the writer and other people did about them.
 */

import { tellAll } from "../browser/channel.js";
import { timeElement } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { element, fill, foreign, icon, visible } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { Drafts, gatheredIn } from "../proposal/drafts.js";
import { call, proposalPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";
import { goTo } from "./go-to.js";
import { askAbout } from "./passage-form.js";
import { SelectionBar } from "./selection-bar.js";
import { mark } from "./sheet-text.js";

/**
 * @import { CommentView } from "../api.js"
 * @import { Child } from "../elements/element.js"
 * @import { GatheredComment } from "../proposal/drafts.js"
 * @import { ReportReview } from "./report.js"
 * @import { Passage, SheetText } from "./sheet-text.js"
 */

const MARKS = ["commented", "comment-chosen"];

export class Comments {
  #review;
  #text;
  #drafts;
  #show;
  #bar;
  #signal;
  #busy = false;
  #trouble = element("div");
  #list = element("div", { class: "comments" });
  /** How many there are, for the tab that leads to them. */
  count = element("span", { class: "count" });

  /**
   * @param {ReportReview} review
   * @param {{sheet: HTMLElement, text: SheetText}} report
   * @param {() => void} show shows the report
   * @param {AbortSignal} signal
   */
  constructor(review, { sheet, text }, show, signal) {
    this.#review = review;
    this.#text = text;
    this.#show = show;
    this.#signal = signal;
    this.#drafts = new Drafts(review.me.id, review.id);
    this.#bar = new SelectionBar(
      sheet,
      text,
      (passage, suggests) => this.#say(passage, suggests),
      signal,
    );
    this.element = element("div", {}, this.#trouble, this.#list);
    this.#drafts.whenChangedHere(review.version, () => this.#render(), signal);
    signal.addEventListener("abort", () => {
      for (const name of MARKS) mark(name, []);
    });
    sheet.append(this.#bar.element);
    this.update(review);
  }

  /** @param {ReportReview} review */
  update(review) {
    this.#review = review;
    this.#bar.element.toggleAttribute("inert", !this.#mayComment);
    this.#bar.element.classList.toggle("closed", !this.#mayComment);
    this.#render();
  }

  /** Say something about what is selected. */
  ask() {
    const { passage } = this.#bar;
    if (passage && this.#mayComment) this.#say(passage, false);
  }

  get #mayComment() {
    return this.#review.proposal.may.decide.revise === true;
  }

  get #gathered() {
    return gatheredIn(this.#drafts.of(this.#review.version));
  }

  /** @param {GatheredComment[]} passages */
  #keep(passages) {
    this.#drafts.change(this.#review.version, { passages });
  }

  /**
   * @param {Passage} passage
   * @param {boolean} suggests
   */
  async #say(passage, suggests) {
    const { most, longest_passage: longest } = this.#review.limits.report.comments;
    fill(this.#trouble);
    if (passage.quote.length > longest || this.#gathered.length >= most) {
      const say =
        passage.quote.length > longest
          ? `Select less: a passage can have ${longest.toLocaleString("en")} characters.`
          : `A review can have ${most} comments on passages.`;
      fill(this.#trouble, notice("warn", say));
      return announce(say);
    }
    const said = await this.#asked({ ...passage, comment: "", suggestion: null }, suggests);
    if (said) this.#keep([...this.#gathered, said]);
    if (said) announce("Added. “Send comments” or “Request changes” sends it.");
  }

  /**
   * @param {GatheredComment} before
   * @param {boolean} suggests
   */
  #asked(before, suggests) {
    const { longest_comment: longest } = this.#review.limits.report.comments;
    return askAbout(before, { longest, suggests });
  }

  #render() {
    const { comments, version } = this.#review.proposal;
    const gathered = this.#gathered;
    const sent = comments.filter((each) => each.version === version);
    const before = comments.filter((each) => each.version !== version);
    const open = before.filter((each) => !each.resolved).length;
    fill(this.count, gathered.length + sent.length + open || "");
    fill(
      this.#list,
      this.#part(
        "Not sent yet",
        gathered.map((each, place) => this.#draft(each, place)),
        this.#mayComment && this.#sending(),
      ),
      this.#part(
        `On this version`,
        sent.map((each) => this.#sent(each)),
      ),
      this.#part(
        `On version ${version - 1}, with the writer’s answers`,
        before.map((each) => this.#sent(each)),
      ),
      element("p", { class: "hint" }, this.#hint(gathered.length)),
    );
    const ranges = [...gathered, ...sent].map((each) => this.#text.place(each));
    mark(
      "commented",
      ranges.filter((range) => range !== undefined),
    );
  }

  /** @param {number} gathered */
  #hint(gathered) {
    if (gathered)
      return "“Send comments” shows them to the other reviewers of this version and decides nothing. “Request changes” sends them with your decision.";
    if (!this.#mayComment)
      return "Who may request changes to this version can comment on passages.";
    return "Select words of the report to comment on them. If somebody requests changes, the next version answers each comment.";
  }

  /**
   * @param {string} heading
   * @param {Child[]} entries
   * @param {Child} [after]
   */
  #part(heading, entries, after) {
    if (!entries.length) return null;
    return element("section", {}, element("h3", {}, heading), element("ol", {}, entries), after);
  }

  /** The button that shows what is gathered to other reviewers, before anybody decides. */
  #sending() {
    const send = button(
      "Send comments",
      async () => {
        send.disabled = true;
        fill(send, "Sending…");
        await this.#send();
        this.#render();
      },
      { class: "button", disabled: this.#busy },
    );
    return element("div", { class: "actions" }, send);
  }

  async #send() {
    const { id, me, version, proposal } = this.#review;
    const comments = this.#gathered;
    this.#busy = true;
    fill(this.#trouble);
    try {
      const json = { digest: proposal.digest, comments };
      await call(proposalPath(id, version, "/comments"), { json, by: me });
      this.#keep(this.#gathered.filter((each) => !comments.includes(each)));
      announce("Your comments are sent. That decides nothing.");
      tellAll("decided", { operation: id });
    } catch (problem) {
      if (!this.#signal.aborted) fill(this.#trouble, problemNotice(problem, {}));
    } finally {
      this.#busy = false;
    }
  }

  /**
   * @param {GatheredComment} comment
   * @param {number} place
   */
  #draft(comment, place) {
    const suggests = comment.suggestion !== null;
    const change = async () => {
      const said = await this.#asked(comment, suggests);
      if (said) this.#keep(this.#gathered.map((each, at) => (at === place ? said : each)));
    };
    const remove = () => this.#keep(this.#gathered.filter((_, at) => at !== place));
    const actions = this.#mayComment && button("Change", change);
    return element(
      "li",
      { class: "comment-on" },
      this.#said(comment),
      element("div", { class: "actions" }, actions, button("Remove", remove)),
    );
  }

  /** @param {CommentView} comment */
  #sent(comment) {
    const { answer, resolved, by, at } = comment;
    const state = resolved ? "resolved" : answer ? "answered" : "open";
    return element(
      "li",
      { class: "comment-on", "data-state": state },
      element("p", { class: "hint" }, foreign(by), ", ", timeElement(at)),
      this.#said(comment),
      answer && answerElement(answer),
      resolved
        ? element("p", { class: "hint" }, "Resolved by ", foreign(resolved.by))
        : this.#resolving(comment),
    );
  }

  /**
   * What is said, below the words that it is about.
   *
   * @param {Passage & {comment: string, suggestion: string|null}} comment
   */
  #said({ quote, start, comment, suggestion }) {
    const range = this.#text.place({ quote, start });
    const words = visible(quote);
    const look = () => {
      this.#show();
      mark("comment-chosen", range ? [range] : []);
      goTo(range?.startContainer.parentElement, "center");
    };
    const instead = suggestion || element("em", {}, "Leave it out");
    return [
      element(
        "blockquote",
        { dir: "auto" },
        range ? button(words, look, { class: "link", title: "Show it in the report" }) : words,
      ),
      suggestion !== null &&
        element(
          "p",
          { class: "suggestion" },
          "Suggested: ",
          element("ins", { dir: "auto" }, instead),
        ),
      comment && foreign(comment, "p"),
    ];
  }

  /** @param {CommentView} comment */
  #resolving({ version, number, may_resolve: may, answer }) {
    if (may !== true || !answer) return null;
    const resolve = async () => {
      const path = proposalPath(this.#review.id, version, `/comments/${number}/resolve`);
      try {
        const { by, at } = await call(path, { json: {}, by: this.#review.me });
        const { proposal } = this.#review;
        const comments = proposal.comments.map((each) =>
          each.version === version && each.number === number
            ? { ...each, resolved: { by, at } }
            : each,
        );
        this.update({ ...this.#review, proposal: { ...proposal, comments } });
        announce("Resolved.");
      } catch (problem) {
        if (!this.#signal.aborted) fill(this.#trouble, problemNotice(problem, {}));
      }
    };
    return element("div", { class: "actions" }, button("Resolve", resolve));
  }
}

/** @param {NonNullable<CommentView["answer"]>} answer */
function answerElement({ done, reason }) {
  return element(
    "p",
    { class: "writer-answer", "data-done": String(done) },
    icon(done ? "check" : "alert"),
    element("span", {}, done ? "Done" : "Not done", reason ? ": " : ".", foreign(reason)),
  );
}
