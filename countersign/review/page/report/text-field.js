/** The text of a report while it is written: as its readers see it, or in Markdown. */

import { element, fill } from "../elements/element.js";
import { button, field, notice } from "../elements/notice.js";
import { loadLibrary } from "../writing/library.js";
import { RichText } from "../writing/rich-text.js";

/** Characters; a browser takes too long for each letter that is typed into a longer one. */
const LONGEST = 200_000;

const HINT =
  "Press Ctrl or ⌘ with B for bold, I for italic, Z to undo. Pasted text loses its formatting. Parts that cannot be edited this way are shown in Markdown.";

export class TextField {
  #plain = element("textarea", { id: "own-text", class: "own-text", spellcheck: "true" });
  #plainField = field("Report, in Markdown", this.#plain);
  #place = element("div", { class: "field" });
  #trouble = element("div");
  #switch = button("", () => this.#choose(!this.#wantsRich));
  #signal;
  #quotes;
  #changed;
  /** @type {RichText|null} */
  #rich = null;
  #wantsRich = true;

  /**
   * @param {string} text
   * @param {string[]} quotes what has to stay as it is, to be a quote
   * @param {() => void} changed
   * @param {AbortSignal} signal of the time for which it is shown
   */
  constructor(text, quotes, changed, signal) {
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#rich?.close());
    this.#plain.value = text;
    this.#quotes = quotes;
    this.#changed = changed;
    this.#plain.addEventListener("input", () => {
      // Whoever writes already, before all is loaded, is not interrupted.
      this.#wantsRich = false;
      this.#label();
      changed();
    });
    this.#wantsRich = text.length <= LONGEST;
    this.#label();
    this.element = element(
      "div",
      { class: "text-field" },
      element("div", { class: "actions" }, this.#switch),
      this.#trouble,
      this.#place,
      this.#plainField,
    );
  }

  get value() {
    return this.#plain.value;
  }

  /** Load what is needed to write in the text as it is read, unless Markdown is wanted. */
  async begin() {
    if (!this.#wantsRich || this.#rich) return;
    try {
      const library = await loadLibrary();
      if (this.#wantsRich && !this.#rich && !this.#signal.aborted) this.#show(library);
    } catch {
      this.#wantsRich = false;
      this.#label();
      fill(
        this.#trouble,
        notice("warn", "The editor could not be loaded. You can edit the text in Markdown."),
      );
    }
  }

  focus() {
    if (this.#rich) this.#rich.focus();
    else this.#plain.focus({ preventScroll: true });
  }

  /** @param {boolean} rich */
  #choose(rich) {
    if (rich && this.value.length > LONGEST) {
      const say = `A text of more than ${LONGEST.toLocaleString("en")} characters can only be edited in Markdown.`;
      return fill(this.#trouble, notice("info", say));
    }
    fill(this.#trouble);
    this.#wantsRich = rich;
    this.#label();
    if (rich) return this.begin().then(() => this.focus());
    this.#rich?.close();
    this.#rich = null;
    fill(this.#place);
    this.#plainField.hidden = false;
    this.focus();
  }

  /** @param {import("../writing/library.js").Library} library */
  #show(library) {
    const hadFocus = document.activeElement === this.#plain;
    const changed = (/** @type {string} */ text) => {
      this.#plain.value = text;
      this.#changed();
    };
    const options = { label: "Your text, formatted", quotes: this.#quotes, changed };
    this.#rich = new RichText(library, this.value, options);
    fill(this.#place, element("p", { class: "hint" }, HINT), this.#rich.element);
    this.#plainField.hidden = true;
    if (hadFocus) this.#rich.focus();
  }

  #label() {
    fill(this.#switch, this.#wantsRich ? "Edit as Markdown" : "Edit with formatting");
  }
}
