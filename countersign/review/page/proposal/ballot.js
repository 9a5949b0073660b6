/** The form that a chosen decision is made in: what it means, the words to it, and its sending. */

import { forget, kept, lasting } from "../browser/keep.js";
import { announce } from "../elements/announce.js";
import { count, element, fill, within } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { signedIfRequired } from "../passkeys/approval.js";
import { Problem } from "../session/problem.js";
import { kindOf } from "../words/kinds.js";
import { choicesFor } from "./choices.js";
import {
  choiceWithWords,
  commentOn,
  Drafts,
  gatheredIn,
  hasCorrection,
  hasWords,
} from "./drafts.js";
import { leftComment, typedElsewhere } from "./leftover.js";
import { held, secondsToUndo } from "./outbox.js";
import { standing } from "./standing.js";
import { sendVerdict } from "./verdict.js";

/**
 * @import { Choice, Review } from "../kind.js"
 * @import { Draft } from "./drafts.js"
 * @import { Recorded } from "./verdict.js"
 */

const COMMENT = { id: "comment", rows: 3, "aria-describedby": "comment-fault" };

/**
 * What is told of a ballot: the choice that its form is open for and whether the focus was in it,
 * whether it is being sent, and how that ended.
 *
 * @typedef {object} Tell
 * @property {(choice: string|null, inside: boolean) => void} chosen
 * @property {(sending: boolean) => void} busy
 * @property {() => void} held it is sent in a few seconds, unless it is undone
 * @property {(recorded: Recorded & {corrected: boolean}) => void} recorded
 * @property {(problem: unknown) => void} refused
 */

export class Ballot {
  #review;
  #signal;
  #drafts;
  #tell;
  #choices;
  /** @type {string|null} */
  #choice = null;
  #sending = false;
  #comment = element("textarea", COMMENT);
  #fault = element("p", { class: "fault", id: "comment-fault", role: "alert" });
  #elsewhere = element("div");
  #passages = element("div");
  #edits = new AbortController();

