/** What a report can be checked against: each claim with its quote, its source and its verdict. */

import { count, element, foreign, icon, visible } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { evidenceInShort } from "../words/words.js";
import { contradictionsElement, doubtsElement, leftOutElement, ownWordsElement } from "./doubts.js";
import { passageElement, verdict } from "./passage.js";
import { sentElement, sourceElement, sourceName, unreadElement } from "./source.js";

/**
 * @import { Claim, Evidence, SourceNote } from "../api.js"
 * @import { Sources } from "./opened.js"
 * @import { Quotes } from "./quotes.js"
 */

const FIGURE = /\p{N}/u;

const UNCHECKED =
  "a reviewer wrote this text, and nobody compared it with the sources. The claims below were checked in the version before it.";

/**
 * What the evidence comes to, in two sentences and a note, and whether nothing in it is in doubt.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function verdictOn({ claims, doubts, contradictions, own_text: ownText }) {
  const used = claims.filter((claim) => claim.used);
  if (ownText) {
    return {
      good: false,
      said: "Not checked: a reviewer's own text",
      more: `${used.length} of ${count(claims.length, "checked claim")} still in it`,
      note: evidenceInShort({ claims: used.length, to_check: null }).said,
    };
  }
  /** @param {(claim: Claim) => boolean} is */
  const number = (is) => used.filter(is).length;
  const doubtful =
    number(isDoubtful) + doubts.filter(({ grave }) => grave).length + contradictions.length;
  const { good, said: note } = evidenceInShort({ claims: used.length, to_check: doubtful });
  return {
    good,
    said: `${number(({ found }) => found)} of ${count(used.length, "quote")} found`,
    more: `${number(({ supported }) => supported)} of ${used.length} supported${doubtful ? `, ${note}` : ""}`,
    note,
  };
}

export class EvidenceView {
  #items = new Map();
  #numbers;
  #quotes;
  #opened;
  #showReport;
  #sound;

  /**
   * @param {Evidence} evidence as the API shows it
   * @param {Quotes} quotes the quotes as they stand in the report
   * @param {Sources} opened opens the sources of claims
   * @param {() => void} showReport brings the report to the front
   */
  constructor(evidence, quotes, opened, showReport) {
    this.#quotes = quotes;
    this.#opened = opened;
    this.#numbers = new Map(evidence.claims.map((claim, index) => [claim, index + 1]));
    this.#showReport = showReport;
    const sources = new Map(evidence.sources.map((source) => [source.id, source]));
    /** @param {Claim[]} claims */
    const items = (claims) => claims.map((claim) => this.#item(claim, sources.get(claim.source)));
    const { doubtful, figures, sound, unused } = grouped(evidence.claims);
    const isCalm = !doubtful.length && !figures.length && verdictOn(evidence).good;
    const others = count(sound.length, isCalm ? "claim" : "other claim");
    this.#sound = folded(`${others} in the report`, items(sound), isCalm);
    this.element = element(
      "div",
      { class: "evidence" },
      summary(evidence),
      note("The fact-checker", evidence.notes),
      note("The writer, on the reviewer's comment", evidence.revision),
      evidence.own_text && note("Not checked", UNCHECKED),
      doubtsElement(evidence),
      contradictionsElement(evidence),
      unreadElement(evidence.unread),
      group("Check these first", items(doubtful), "doubtful"),
      group("Claims with numbers", items(figures)),
      this.#sound,
      folded(`${count(unused.length, "checked claim")} not used in the report`, items(unused)),
      ownWordsElement(evidence),
      leftOutElement(evidence),
      sentElement(evidence),
    );
    for (const claim of [...doubtful, ...figures]) this.#items.get(claim).open = true;
  }

  /** Show the claims of the report that are folded away. */
  unfold() {
    this.#sound?.setAttribute("open", "");
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
    this.#quotes.choose(claim);
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
    // What is open from the beginning was not chosen by anybody.
    item.firstElementChild?.addEventListener(
      "click",
      () => item.open || this.#quotes.choose(claim),
    );
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
      claim.found && this.#opened.opener(`/claims/${this.#numbers.get(claim)}`),
      claim.note && element("p", { class: "hint" }, "Fact-checker: ", foreign(claim.note)),
      this.#quotes.has(claim) && button("Show it in the report", show, { class: "link" }),
    );
  }
}

/**
 * What a reviewer must not miss stands apart: what is doubtful and in the text all the same, and
 * figures, which are easily wrong.
 *
 * @param {Claim[]} claims
 */
function grouped(claims) {
  const used = claims.filter((claim) => claim.used);
  const undoubted = used.filter((claim) => !isDoubtful(claim));
  return {
    doubtful: used.filter(isDoubtful),
    figures: undoubted.filter(({ claim }) => FIGURE.test(claim)),
    sound: undoubted.filter(({ claim }) => !FIGURE.test(claim)),
    unused: claims.filter((claim) => !claim.used),
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

/**
 * @param {string} title
 * @param {Node[]} items
 */
function folded(title, items, open = false) {
  if (!items.length) return null;
  return element(
    "details",
    { class: "folded claims", open },
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
