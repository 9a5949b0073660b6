/**
 * What is typed into the form of a request and not sent.
 *
 * Each tab keeps its own, also over a reload, so that two don't write over each other's words. One
 * in which nothing was typed takes over the newest of what it finds.
 */

import { forget, keep, kept, namesOfKept, whenKeptElsewhere } from "./keep.js";
import { tabName } from "./tab.js";

/** @import { Typed } from "../kind.js" */

export class RequestDraft {
  #name;
  #here;

  /**
   * @param {string} form what drafts of this form are kept as
   * @param {string} person
   */
  constructor(form, person) {
    this.#name = `${form}:${person}`;
    this.#here = `${this.#name}:${tabName}`;
  }

  /** @returns {Typed} with the key that the request is sent with */
  get typed() {
    return kept(this.#here) ?? this.#takenOver() ?? {};
  }

  /** One key for each draft: sending it twice, or again after a lost answer, makes one operation. */
  set typed(typed) {
    keep(this.#here, { key: crypto.randomUUID(), ...this.typed, ...typed, at: Date.now() });
  }

  /** Begin another one, with what is given. @param {Typed} typed */
  begin(typed) {
    keep(this.#here, { ...typed, key: crypto.randomUUID(), at: Date.now() });
  }

  drop() {
    forget(this.#here);
  }

  /**
   * Keep what is typed here though a new tab takes it over; from then on it is another request.
   *
   * @param {() => Typed} typed what the fields hold
   * @param {AbortSignal} signal
   */
  defend(typed, signal) {
    const again = () => kept(this.#here) || this.begin(typed());
    whenKeptElsewhere(this.#here, again, signal);
  }

  /** An earlier release had one name for all tabs. */
  #takenOver() {
    const at = (/** @type {string} */ name) => kept(name)?.at ?? 0;
    const [newest] = namesOfKept(this.#name)
      .filter((name) => name === this.#name || name.startsWith(`${this.#name}:`))
      .sort((one, other) => at(other) - at(one));
    const draft = newest && kept(newest);
    if (!draft) return undefined;
    keep(this.#here, draft);
    forget(newest);
    return draft;
  }
}
