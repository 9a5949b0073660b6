/**
 * What somebody has typed and not sent: per person, operation and version, until it is recorded.
 *
 * Each loaded page keeps what is typed in it under a name of its own, so that two tabs don't write
 * over each other's words. One in which nothing was typed takes over the newest of what it finds.
 */

import { forget, keep, kept, namesOfKept, whenKeptElsewhere } from "../browser/keep.js";

/** @import { Typed } from "../kind.js" */

const LONGEST_KEPT = 30 * 24 * 3_600_000;
const HERE = crypto.randomUUID();

/**
 * What was typed in this page, by its name without the page's own part.
 *
 * @type {Map<string, Draft>}
 */
const typedHere = new Map();
const changesHere = new EventTarget();

/**
 * A comment on a passage, gathered for a request for changes.
 *
 * @typedef {{quote: string, start: number, comment: string, suggestion: string|null}} GatheredComment
 */

/**
 * What else it has is of a correction, whose editor knows it.
 *
 * `comment` is the newest one; `comments` has that of each choice, `passages` those on passages.
 *
 * @typedef {{choice?: string, comment?: string, comments?: Record<string, string>, at?: number,
 *   passages?: GatheredComment[]} & Record<string, Typed>} Draft
 */
export class Drafts {
  #person;
  #operation;

  /**
   * @param {string} person
   * @param {string} operation
   */
  constructor(person, operation) {
    this.#person = person;
    this.#operation = operation;
  }

  /**
   * What is typed here, or else the newest of what is kept, which becomes this page's.
   *
   * @param {number} version
   * @returns {Draft}
   */
  of(version) {
    return typedHere.get(this.#name(version)) ?? this.#takeOver(version, this.#others(version)[0]);
  }

  /** @param {number} version */
  has(version) {
    const mine = typedHere.get(this.#name(version));
    return [mine, ...this.#others(version).map(kept)].some((draft) => draft && hasWords(draft));
  }

  /**
   * The names of what is kept with other words than are typed here, the newest first.
   *
   * @param {number} version
   */
  elsewhere(version) {
    const here = words(this.of(version));
    return this.#others(version).filter((name) => words(kept(name)) !== here);
  }

  /**
   * Go on with what was typed elsewhere; what is here now is kept beside it.
   *
   * @param {number} version
   * @param {string} other
   */
  use(version, other) {
    const mine = this.of(version);
    if (hasWords(mine)) keep(`${this.#name(version)}:${crypto.randomUUID()}`, mine);
    this.#takeOver(version, other);
  }

  /**
   * Hear of it when other tabs keep words about a version.
   *
   * @param {number} version
   * @param {() => void} changed
   * @param {AbortSignal} signal
   */
  whenChangedElsewhere(version, changed, signal) {
    whenKeptElsewhere(`${this.#name(version)}:`, changed, signal);
  }

  /**
   * Hear of it when something is typed here about a version, or its draft is dropped.
   *
   * @param {number} version
   * @param {() => void} changed
   * @param {AbortSignal} signal
   */
  whenChangedHere(version, changed, signal) {
    changesHere.addEventListener(this.#name(version), changed, { signal });
  }

  /**
   * Keep a change to a version's draft; a draft without words is none.
   *
   * @param {number} version
   * @param {object} changes
   */
  change(version, changes) {
    const name = this.#name(version);
    const draft = { ...typedHere.get(name), ...changes, at: Date.now() };
    typedHere.set(name, draft);
    if (hasWords(draft)) keep(this.#nameHere(version), draft);
    else forget(this.#nameHere(version));
    changesHere.dispatchEvent(new Event(name));
  }

  /** @param {number} version */
  drop(version) {
    typedHere.delete(this.#name(version));
    forget(this.#nameHere(version));
    changesHere.dispatchEvent(new Event(this.#name(version)));
  }

  /**
   * The newest earlier version that has a comment of this person waiting, if any.
   *
   * @param {number} version
   */
  before(version) {
    for (let earlier = version - 1; earlier > 0; earlier -= 1) {
      if (this.of(earlier).comment?.trim()) return earlier;
    }
    return null;
  }

  /** @param {number} version */
  #name(version) {
    return `draft:${this.#person}:${this.#operation}:${version}`;
  }

  /** @param {number} version */
  #nameHere(version) {
    return `${this.#name(version)}:${HERE}`;
  }

  /**
   * What other pages keep; an earlier release had one name for all of them.
   *
   * @param {number} version
   */
  #others(version) {
    const name = this.#name(version);
    const here = this.#nameHere(version);
    return namesOfKept(name)
      .filter((each) => each !== here && (each === name || each.startsWith(`${name}:`)))
      .sort((one, other) => (kept(other)?.at ?? 0) - (kept(one)?.at ?? 0));
  }

  /**
   * @param {number} version
   * @param {string|undefined} other
   * @returns {Draft}
   */
  #takeOver(version, other) {
    /** @type {Draft|undefined} */
    const draft = other && kept(other);
    if (!other || !draft) return {};
    typedHere.set(this.#name(version), draft);
    keep(this.#nameHere(version), draft);
    forget(other);
    return draft;
  }
}

/** @param {Draft} draft */
export function hasWords(draft) {
  const said = draft.comment?.trim() || choiceWithWords(draft) || gatheredIn(draft).length;
  return Boolean(said || hasCorrection(draft));
}

/**
 * Two drafts with the same words are the same, whenever and wherever they were typed.
 *
 * @param {Draft} draft
 */
function words({ choice = "", comment = "", comments, at, ...correction }) {
  const said = Object.entries(comments ?? { [choice]: comment }).filter(([, each]) => each.trim());
  return JSON.stringify([said.sort(), correction]);
}

/**
 * The comments on passages that a draft has.
 *
 * @param {Draft} draft
 * @returns {GatheredComment[]}
 */
export function gatheredIn({ passages = [] }) {
  return passages;
}

/** @param {Draft} draft */
export function hasCorrection({ choice, comment, comments, passages, at, ...correction }) {
  return Object.values(correction).some((each) => each !== undefined);
}

/**
 * What was typed for a choice; an earlier release kept one comment for all of them.
 *
 * @param {Draft} draft
 * @param {string} choice
 */
export function commentOn({ comment = "", comments, choice: begun }, choice) {
  if (comments) return comments[choice] ?? "";
  return begun === choice ? comment : "";
}

/**
 * The choice that words were typed for: the last one that was opened, if it has some.
 *
 * @param {Draft} draft
 */
export function choiceWithWords(draft) {
  const { choice = "", comments = {} } = draft;
  if (commentOn(draft, choice).trim()) return choice;
  return Object.keys(comments).find((name) => comments[name].trim()) ?? "";
}

/** Forget drafts that nobody came back to in a month. */
export function dropOldDrafts() {
  for (const name of namesOfKept("draft:")) {
    if (!(kept(name)?.at > Date.now() - LONGEST_KEPT)) forget(name);
  }
}

/**
 * Whether a person has begun an answer to a version.
 *
 * @param {string} person
 * @param {string} operation
 * @param {number} version
 */
export function hasDraft(person, operation, version) {
  return new Drafts(person, operation).has(version);
}
