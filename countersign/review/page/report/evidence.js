/** What a report can be checked against: each claim with its quote, its source and its verdict. */

import { count, element, foreign, icon, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { contradictionsElement, doubtsElement, leftOutElement, ownWordsElement } from "./doubts.js";
import { passageElement, verdict } from "./passage.js";
import { sourceElement, sourceName, unreadElement } from "./source.js";

/**
 * @import { Claim, Evidence, SourceNote } from "../api.js"
 * @import { Quotes } from "./quotes.js"
 */

/**
 * What the evidence comes to, in two sentences and a note, and whether nothing in it is in doubt.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function verdictOn({ claims, doubts, contradictions, own_text: ownText }) {
  /** @param {(claim: Claim) => boolean} is */
  const number = (is) => claims.filter(is).length;
  if (ownText) {
    const still = `${number(({ used }) => used)} of ${count(claims.length, "checked claim")}`;
    return {
      good: false,
      said: "Not checked: a reviewer's own text",
      more: `${still} still in it`,
      note: "not checked",
    };
  }
  const doubtful =
    number(isDoubtful) + doubts.filter(({ grave }) => grave).length + contradictions.length;
  return {
    good: claims.length > 0 && !doubtful,
    said: `${number(({ found }) => found)} of ${count(claims.length, "quote")} found`,
    more: `${number(({ supported }) => supported)} of ${claims.length} supported`,
    note: doubtful ? `${doubtful} to check` : count(claims.length, "claim"),
  };
}

export class EvidenceView {
  #items = new Map();
  #quotes;
  #showReport;

  /**
   * @param {Evidence} evidence as the API shows it
   * @param {Quotes} quotes the quotes as they stand in the report
   * @param {() => void} showReport brings the report to the front
   */
  constructor(evidence, quotes, showReport) {
    this.#quotes = quotes;
    this.#showReport = showReport;
    const sources = new Map(evidence.sources.map((source) => [source.id, source]));
    /** @param {Claim[]} claims */
    const items = (claims) => claims.map((claim) => this.#item(claim, sources.get(claim.source)));
    const { doubtful, used, unused } = grouped(evidence.claims);
    this.element = element(
      "div",
      { class: "evidence" },
      summary(evidence),
      note("The fact-checker", evidence.notes),
      note("The writer, on the reviewer's comment", evidence.revision),
      doubtsElement(evidence),
      contradictionsElement(evidence),
      unreadElement(evidence.unread),
      group("Check these first", items(doubtful), "doubtful"),
      group("In the report", items(used)),
      folded(items(unused)),
      ownWordsElement(evidence),
      leftOutElement(evidence),
    );
  }

  /**
   * Open a claim and go to it.
   *
   * @param {Claim} claim
   */
  open(claim) {
    const item = this.#items.get(claim);
    if (!item) return;
    const fold = item.closest(".folded");
    if (fold) fold.open = true;
    item.open = true;
    item.firstElementChild.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {Claim} claim
   * @param {SourceNote|undefined} source
   */
  #item(claim, source) {
    const item = element("details", { class: "claim", "data-doubtful": String(isDoubtful(claim)) });
    item.append(claimSummary(claim, source), this.#body(claim, source));
    item.addEventListener("toggle", () => item.open && this.#quotes.choose(claim));
    this.#items.set(claim, item);
    return element("li", {}, item);
  }

  /**
   * @param {Claim} claim
   * @param {SourceNote|undefined} source
   */
  #body(claim, source) {
    const show = () => {
      this.#showReport();
      this.#quotes.scrollTo(claim);
    };
    return element(
      "div",
      { class: "claim-body" },
      claim.marks.map((mark) => foreign(mark, "p", { class: "mark" })),
      passageElement(claim),
      sourceElement(source, claim.source),
      claim.note && element("p", { class: "hint" }, "Fact-checker: ", foreign(claim.note)),
      this.#quotes.has(claim) && button("Show it in the report", show, { class: "link" }),
    );
  }
}

/** @param {Claim[]} claims */
function grouped(claims) {
  const doubtful = claims.filter(isDoubtful);
  const sound = claims.filter((claim) => !isDoubtful(claim));
  // What is doubtful and stands in the text all the same is what a reviewer must not miss.
  doubtful.sort((one, other) => Number(other.used) - Number(one.used));
  return {
    doubtful,
    used: sound.filter(({ used }) => used),
    unused: sound.filter(({ used }) => !used),
  };
}

/** @param {Claim} claim */
function isDoubtful({ found, supported, marks }) {
  return !found || !supported || marks.length > 0;
}

/** @param {Evidence} evidence */
function summary(evidence) {
  const { good, said, more } = verdictOn(evidence);
  return element(
    "h2",
    { class: "evidence-summary", "data-state": good ? "good" : "bad" },
    icon(good ? "check" : "alert"),
    `${said}, ${more}`,
  );
}

/**
 * @param {string} who
 * @param {string} text
 */
function note(who, text) {
  return (
    text &&
    element("p", { class: "evidence-note" }, element("strong", {}, `${who}: `), foreign(text))
  );
}

/**
 * @param {string} title
 * @param {Node[]} items
 */
function group(title, items, kind = "") {
  if (!items.length) return null;
  return element(
    "section",
    { class: `claims ${kind}` },
    element("h3", {}, title),
    element("ol", {}, items),
  );
}

/** @param {Node[]} items */
function folded(items) {
  if (!items.length) return null;
  const title = `${count(items.length, "checked claim")} not used in the report`;
  return element(
    "details",
    { class: "folded claims" },
    element("summary", {}, title),
    element("ol", {}, items),
  );
}

/**
 * @param {Claim} claim
 * @param {SourceNote|undefined} source
 */
function claimSummary(claim, source) {
  const left = isDoubtful(claim) && !claim.used ? "left out of the report" : "";
  return element(
    "summary",
    {},
    icon(isDoubtful(claim) ? "alert" : "check"),
    element("span", { class: "claim-text", dir: "auto" }, visible(claim.claim)),
    element(
      "span",
      { class: "verdicts" },
      verdict(claim.found, claim.found ? "quote found" : "quote not found"),
      verdict(claim.supported, claim.supported ? "supported" : "not supported"),
      claim.marks.length > 0 && verdict(false, "to check"),
      left && element("span", {}, left),
      element("span", {}, sourceName(source, claim.source)),
    ),
  );
}
