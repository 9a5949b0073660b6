/** What changed since another version, word by word or line by line, and who asked for it. */

import { newest } from "../browser/newest.js";
import { element, fill, foreign, visible } from "../elements/element.js";
import { kindOf } from "../words/kinds.js";
import { problemNotice } from "../words/problem-notice.js";
import { originName } from "../words/words.js";
import { readProposal } from "./review.js";

/**
 * @import { VersionView } from "../api.js"
 * @import { Changes, Review } from "../kind.js"
 */

export class ChangesView {
  #review;
  #signal;
  #read;
  #body = element("div");

  /**
   * @param {Review} review
   * @param {AbortSignal} signal
   */
  constructor(review, signal) {
    this.#review = review;
    this.#signal = signal;
    this.#read = newest(signal, async (reading, since) =>
      this.#show(await readProposal(review.id, review.version, since, reading)),
    );
    this.element = element("div", { class: "changes" }, this.#choice(), this.#body);
    this.#show(review.proposal);
  }

  /** @param {VersionView} proposal */
  #show(proposal) {
    const { changes } = proposal;
    fill(
      this.#body,
      changes
        ? [why(proposal, changes), difference(changes, proposal)]
        : "There is no earlier version to compare with.",
    );
  }

  /** From the third version on there is more than one to compare with. */
  #choice() {
    const { version, proposal } = this.#review;
    const since = proposal.changes?.since;
    if (version < 3) return null;
    const earlier = Array.from({ length: version - 1 }, (_, place) => version - 1 - place);
    const options = earlier.map((each) =>
      element("option", { value: each, selected: each === since }, this.#named(each)),
    );
    const select = element("select", { id: "since" }, options);
    select.addEventListener("change", () => this.#compare(Number(select.value)));
    return element(
      "p",
      { class: "field since" },
      element("label", { for: "since" }, "Compared with"),
      select,
    );
  }

  /** @param {number} version */
  #named(version) {
    const seen = version === this.#review.seen ? ", which you saw last" : "";
    return `version ${version}${seen}`;
  }

  /** @param {number} since */
  async #compare(since) {
    try {
      await this.#read(since);
    } catch (problem) {
      if (this.#signal.aborted) return;
      fill(this.#body, problemNotice(problem, { retry: () => this.#compare(since) }));
    }
  }
}

/**
 * The difference alone, of two versions of an operation of some kind.
 *
 * @param {Changes} changes
 * @param {VersionView} proposal
 */
export function difference(changes, proposal) {
  return kindOf(proposal.kind).difference?.(changes, proposal.content) ?? null;
}

/**
 * @param {VersionView} proposal
 * @param {Changes} changes
 */
function why({ evidence, origin, kind }, changes) {
  const asked = changes.why && [
    element(
      "p",
      { class: "hint" },
      changes.by ? [foreign(changes.by), " requested this:"] : "A reviewer requested this:",
    ),
    element("blockquote", { class: "comment", dir: "auto" }, visible(changes.why)),
  ];
  const made = element(
    "p",
    { class: "hint" },
    `Since version ${changes.since}: ${originName(origin, kind)}.`,
  );
  const taken = evidence?.revision && element("p", {}, "The writer: ", foreign(evidence.revision));
  return element("div", { class: "why" }, asked, made, taken);
}
