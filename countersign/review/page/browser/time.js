/** Moments and durations, by the server's clock and in the reader's own time zone. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  { size: DAY, unit: "d" },
  { size: HOUR, unit: "h" },
  { size: MINUTE, unit: "min" },
  { size: SECOND, unit: "s" },
];

/** A header's seconds and the way over the network are no reason to distrust a clock. */
const TOLERANCE = 5 * SECOND;

let ahead = 0;

/**
 * Learn from an answer's `Date` header how far this device's clock is off.
 *
 * @param {string|null} date
 */
export function hearClock(date) {
  const told = Date.parse(date ?? "");
  if (Number.isNaN(told)) return;
  const difference = told - Date.now();
  ahead = Math.abs(difference) > TOLERANCE ? difference : 0;
}

/** Milliseconds since 1970 by the server's clock: deadlines are the server's. */
export function now() {
  return Date.now() + ahead;
}

/**
 * "today 17:40", "tomorrow 09:15", "Tue 3 Mar, 09:15"
 *
 * @param {string} text
 */
export function localTime(text) {
  return daytime(text, clockTime);
}

/**
 * "today 17:40:09": what happened within a minute has an order too.
 *
 * @param {string} text
 */
export function timeWithSeconds(text) {
  return daytime(text, (moment) => clockTime(moment, { second: "2-digit" }));
}

/**
 * "17:40", or with more parts "17:40:09".
 *
 * @param {Date} moment
 * @param {Intl.DateTimeFormatOptions} [more]
 */
export function clockTime(moment, more) {
  return moment.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", ...more });
}

/**
 * @param {string} text
 * @param {(moment: Date) => string} timeOf
 */
function daytime(text, timeOf) {
  const moment = new Date(text);
  const time = timeOf(moment);
  const days = Math.round((midnight(moment) - midnight(new Date(now()))) / DAY);
  const near = { "-1": "yesterday", 0: "today", 1: "tomorrow" }[days];
  return near ? `${near} ${time}` : `${dayOf(moment)}, ${time}`;
}

/**
 * The moment to the second with its date and zone: on paper, "today" means nothing.
 *
 * @param {string} text
 */
export function exactTime(text) {
  return new Date(text).toLocaleString([], { dateStyle: "medium", timeStyle: "long" });
}

/**
 * A duration in its two largest units: "2 d 4 h", "3 h 12 min", "4 min 10 s".
 *
 * @param {number} milliseconds
 */
export function duration(milliseconds) {
  const left = Math.max(0, milliseconds);
  const largest = Math.min(UNITS.findIndex(({ size }) => left >= size) >>> 0, UNITS.length - 1);
  const parts = UNITS.slice(largest, largest + 2).map(({ size, unit }, place) => {
    const within = place ? left % UNITS[largest].size : left;
    return { amount: Math.floor(within / size), unit };
  });
  return parts
    .filter(({ amount }, place) => amount || !place)
    .map(({ amount, unit }) => `${amount} ${unit}`)
    .join(" ");
}

/**
 * A `time` element that shows a moment in local time, and exactly on hovering.
 *
 * @param {string|null} text
 */
export function timeElement(text, show = localTime) {
  const shown = document.createElement("time");
  shown.textContent = text === null ? "at an unknown time" : show(text);
  if (text === null) return shown;
  shown.dateTime = text;
  shown.title = exactTime(text);
  return shown;
}

/** @param {Date} moment */
function midnight(moment) {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}

/** @param {Date} moment */
function dayOf(moment) {
  const isThisYear = moment.getFullYear() === new Date(now()).getFullYear();
  return moment.toLocaleDateString([], {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: isThisYear ? undefined : "numeric",
  });
}
