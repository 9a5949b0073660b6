/** The form that a chosen decision is made in: what it means, the words to it, and its sending. */

import { choicesFor } from "./choices.js";
import { Drafts, hasCorrection, hasWords } from "./drafts.js";
import { element, fill } from "../elements/element.js";
import { lasting } from "../browser/keep.js";
import { leftComment } from "./leftover.js";
import { button, notice } from "../elements/notice.js";
import { standing } from "./standing.js";
import { sendVerdict } from "./verdict.js";
import { kindOf } from "../words/kinds.js";

const COMMENT = { id: "comment", rows: 3, maxlength: 5000, "aria-describedby": "comment-fault" };

export class Ballot {
  #review;
  #drafts;
  #tell;
  #choices;
  #choice = null;
  #sending = false;
  #comment = element("textarea", COMMENT);
  #fault = element("p", { class: "fault", id: "comment-fault", role: "alert" });

  /**
   * @param {import("./review.js").Review} review
   * @param {{chosen: Function, busy: Function, recorded: Function, refused: Function}} tell
   *   `chosen` gets the choice that the form is open for, or null, and whether the
   *   focus was in it; `busy` whether it is being sent;
   *   `recorded` and `refused` how that ended
   */
  constructor(review, tell) {
    this.#review = review;
    this.#tell = tell;
    this.#choices = Object.fromEntries(choicesFor(review.proposal));
    this.#drafts = new Drafts(review.me.id, review.id);
    const draft = this.#drafts.of(review.version);
    const { editor } = kindOf(review.proposal.kind);
    this.editor = editor?.(review, draft, (typed) => this.#keep(typed));
    this.#comment.value = draft.comment ?? "";
    this.#comment.addEventListener("input", () => {
      this.#blame("");
      this.#keep({ comment: this.#comment.value });
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

  /** Open the form for a choice, or close it if it is open for that one. */
  open(name, { focus = true } = {}) {
    if (this.#choice === name) {
      this.close();
      return;
    }
    this.#choice = name;
    this.#show(this.#choices[name]);
    this.#keep({ choice: name });
    this.#expand(name);
    // The bar is always in view; scrolling to it would move the text away.
    if (focus) this.#firstField().focus({ preventScroll: this.#choice !== "edit" });
  }

  close() {
    this.#choice = null;
    this.#expand(null);
  }

  /** Go on where this person left off, if they had typed anything. */
  takeUp() {
    const draft = this.#drafts.of(this.#review.version);
    if (!hasWords(draft)) return;
    const begun = hasCorrection(draft) ? "edit" : draft.choice;
    const choice = [begun, "revise", "reject"].find((name) => Object.hasOwn(this.#choices, name));
    this.open(choice, { focus: false });
    const here = element("p", { class: "hint" }, "What you typed before is still here.");
    this.element.querySelector(".ballot-means").append(here);
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
      comment.trim() && leftComment("Your comment was not sent, and is kept", comment, { drop }),
      this.editor?.leftOver(this.#drafts.of(version)),
    ];
  }

  async send() {
    // A button to try again may outlive the choice that it was for.
    if (!this.#choice || this.#sending) return;
    this.#busy(true);
    try {
      const recorded = await sendVerdict(this.#review, this.#body());
      this.#drafts.drop(this.#review.version);
      this.close();
      this.#tell.recorded(recorded);
    } catch (problem) {
      this.#blameFields(problem);
      this.#tell.refused(problem);
    } finally {
      this.#busy(false);
    }
  }

  #show(choice) {
    const { version } = this.#review;
    const { note } = standing(this.#review);
    const send = element(
      "button",
      { class: `button primary ${this.#choice}` },
      choice.act(version),
    );
    const lost = "This browser keeps no drafts: what you type is lost when you close the tab.";
    this.#blame("");
    this.#comment.toggleAttribute("required", Boolean(choice.needs));
    fill(
      this.element,
      element(
        "div",
        { class: "ballot-means" },
        element("h2", {}, choice.label),
        choice.before(this.#review),
        note && notice("warn", note),
      ),
      element(
        "div",
        { class: "ballot-words" },
        this.#fromBefore(),
        element("label", { for: "comment" }, choice.comment),
        this.#comment,
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

  #expand(choice) {
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = choice === null;
    if (this.editor) this.editor.open = choice === "edit";
    this.#tell.chosen(choice, inside);
  }

  /** Where the choice leads: to the words it asks for, or to what is about to be signed. */
  #firstField() {
    if (this.#choice === "edit") return this.editor;
    return this.element.querySelector(".signature") ?? this.#comment;
  }

  /** A comment begun on an earlier version, which is worth a look before it is lost. */
  #fromBefore() {
    const earlier = this.#drafts.before(this.#review.version);
    if (!earlier || this.#comment.value.trim()) return null;
    const { comment } = this.#drafts.of(earlier);
    return leftComment(`You had begun a comment on version ${earlier}`, comment, {
      drop: () => this.#drafts.drop(earlier),
      use: () => {
        this.#comment.value = comment;
        this.#keep({ comment });
        this.#comment.focus();
      },
    });
  }

  #keep(changes) {
    this.#drafts.change(this.#review.version, changes);
  }

  #submit(event) {
    event.preventDefault();
    if (this.#sending || !this.#choice) return;
    const fault = this.#faultNow();
    this.#blame(fault);
    if (fault) this.#firstField().focus();
    else this.send();
  }

  #blame(fault) {
    fill(this.#fault, fault);
    this.#comment.setAttribute("aria-invalid", String(Boolean(fault) && this.#choice !== "edit"));
  }

  /** What is said at the field that it is about needs no place in the notice. */
  #blameFields({ code, facts }) {
    if (code === "malformed" && this.#choice === "edit")
      facts.fields = this.editor.blame(facts.fields ?? {});
  }

  #faultNow() {
    if (this.#choice === "edit") return this.editor.fault;
    return this.#comment.value.trim() ? "" : this.#choices[this.#choice].needs;
  }

  #body() {
    const { decision } = this.#choices[this.#choice];
    const { digest } = this.#review.proposal;
    const body = { decision, digest, comment: this.#comment.value.trim() };
    return this.#choice === "edit" ? { ...body, correction: this.editor.correction } : body;
  }

  #busy(sending) {
    this.#sending = sending;
    this.element.setAttribute("aria-busy", String(sending));
    for (const each of this.element.querySelectorAll("button")) each.disabled = sending;
    this.#tell.busy(sending);
  }
}