  /**
   * @param {Review} review
   * @param {Tell} tell
   * @param {AbortSignal} signal
   */
  constructor(review, tell, signal) {
    this.#review = review;
    this.#tell = tell;
    this.#choices = Object.fromEntries(choicesFor(review.proposal));
    this.#drafts = new Drafts(review.me.id, review.id);
    const draft = this.#drafts.of(review.version);
    this.#signal = signal;
    this.editor = this.#editorOf(draft);
    this.#drafts.whenChangedElsewhere(review.version, () => this.#showElsewhere(), signal);
    this.#drafts.whenChangedHere(review.version, () => this.#showPassages(), signal);
    this.#comment.maxLength = review.limits.longest_comment;
    this.#comment.value = commentOn(draft, draft.choice ?? "");
    this.#comment.addEventListener("input", () => {
      this.#blame("");
      this.#keepComment(this.#comment.value);
    });
    this.element = element("form", {
      class: "ballot",
      id: "ballot",
      hidden: true,
      // The browser's own bubble would hide the sentence that says what the words are for.
      novalidate: true,
      submit: (event) => this.#submit(event),
      keydown: (event) => event.key === "Escape" && this.close(),
    });
  }

  /**
   * Take in what others said meanwhile; what is being typed stays.
   *
   * @param {Review} review
   */
  update(review) {
    this.#review = review;
    this.#showPassages();
  }

  /**
   * Open the form for a choice; where it is open for that one, nothing changes.
   *
   * @param {string} name
   */
  open(name, { focus = true } = {}) {
    if (this.#choice === name) return;
    this.#choice = name;
    this.#comment.value = commentOn(this.#drafts.of(this.#review.version), name);
    this.#show(this.#choices[name]);
    this.#keep({ choice: name });
    this.#showElsewhere();
    this.#expand(name);
    if (focus) this.#focusFirst();
  }

  /** The bar is in view, and the text stays where it is; unless the window is low. */
  #focusFirst() {
    const first = this.#firstField();
    first.focus({ preventScroll: this.#choice !== "edit" });
    const bar = this.element.parentElement;
    if (bar && getComputedStyle(bar).position === "static") bar.scrollIntoView({ block: "start" });
  }

  close() {
    this.#choice = null;
    this.#expand(null);
  }

  /** Go on where this person left off, if they had typed anything. */
  takeUp() {
    const draft = this.#drafts.of(this.#review.version);
    if (!hasWords(draft)) return;
    const begun = hasCorrection(draft) ? "edit" : choiceWithWords(draft);
    const choice = [begun, "revise"].find((name) => Object.hasOwn(this.#choices, name));
    this.open(choice ?? "reject", { focus: false });
    const here = element("p", { class: "hint" }, "Your earlier text is still here.");
    this.element.querySelector(".ballot-means")?.append(here);
  }

  /** What was typed and not sent, of a version that is not to be decided about any more. */
  leftOver() {
    const { version } = this.#review;
    // Another tab of the same person may have sent its own words and dropped the draft.
    const comment = this.#comment.value;
    const drop = () => {
      this.#comment.value = "";
      this.#drafts.drop(version);
    };
    return [
      comment.trim() && leftComment("Your comment was not sent. It is saved", comment, { drop }),
      this.editor?.leftOver(this.#drafts.of(version)),
    ];
  }

  async send() {
    // A button to try again may outlive the choice that it was for.
    if (!this.#choice || this.#sending) return;
    this.#busy(true);
    try {
      const body = await signedIfRequired(this.#review, this.#body());
      if (!(await this.#held())) return;
      this.#busy(true);
      const recorded = await sendVerdict(this.#review, body);
      this.#drafts.drop(this.#review.version);
      this.close();
      this.#tell.recorded({ ...recorded, corrected: "correction" in body });
    } catch (problem) {
      this.#blameFields(problem);
      this.#tell.refused(problem);
    } finally {
      this.#busy(false);
    }
  }

  /** Let it wait while it can be undone; returns whether to send it. */
  async #held() {
    const { id: operation, version, proposal } = this.#review;
    const title = kindOf(proposal.kind).title(proposal);
    const label = `“${this.#chosen.act(version)}” of “${title}”`;
    const back = within({ operation, version }, `Open version ${version}`, { class: "button" });
    const until = proposal.expires_at;
    const sent = held(label, { until, back, about: { operation, version } });
    if (secondsToUndo(until)) {
      this.#busy(true, "Not sent yet");
      this.#tell.held();
    }
    return sent;
  }

  /** @param {Choice} choice */
  #show(choice) {
    const { version } = this.#review;
    const stands = standing(this.#review);
    const send = element(
      "button",
      { class: `button primary ${this.#choice}`, "data-send": choice.act(version) },
      choice.act(version),
    );
    const lost = "This browser saves no drafts: your text is lost when you close the tab.";
    this.#blame("");
    this.#showPassages();
    fill(
      this.element,
      element(
        "div",
        { class: "ballot-means" },
        element("h2", {}, choice.label),
        choice.before(this.#review),
        stands.may && stands.note && notice("warn", stands.note),
      ),
      element(
        "div",
        { class: "ballot-words" },
        this.#elsewhere,
        this.#fromBefore(),
        element("label", { for: "comment" }, choice.comment),
        this.#comment,
        this.#passages,
        this.#fault,
        !lasting() && notice("warn", lost),
        element(
          "div",
          { class: "actions" },
          send,
          button("Cancel", () => this.close()),
        ),
      ),
    );
  }

  /** @param {string|null} choice */
  #expand(choice) {
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = choice === null;
    if (this.editor) this.editor.open = choice === "edit";
    this.#tell.chosen(choice, inside);
  }

  /** Where the choice leads: to the words it asks for, or to what is about to be signed. */
  #firstField() {
    /** @type {HTMLElement|null} */
    const signature = this.element.querySelector(".signature");
    return this.#edited ?? signature ?? this.#comment;
  }

  /** The editor, where that is what is chosen. */
  get #edited() {
    return this.#choice === "edit" ? this.editor : undefined;
  }

  /**
   * An editor in place of the one before, which ends.
   *
   * @param {Draft} draft
   */
  #editorOf(draft) {
    const { editor } = kindOf(this.#review.proposal.kind);
    this.#edits.abort();
    this.#edits = new AbortController();
    const ends = AbortSignal.any([this.#signal, this.#edits.signal]);
    return editor?.(this.#review, draft, (typed) => this.#keep(typed), ends);
  }

  /** What was typed in other tabs meanwhile, which may be the newer text. */
  #showElsewhere() {
    const { version } = this.#review;
    const names = this.#choice ? this.#drafts.elsewhere(version) : [];
    if (names.length && !this.#elsewhere.hasChildNodes())
      announce("Another tab has other text for this version.");
    fill(
      this.#elsewhere,
      names.map((name) => this.#offerOf(name)),
    );
  }

  /** @param {string} name of what is kept */
  #offerOf(name) {
    /** @type {Draft} */
    const draft = kept(name) ?? {};
    return typedElsewhere(
      commentOn(draft, choiceWithWords(draft)),
      hasCorrection(draft) && this.editor?.leftOver(draft),
      {
        use: () => this.#use(name),
        drop: () => {
          forget(name);
          this.#showElsewhere();
        },
      },
    );
  }

  /** @param {string} name of what is kept */
  #use(name) {
    const { version } = this.#review;
    this.#drafts.use(version, name);
    const editor = this.#editorOf(this.#drafts.of(version));
    if (editor) this.editor?.element.replaceWith(editor.element);
    this.editor = editor;
    this.close();
    this.takeUp();
    this.#focusFirst();
  }

  /** A comment begun on an earlier version, which is worth a look before it is lost. */
  #fromBefore() {
    const earlier = this.#drafts.before(this.#review.version);
    if (!earlier || this.#comment.value.trim()) return null;
    const { comment = "" } = this.#drafts.of(earlier);
    return leftComment(`You started a comment on version ${earlier}`, comment, {
      drop: () => this.#drafts.drop(earlier),
      use: () => {
        this.#comment.value = comment;
        this.#keepComment(comment);
        this.#comment.focus();
      },
    });
  }

  /**
   * What is said with one choice is not said with another one.
   *
   * @param {string} comment
   */
  #keepComment(comment) {
    const { comments = {} } = this.#drafts.of(this.#review.version);
    this.#keep({ comment, comments: { ...comments, [this.#choice ?? ""]: comment } });
  }

  /** @param {object} changes */
  #keep(changes) {
    this.#drafts.change(this.#review.version, changes);
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    if (this.#sending || !this.#choice) return;
    const fault = this.#faultNow();
    this.#blame(fault);
    if (fault) this.#firstField().focus();
    else this.send();
  }

  get #gathered() {
    return gatheredIn(this.#drafts.of(this.#review.version));
  }

  /** The comments on passages that the team gets with a request for changes. */
  get #told() {
    const { comments, version } = this.#review.proposal;
    return this.#gathered.length + comments.filter((each) => each.version === version).length;
  }

  /** Say what becomes of the comments on passages with this choice. */
  #showPassages() {
    if (!this.#choice) return;
    const { needs, passages } = this.#chosen;
    const number = this.#gathered.length;
    const comments = count(number, "comment on a passage", "comments on passages");
    const say = passages
      ? `${comments} will be sent with it.`
      : `Your ${comments} will not be sent with it. Send them in “Comments”, or request changes.`;
    this.#comment.toggleAttribute("required", Boolean(needs) && !(passages && this.#told));
    fill(this.#passages, number > 0 && notice(passages ? "info" : "warn", say));
  }

  /** @param {string} fault */
  #blame(fault) {
    fill(this.#fault, fault);
    this.#comment.setAttribute("aria-invalid", String(Boolean(fault) && this.#choice !== "edit"));
  }

  /**
   * What is said at the field that it is about needs no place in the notice.
   *
   * @param {unknown} problem
   */
  #blameFields(problem) {
    if (!(problem instanceof Problem) || problem.code !== "malformed" || !this.#edited) return;
    const { facts } = problem;
    facts.fields = this.#edited.blame(facts.fields ?? {});
  }

  #faultNow() {
    if (this.#edited) return this.#edited.fault;
    const { needs, passages } = this.#chosen;
    const said = this.#comment.value.trim() || (passages && this.#told);
    return said ? "" : needs;
  }

  get #chosen() {
    return this.#choices[this.#choice ?? "approve"];
  }

  #body() {
    const { decision, passages } = this.#chosen;
    const { digest } = this.#review.proposal;
    const body = { decision, digest, comment: this.#comment.value.trim() };
    const comments = passages ? this.#gathered : [];
    if (comments.length) return { ...body, comments };
    return this.#edited ? { ...body, correction: this.#edited.correction } : body;
  }

  /**
   * @param {boolean} sending
   * @param {string} [says] what the button says meanwhile
   */
  #busy(sending, says = "Sending…") {
    this.#sending = sending;
    this.element.setAttribute("aria-busy", String(sending));
    for (const each of this.element.querySelectorAll("button")) each.disabled = sending;
    /** @type {HTMLElement|null} */
    const send = this.element.querySelector("[data-send]");
    if (send) fill(send, sending ? says : (send.dataset.send ?? ""));
    this.#tell.busy(sending);
  }
}
