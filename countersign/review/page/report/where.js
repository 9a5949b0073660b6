/** Where research looks: what the operator has turned on, and pages by their addresses. */

import { CheckedField } from "../elements/checked-field.js";
import { element } from "../elements/element.js";

/** @import { Places } from "../api.js" */

/**
 * What a place is called, by the API's word for it.
 *
 * @type {Record<string, string>}
 */
const PLACES = {
  library: "The library",
  wikipedia: "Wikipedia",
  mcp: "The organisation's MCP server",
  azure_search: "The organisation's index in Azure AI Search",
  web_search: "The web",
};

export class Where {
  /** @type {Map<string, ReturnType<typeof box>>} */
  #boxes = new Map();
  /** @type {CheckedField|null} */
  #addresses = null;

  /** @param {Places} sources what is turned on */
  constructor({ look_in: lookIn, most_addresses: most }) {
    if (most) this.#addresses = addressField(most);
    const isChoice = lookIn.length > 1 || most > 0;
    for (const name of isChoice ? lookIn : []) this.#boxes.set(name, box(name));
    this.element = isChoice ? this.#choice() : onlyGiven();
  }

  /** What the fields hold, as a draft keeps it. */
  get typed() {
    return { looked: this.#named, addresses: this.#addresses?.control.value ?? "" };
  }

  set typed({ looked, addresses = "" }) {
    for (const [name, { checked }] of this.#boxes)
      checked.checked = looked ? looked.includes(name) : name === "library";
    if (this.#addresses) this.#addresses.control.value = addresses;
  }

  /**
   * The field by the API's name of it.
   *
   * @param {string} name
   */
  fieldOf(name) {
    return /^addresses\b/.test(name) ? this.#addresses : null;
  }

  /** What the API is told. */
  get body() {
    const lines = (this.#addresses?.control.value ?? "").split("\n").map((line) => line.trim());
    const addresses = lines.filter(Boolean);
    const named = this.#named;
    return { ...(named.length && { look_in: named }), ...(addresses.length && { addresses }) };
  }

  get #named() {
    return [...this.#boxes].filter(([, { checked }]) => checked.checked).map(([name]) => name);
  }

  #choice() {
    return element(
      "fieldset",
      { class: "where" },
      element("legend", {}, "Where to look"),
      [...this.#boxes.values()].map(({ label }) => label),
      this.#addresses?.element,
    );
  }
}

/** @param {string} name */
function box(name) {
  const checked = element("input", { type: "checkbox", id: `look-in-${name}` });
  return { checked, label: element("label", { class: "choice" }, checked, ` ${PLACES[name]}`) };
}

/** @param {number} most */
function addressField(most) {
  const hint = element(
    "p",
    { class: "hint", id: "addresses-hint" },
    `One per line, ${most} at most. The app fetches each page once, if its site allows programs to` +
      " read it, and quotes the copy.",
  );
  const control = element("textarea", {
    id: "addresses",
    rows: 3,
    dir: "ltr",
    spellcheck: "false",
  });
  return new CheckedField("Addresses of web pages (optional)", control, hint);
}

function onlyGiven() {
  return element(
    "p",
    { class: "hint" },
    "The team reads the library, or your documents instead, and nothing else.",
  );
}
