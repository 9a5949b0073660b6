/** Documents to research in: picked or dropped, and read by the server into plain text. */

import { announce } from "../elements/announce.js";
import { count, element, fill, foreign, icon } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { call } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";

/** @import { DocumentLimits, DocumentText, UnreadFile } from "../api.js" */

const MEGABYTE = 1_000_000;

/** @typedef {DocumentText & {name: string}} Read what was read, with the name of its file */

export class Documents {
  #limits;
  #signal;
  #changed;
  /** @type {Read[]} */
  #read = [];
  #list = element("ul", { class: "documents" });
  #trouble = element("div", { class: "document-trouble" });
  #picker = element("input", {
    type: "file",
    id: "files",
    multiple: true,
    "aria-describedby": "file-limits",
  });

  /**
   * @param {DocumentLimits} limits
   * @param {AbortSignal} signal
   * @param {() => void} changed called when a document is added or taken out
   */
  constructor(limits, signal, changed) {
    this.#limits = limits;
    this.#signal = signal;
    this.#changed = changed;
    this.#picker.accept = limits.suffixes.join(",");
    this.#picker.addEventListener("change", () => this.#take(this.#picker.files ?? []));
    const zone = this.#dropZone();
    this.element = element("div", {}, zone, this.#trouble, this.#list, leftOut(limits.left_out));
  }

  /** What goes into the request. */
  get documents() {
    return this.#read.map(({ title, text, locators }) => ({ title, text, locators }));
  }

  get names() {
    return this.#read.map(({ name }) => name);
  }

  /** Why they can't go into one request together, which carries only so many bytes; else empty. */
  get fault() {
    const bytes = new Blob([JSON.stringify(this.documents)]).size;
    const most = this.#limits.most_request_bytes;
    if (bytes < most) return "";
    return `All documents together have ${size(bytes)}, but a request can contain only ${size(most)}. Remove one.`;
  }

  #dropZone() {
    /** @param {DragEvent} event */
    const drop = (event) => {
      event.preventDefault();
      dragleave();
      this.#take(event.dataTransfer?.files ?? []);
    };
    const zone = element(
      "div",
      { class: "drop", dragover, dragleave, drop },
      element("label", { for: "files" }, "Choose files, or drop them here"),
      this.#picker,
      element("p", { class: "hint", id: "file-limits" }, limitsInWords(this.#limits)),
    );

    /** @param {DragEvent} event */
    function dragover(event) {
      event.preventDefault();
      zone.dataset.over = "";
    }

    function dragleave() {
      delete zone.dataset.over;
    }

    return zone;
  }

  /** @param {Iterable<File>} files */
  async #take(files) {
    fill(this.#trouble);
    for (const file of files) {
      const fault = this.#faultOf(file);
      if (fault)
        this.#trouble.append(
          element("p", { class: "fault", role: "alert" }, foreign(file.name), `: ${fault}`),
        );
      else await this.#send(file);
    }
    this.#picker.value = "";
  }

  /**
   * What is wrong with a file, which can be told without sending it.
   *
   * @param {File} file
   */
  #faultOf({ name, size: bytes }) {
    const { suffixes, most_bytes: most, most_documents: documents } = this.#limits;
    if (!suffixes.some((suffix) => name.toLowerCase().endsWith(suffix)))
      return `its type is not one of ${suffixes.join(", ")}`;
    if (bytes > most) return `it has ${size(bytes)}; at most ${size(most)} are read`;
    if (!bytes) return "it is empty";
    if (this.#read.length >= documents) return `at most ${documents} documents are allowed`;
    return "";
  }

  /** @param {File} file */
  async #send(file) {
    const row = element(
      "li",
      { class: "working" },
      icon("file"),
      foreign(file.name),
      element("span", { class: "hint" }, "being read…"),
    );
    this.#list.append(row);
    try {
      const headers = {
        "X-File-Name": encodeURIComponent(file.name),
        "Content-Type": "application/octet-stream",
      };
      /** @type {DocumentText} */
      const read = await call("documents", { bytes: file, headers, signal: this.#signal });
      const document = { ...read, name: file.name };
      this.#read.push(document);
      row.replaceWith(this.#row(document));
      this.#changed();
      announce(`${file.name} was read.`);
    } catch (problem) {
      row.remove();
      if (!this.#signal.aborted)
        this.#trouble.append(
          element("p", {}, foreign(file.name), ":"),
          problemNotice(problem, { retry: () => this.#take([file]) }),
        );
    }
  }

  /** @param {Read} document */
  #row(document) {
    const remove = () => {
      this.#read = this.#read.filter((each) => each !== document);
      row.remove();
      this.#changed();
      this.#picker.focus();
    };
    const row = element(
      "li",
      {},
      icon("file"),
      foreign(document.title, "strong"),
      element("span", { class: "hint" }, count(document.characters, "character")),
      button("Remove", remove, { class: "link", "aria-label": `Remove ${document.title}` }),
      document.warnings.map((warning) => element("p", { class: "hint warning" }, foreign(warning))),
    );
    return row;
  }
}

/**
 * The files of the library that could not be read.
 *
 * @param {UnreadFile[]} files
 */
function leftOut(files) {
  if (!files.length) return null;
  const lines = files.map(({ name, reason }) =>
    element("li", {}, foreign(name), ": ", foreign(reason)),
  );
  return element(
    "details",
    { class: "left-out" },
    element("summary", {}, `${count(files.length, "file")} of the library cannot be read`),
    element("ul", {}, lines),
  );
}

/** @param {DocumentLimits} limits */
function limitsInWords({
  suffixes,
  most_bytes: bytes,
  most_documents: documents,
  most_characters: characters,
}) {
  return `${suffixes.join(", ")} · at most ${size(bytes)} each, ${documents} documents, ${characters.toLocaleString("en")} characters of text in each.`;
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < MEGABYTE
    ? `${Math.ceil(bytes / 1000)} kB`
    : `${(bytes / MEGABYTE).toFixed(1).replace(".0", "")} MB`;
}
