/** The top of the page: where one can go, and who one is. */

import { listen } from "../browser/channel.js";
import { clockTime } from "../browser/time.js";
import { watch } from "../browser/watch.js";
import { element, fill, foreign, within } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { openHelp } from "../elements/shortcuts.js";
import { call } from "../session/api.js";
import { onConnection } from "../session/connection.js";
import { signOut } from "../session/session.js";
import { kindsToAskFor } from "../words/kinds.js";
import { roleName } from "../words/words.js";

/** @import { Me } from "../api.js" */

onConnection((since) => {
  const bar = document.getElementById("connection");
  const time = since && clockTime(since);
  const said = `Not connected since ${time}. What you see may be out of date; your text is saved.`;
  if (bar) fill(bar, since && said);
});

const COUNT_SECONDS = 20;

/** How many proposals wait for this person, as far as that is known. */
const waiting = element("span", { class: "count" });

/** Ask how many they are; a failure leaves what is known. */
export async function countWaiting() {
  const { count } = await call("proposals?limit=1").catch(() => ({ count: null }));
  if (count !== null) tellWaiting(String(count));
}

/**
 * Say how many they are from now on, whatever is decided meanwhile.
 *
 * @param {AbortSignal} signal
 */
export function followWaiting(signal) {
  countWaiting();
  watch(countWaiting, { every: () => COUNT_SECONDS, signal });
  listen("decided", countWaiting, signal);
}

/** @param {string} count */
export function tellWaiting(count) {
  const isAny = count !== "0";
  fill(waiting, isAny && [` ${count}`, element("span", { class: "unseen" }, " waiting for you")]);
}

/**
 * @param {Me|null} me
 * @param {"inbox"|"new"|""} place
 */
export function showMasthead(me, place) {
  const masthead = /** @type {HTMLElement} */ (document.getElementById("masthead"));
  const brand = masthead.querySelector(".brand");
  fill(masthead, brand, me && [navigation(me, place), person(me)]);
}

/**
 * @param {Me} me
 * @param {string} place
 */
function navigation(me, place) {
  const links = [
    within({}, ["Inbox", waiting], { "aria-current": place === "inbox" && "page" }),
    kindsToAskFor(me).length > 0 &&
      within({ new: "" }, "New request", { "aria-current": place === "new" && "page" }),
  ];
  return element("nav", { "aria-label": "Main" }, links);
}

/** @param {Me} me */
function person(me) {
  const name = foreign(me.name, "span", { class: "person-name" });
  const roles = me.roles.length ? me.roles.map(roleName).join(", ") : "no role";
  return element(
    "details",
    { class: "person", focusout: leave },
    element(
      "summary",
      {},
      element("span", { class: "unseen" }, "Signed in as "),
      name,
      element("span", { class: "person-roles" }, roles),
    ),
    element(
      "div",
      { class: "person-card" },
      element("p", {}, "Signed in as ", foreign(me.name, "strong")),
      element("p", { class: "hint" }, roles, " · ", foreign(me.tenant)),
      within({ passkeys: "" }, "Passkeys", { class: "button" }),
      button("Keyboard shortcuts", openHelp),
      button("Sign out", signOut),
    ),
  );
}

/**
 * Close what was opened once the focus is elsewhere.
 *
 * @param {FocusEvent} event
 */
function leave({ currentTarget, relatedTarget }) {
  const fold = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (!fold.contains(/** @type {Node|null} */ (relatedTarget))) fold.open = false;
}
