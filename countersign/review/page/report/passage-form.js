/** The form in which something is said about a passage. */

import { element, visible } from "../elements/element.js";
import { button, field } from "../elements/notice.js";

/** @import { GatheredComment } from "../proposal/drafts.js" */

/**
 * Ask what is to be said about a passage; what was said before is there to be changed.
 *
 * @param {GatheredComment} before
 * @param {{longest: number, suggests: boolean}} options
 * @returns {Promise<GatheredComment|null>} null if nothing is to be said
 */
export function askAbout(before, { longest, suggests }) {
  const comment = area("passage-comment", before.comment, longest);
  const suggestion = area("passage-words", before.suggestion ?? before.quote, longest);
  const fault = element("p", { class: "fault", role: "alert" });
  const dialog = element(
    "dialog",
    { class: "passage-form", "aria-labelledby": "passage-title" },
    element("h2", { id: "passage-title" }, suggests ? "Suggest other words" : "Comment"),
    element("blockquote", { dir: "auto" }, visible(before.quote)),
  );

  /** @returns {GatheredComment} */
  const said = () => ({
    quote: before.quote,
    start: before.start,
    comment: comment.value.trim(),
    suggestion: suggests ? suggestion.value.trim() : null,
  });
  const isSaid = () => (suggests ? said().suggestion !== before.quote : Boolean(said().comment));

  return new Promise((resolve) => {
    /** @param {SubmitEvent} event */
    const submit = (event) => {
      event.preventDefault();
      const missing = suggests ? "Change the words, or leave none." : "Say what should change.";
      fault.textContent = isSaid() ? "" : missing;
      if (!isSaid()) return (suggests ? suggestion : comment).focus();
      resolve(said());
      dialog.close();
    };
    const form = element(
      "form",
      { novalidate: true, submit },
      suggests && field("The words that you suggest (none to leave it out)", suggestion),
      field(suggests ? "Why? (optional)" : "What should change?", comment),
      fault,
      element(
        "div",
        { class: "actions" },
        element("button", { class: "button primary" }, "Add to your review"),
        button("Cancel", () => dialog.close()),
      ),
    );
    dialog.append(form);
    dialog.addEventListener("close", () => {
      resolve(null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
    (suggests ? suggestion : comment).focus();
  });
}

/**
 * @param {string} id
 * @param {string} value
 * @param {number} longest
 */
function area(id, value, longest) {
  const made = element("textarea", { id, rows: 3, maxlength: longest, dir: "auto" });
  made.value = value;
  return made;
}
