/**
 * Decisions that are about to be sent: each waits a few seconds, in which it can be undone.
 *
 * They wait in this document alone. Whoever leaves it is asked whether they mean to, and what was
 * waiting is not sent, which the page says when it is opened again.
 */

import { forget, keep, kept } from "../browser/keep.js";
import { now } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { element, fill, foreign } from "../elements/element.js";
import { button, field, notice } from "../elements/notice.js";
import { everywhere, settings } from "../elements/shortcuts.js";

/** @import { Child } from "../elements/element.js" */

const SECONDS = "undo-seconds";
const DEFAULT_SECONDS = 10;
const CHOICES = [10, 5, 0];
const LEFT = "not-sent";
/** What is decided this late is sent at once: its time could be over before. */
const LATE_SECONDS = 60;

/**
 * @typedef {object} Held
 * @property {string} label what is about to be sent
 * @property {string} about which version it is about
 * @property {() => void} now sends it at once
 * @property {() => void} undo
 */

/** Who decides here. */
let decider = "";
/** @type {Set<Held>} */
const waiting = new Set();
/** @type {Set<string[]>} */
const unsent = new Set();
const changes = new EventTarget();
const newest = element("div");
const earlier = element("div");
const others = element("summary");
const fold = element("details", { class: "earlier", hidden: true }, others, earlier);
const told = element("div");
const refused = element("div");
const region = element(
  "section",
  { class: "outbox", "aria-label": "About to be sent" },
  refused,
  told,
  fold,
  newest,
);

/** How long a decision waits, as this person has set it. */
function undoSeconds() {
  return Number(kept(SECONDS) ?? DEFAULT_SECONDS);
}

/**
 * How long a decision waits that can be too late; 0 if there is no time for that.
 *
 * @param {string} until when it would be too late
 */
export function secondsToUndo(until) {
  const late = Date.parse(until) - now() < LATE_SECONDS * 1000;
  return late ? 0 : undoSeconds();
}

/**
 * Whether a decision about a version is waiting.
 *
 * @param {string} operation
 * @param {number} version
 */
export function isHeld(operation, version) {
  return [...waiting].some(({ about }) => about === nameOf(operation, version));
}

/**
 * Hear of each decision that begins to wait, or waits no more.
 *
 * @param {() => void} changed
 * @param {AbortSignal} signal
 */
export function whenHeld(changed, signal) {
  changes.addEventListener("change", changed, { signal });
}

/**
 * @param {string} operation
 * @param {number} version
 */
function nameOf(operation, version) {
  return `${operation}:${version}`;
}

/**
 * Let a decision wait; it takes the place of another one about the same version.
 *
 * @param {string} label what is about to be sent, as a part of a sentence
 * @param {object} [options]
 * @param {string} [options.until] when it would be too late
 * @param {Child} [options.back] a link to where it can be decided again
 * @param {{operation: string, version: number}} [options.about]
 * @returns {Promise<boolean>} whether it is to be sent; at once if there is no time to wait
 */
export function held(label, { until = "", back, about } = {}) {
  const name = about ? nameOf(about.operation, about.version) : "";
  for (const each of [...waiting]) if (name && each.about === name) each.undo();
  const seconds = secondsToUndo(until);
  if (!seconds) return Promise.resolve(true);
  return new Promise((resolve) => hold({ label, about: name, seconds, back }, resolve));
}

/**
 * @param {{label: string, about: string, seconds: number, back: Child}} what
 * @param {(sent: boolean) => void} resolve
 */
