/** The quotes that somebody's own text has changed, told while it is typed. */

import { element, fill, foreign } from "../elements/element.js";
import { notice } from "../elements/notice.js";

/** @import { Claim } from "../api.js" */

const PAUSE_MILLISECONDS = 250;

export class BrokenQuotes {
  #timer = 0;
  element = element("div", { class: "broken-quotes", role: "status" });

  /**
   * @param {Claim[]} claims of the evidence
   * @param {string} offered the text that they were checked in
   */
  constructor(claims, offered) {
    const text = plain(offered);
    const known = claims.filter(({ used, found }) => used && found);
    const quotes = known.map(({ passage, quote }) => plain(passage?.quote ?? quote));
    this.quotes = [...new Set(quotes)].filter((quote) => quote && text.includes(quote));
  }

  /**
   * Look through what is typed, once there is a pause in it.
   *
   * @param {() => string} typed
   */
  look(typed) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(plain(typed())), PAUSE_MILLISECONDS);
  }

  /** @param {string} text */
  #show(text) {
    const broken = this.quotes.filter((quote) => !text.includes(quote));
    const say = "These quotes no longer stand in your text as they do in their sources:";
    const list = element(
      "ul",
      {},
      broken.map((quote) => element("li", {}, foreign(quote))),
    );
    fill(this.element, broken.length > 0 && notice("warn", say, list));
  }
}

/** @param {string} text */
function plain(text) {
  return text.replace(/\s+/g, " ").trim();
}
