/** Private reminders: a row that somebody will look at later, kept in this browser alone. */

import { keep, kept } from "../browser/keep.js";
import { localTime, now } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { element } from "../elements/element.js";

/** @import { OperationRow } from "../api.js" */

const HOUR = 3_600_000;
const MORNING = 9;

/**
 * Until when each row is snoozed, and whether its reminder was told, by version.
 *
 * @typedef {Record<string, {until: number, told?: boolean}>} Snoozed
 */

/** @param {string} person */
const nameFor = (person) => `snoozed:${person}`;

/**
 * @param {string} person
 * @returns {Snoozed}
 */
function snoozedBy(person) {
  return kept(nameFor(person)) ?? {};
}

/**
 * The ways to snooze rows, by what they are called.
 *
 * @param {string} person
 * @param {() => void} done
 * @returns {Record<string, (rows: OperationRow[]) => void>}
 */
export function snoozing(person, done) {
  /** @param {() => number} when */
  const until = (when) => (/** @type {OperationRow[]} */ rows) => {
    const added = Object.fromEntries(rows.map((row) => [versionOf(row), { until: when() }]));
    // What is long over reminds nobody any more.
    const others = Object.entries(snoozedBy(person)).filter(
      ([, each]) => each.until > now() - 24 * HOUR,
    );
    keep(nameFor(person), { ...Object.fromEntries(others), ...added });
    done();
  };
  return { "Snooze 1 hour": until(() => now() + HOUR), "Snooze until tomorrow": until(tomorrow) };
}

/**
 * What a row says of it; nothing if it is not snoozed.
 *
 * @param {string} person
 * @param {OperationRow} row
 */
export function snoozeMark(person, row) {
  const found = snoozedBy(person)[versionOf(row)];
  if (!found) return null;
  if (found.until <= now()) return element("span", { class: "mark reminder" }, "Reminder");
  const until = localTime(new Date(found.until).toISOString());
  return element("span", { class: "mark snoozed" }, `Snoozed until ${until}`);
}

/**
 * Say what it is time for, once.
 *
 * @param {string} person
 * @returns {boolean} whether there was something
 */
export function tellDue(person) {
  const snoozed = snoozedBy(person);
  const over = Object.entries(snoozed).filter(([, each]) => !each.told && each.until <= now());
  if (!over.length) return false;
  for (const [, each] of over) each.told = true;
  keep(nameFor(person), snoozed);
  announce(over.length === 1 ? "A reminder is due." : `${over.length} reminders are due.`);
  return true;
}

/** Tomorrow morning, where the reader is. */
function tomorrow() {
  const day = new Date(now());
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, MORNING).getTime();
}

/** @param {OperationRow} row */
function versionOf({ operation_id: id, version }) {
  return `${id}:${version}`;
}
