/** What somebody has typed and not sent: per person, operation and version, until it is recorded. */

import { forget, keep, kept, namesOfKept } from "../browser/keep.js";

/** @import { Typed } from "../kind.js" */

const LONGEST_KEPT = 30 * 24 * 3_600_000;

/**
 * What else it has is of a correction, whose editor knows it.
 *
 * `comment` is the newest one; `comments` has that of each choice.
 *
 * @typedef {{choice?: string, comment?: string, comments?: Record<string, string>, at?: number}
 *   & Record<string, Typed>} Draft
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
   * @param {number} version
   * @returns {Draft}
   */
  of(version) {
    return kept(this.#name(version)) ?? {};
  }

  /**
   * Keep a change to a version's draft; a draft without words is none.
   *
   * @param {number} version
   * @param {object} changes
   */
  change(version, changes) {
    const draft = { ...this.of(version), ...changes, at: Date.now() };
    if (hasWords(draft)) keep(this.#name(version), draft);
    else this.drop(version);
  }

  /** @param {number} version */
  drop(version) {
    forget(this.#name(version));
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
}

/** @param {Draft} draft */
export function hasWords(draft) {
  return Boolean(draft.comment?.trim() || choiceWithWords(draft) || hasCorrection(draft));
}

/** @param {Draft} draft */
export function hasCorrection({ choice, comment, comments, at, ...correction }) {
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
  return hasWords(new Drafts(person, operation).of(version));
}