function hold({ label, about, seconds, back }, resolve) {
  const end = Date.now() + seconds * 1000;
  const left = element("strong", { class: "seconds" });
  const timer = setInterval(count, 250);

  /** @param {boolean} sent */
  function settle(sent) {
    clearInterval(timer);
    waiting.delete(entry);
    line.remove();
    arrange();
    tell(
      sent ? null : notice("info", ["Not sent: ", foreign(label), ". Your words are saved."], back),
    );
    if (!sent) announce("Undone. Nothing was sent.");
    resolve(sent);
  }
  function count() {
    const seconds = Math.ceil((end - Date.now()) / 1000);
    fill(left, `${Math.max(seconds, 0)} s`);
    if (seconds <= 0) settle(true);
  }

  /** @type {Held} */
  const entry = { label, about, now: () => settle(true), undo: () => settle(false) };
  const line = element(
    "div",
    { class: "held", tabindex: -1 },
    element("p", {}, foreign(label), " will be sent in ", left),
    button("Undo", entry.undo, { class: "button primary", "aria-keyshortcuts": "z" }),
    button("Send now", entry.now),
  );
  waiting.add(entry);
  document.body.append(region);
  fill(told);
  earlier.append(...newest.children);
  newest.append(line);
  arrange();
  line.focus({ preventScroll: true });
  count();
  announce(`${label} will be sent in ${seconds} seconds. Press z to undo.`);
}

/** The newest stands alone, so that many decisions don't cover what is being decided. */
function arrange() {
  if (!newest.hasChildNodes() && earlier.lastChild) newest.append(earlier.lastChild);
  const number = earlier.children.length;
  fold.hidden = number === 0;
  fill(others, `${number} more will be sent in a few seconds`);
  changes.dispatchEvent(new Event("change"));
}

/** Undo what was decided last, if it still waits. */
function undoLast() {
  [...waiting].at(-1)?.undo();
}

/**
 * Say what became of a decision, where the page that it was made on is not shown any more.
 *
 * @param {Child} what
 */
export function tell(what) {
  document.body.append(region);
  fill(told, what && [what, button("Close", () => fill(told))]);
}

/**
 * Say what was not recorded and why, until the reader closes it: others are sent meanwhile.
 *
 * @param {string} title of what was decided about
 * @param {Child} why
 */
export function tellRefused(title, why) {
  document.body.append(region);
  const close = button("Close", () => entry.remove());
  const entry = element("div", { class: "refused" }, foreign(title, "strong"), why, close);
  refused.append(entry);
}

/**
 * Say what was waiting when this person left the page the last time, and was not sent.
 *
 * @param {string} person
 */
export function tellWhatWasLeft(person) {
  decider = person;
  const labels = leftBy(person);
  forget(`${LEFT}:${person}`);
  if (!labels.length) return;
  const what = labels.map((label) => element("li", {}, foreign(label)));
  tell(notice("warn", "You left before this was sent, so it was not:", element("ul", {}, what)));
}

/**
 * Have it said, too, that these were not sent, if the page is left before.
 *
 * @param {string[]} labels
 * @returns {string[]} those that are not sent yet, for the caller to shorten
 */
export function leavesBehind(labels) {
  const left = [...labels];
  unsent.add(left);
  return left;
}

/**
 * @param {string} person
 * @returns {string[]}
 */
function leftBy(person) {
  return kept(`${LEFT}:${person}`) ?? [];
}

function labelsLeft() {
  return [...[...waiting].map(({ label }) => label), ...[...unsent].flat()];
}

function waitSetting() {
  const choice = element("select", { id: "undo-seconds" });
  for (const seconds of CHOICES) {
    const says = seconds ? `${seconds} seconds` : "Not at all";
    choice.append(new Option(says, String(seconds), false, seconds === undoSeconds()));
  }
  choice.addEventListener("change", () => keep(SECONDS, Number(choice.value)));
  return field("How long a decision can be undone before it is sent", choice);
}

settings.push(waitSetting);
everywhere.z = undoLast;
addEventListener("beforeunload", (event) => labelsLeft().length && event.preventDefault());
addEventListener("pagehide", () => {
  const labels = labelsLeft();
  // Not in the tab alone: it may be closed, and signing in leads away and back.
  if (labels.length) keep(`${LEFT}:${decider}`, [...leftBy(decider), ...labels]);
  for (const each of [...waiting]) each.undo();
});
