/**
 * The kinds of operations that this page knows.
 *
 * A script of each kind registers it before the page is shown, so that nothing here has to know any.
 */

import { visible } from "../elements/element.js";

/**
 * @import { Me } from "../api.js"
 * @import { AnyKind, KindWords } from "../kind.js"
 */

/** @type {Map<string, AnyKind>} */
const KINDS = new Map();

/** @param {AnyKind} kind */
export function register(kind) {
  KINDS.set(kind.kind, kind);
}

/** All of them; first the one that the address of a new request names by saying nothing. */
export function kinds() {
  /** @param {AnyKind} kind */
  const form = ({ request }) => request.form;
  return [...KINDS.values()].sort((one, other) => form(one).localeCompare(form(other)));
}

/**
 * The kind that the API calls so; one that nobody registered has words that fit any.
 *
 * @param {string} [name]
 * @returns {KindWords}
 */
export function kindOf(name = "") {
  return KINDS.get(name) ?? unknown(name);
}

/** @param {string} name */
export function isKnown(name) {
  return KINDS.has(name);
}

/**
 * The kinds that a person's roles are about; all of them for one who only reads along.
 *
 * @param {Pick<Me, "roles">} me
 */
export function kindsOf({ roles }) {
  const own = kinds().filter((kind) =>
    Object.keys(kind.roles).some((role) => roles.includes(role)),
  );
  return own.length && !roles.includes("Auditor") ? own : kinds();
}

/**
 * The kinds that a person may ask for something of.
 *
 * @param {Me} me
 */
export function kindsToAskFor(me) {
  return kinds().filter(({ kind }) => me.may.kinds.includes(kind));
}

/**
 * What to say where all that there is to show is of a kind that nobody registered.
 *
 * @param {string} name
 */
export function unknownInWords(name) {
  return `This page does not know operations of the kind “${visible(name)}”.`;
}

/**
 * @param {string} name
 * @returns {KindWords}
 */
function unknown(name) {
  return {
    kind: name,
    name: `Operation of the kind “${visible(name)}”`,
    plural: `Operations of the kind “${visible(name)}”`,
    noun: "version",
    done: "carried out",
    worker: "The app",
    team: false,
    title: ({ version }) => `Version ${version}`,
  };
}
