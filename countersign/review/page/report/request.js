/** What a report is asked for with: a topic, its parts, and documents to look in. */

import { CheckedField } from "../elements/checked-field.js";
import { count, element, fill, foreign } from "../elements/element.js";
import { button, field, notice } from "../elements/notice.js";
import { Terms } from "../request/terms.js";
import { call } from "../session/api.js";
import { readLimits } from "../session/limits.js";
import { Documents } from "./documents.js";
import { Where } from "./where.js";

/**
 * @import { DocumentLimits, LimitsView, Places } from "../api.js"
 * @import { RequestKind } from "../kind.js"
 */

/**
 * Get what the form has to know first.
 *
 * @type {RequestKind["maker"]}
 */
export async function reportMaker(signal) {
  const [limits, documents, sources] = await Promise.all([
    readLimits(),
    call("documents", { signal }),
    call("sources", { signal }),
  ]);
  return (changed) => new ReportRequest(limits, documents, sources, signal, changed);
}

class ReportRequest {
  path = "research";
  draft = "request";
  send = "Request the report";
  lead =
    "A team of agents researches the topic, checks each fact against its source and drafts a" +
    " report. It is published only after someone else has approved exactly that text.";
  #documents;
  #where;
  #lost = element("div");
  #tooLarge = element("div");
  #terms;
  #library;
  #topic = new CheckedField("Topic", element("input", { id: "topic", autocomplete: "off" }));
  #subtopics = element("textarea", {
    id: "subtopics",
    rows: 4,
    "aria-describedby": "subtopics-hint",
  });

  /**
   * @param {LimitsView} limits
   * @param {DocumentLimits} documents
   * @param {Places} sources where research can look
   * @param {AbortSignal} signal
   * @param {() => void} changed called when a document is added or taken out
   */
  constructor(limits, documents, sources, signal, changed) {
    this.#terms = new Terms(limits.approval, ["Report.Reviewer", "Report.Escalation"]);
    this.#topic.control.maxLength = limits.report.longest_topic;
    this.#documents = new Documents(documents, signal, changed);
    this.#where = new Where(sources);
    this.#library = libraryElement(sources.library, (topic) => {
      this.#topic.control.value = topic;
      this.#topic.blame("");
      this.#topic.control.focus();
      changed();
    });
  }

  get elements() {
    const hint = element(
      "p",
      { class: "hint", id: "subtopics-hint" },
      "One per line. If you leave this empty, the team plans them.",
    );
    return [
      this.#lost,
      this.#topic.element,
      this.#library,
      field("Subtopics (optional)", this.#subtopics, hint),
      this.#where.element,
      element(
        "fieldset",
        {},
        element("legend", {}, "Documents to research (optional)"),
        this.#documents.element,
        this.#tooLarge,
      ),
      this.#terms.element,
    ];
  }

  /** What the fields hold, as a draft keeps it. */
  get typed() {
    return {
      topic: this.#topic.control.value,
      subtopics: this.#subtopics.value,
      names: this.#documents.names,
      ...this.#where.typed,
      ...this.#terms.typed,
    };
  }

  set typed({ topic = "", subtopics = "", names = [], looked, addresses, ...terms }) {
    this.#topic.control.value = topic;
    this.#subtopics.value = subtopics;
    this.#where.typed = { looked, addresses };
    this.#terms.typed = terms;
    // Files can't be kept between visits, so the page says which ones were there.
    const lost = `Your draft is here; ${count(names.length, "file has", "files have")} to be added again.`;
    fill(this.#lost, names.length > 0 && notice("info", lost, foreign(names.join(", "))));
  }

  /** Say at the fields what is wrong with them. @returns {boolean} whether anything is */
  check() {
    const topic = this.#topic.value ? "" : "Enter a topic.";
    this.#topic.blame(topic);
    if (topic) this.#topic.control.focus();
    const { fault } = this.#documents;
    fill(this.#tooLarge, fault && notice("bad", fault));
    return Boolean(topic || fault);
  }

  /**
   * The fields by the API's names of them.
   *
   * @param {string} name
   */
  fieldOf(name) {
    return { topic: this.#topic }[name] ?? this.#where.fieldOf(name);
  }

  /** What the API is told. */
  get body() {
    const lines = this.#subtopics.value.split("\n").map((line) => line.trim());
    const subtopics = lines.filter(Boolean);
    const { documents } = this.#documents;
    return {
      topic: this.#topic.value,
      approval: this.#terms.approval,
      ...(subtopics.length && { subtopics }),
      ...(documents.length && { documents }),
      ...this.#where.body,
    };
  }
}

/**
 * What the library holds, each title a topic that it carries.
 *
 * @param {Places["library"]} library
 * @param {(topic: string) => void} chosen
 */
function libraryElement(library, chosen) {
  if (!library) return null;
  if (!library.documents) return element("p", { class: "hint" }, "The library is empty.");
  const { documents, titles } = library;
  const topics = titles.map((title) =>
    button(foreign(title), () => chosen(title), { class: "topic" }),
  );
  const all = titles.length === documents;
  return element(
    "div",
    { class: "library" },
    element(
      "p",
      { class: "hint" },
      `The library holds ${count(documents, "document")}${all ? "" : `, of which ${titles.length} are shown`}. Click a title to take it as the topic:`,
    ),
    element("div", { class: "topics" }, topics),
  );
}
