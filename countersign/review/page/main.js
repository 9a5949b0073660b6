/**
 * The way through the page: its address says what it shows.
 *
 * `/api/review` is the inbox (`?list=` another list), `?operation=ID` an operation,
 * `?operation=ID&version=N` one proposal, `?new` a new request (`?new=order` for an order), and
 * `?passkeys` the reader's own passkeys.
 */

import { listen } from "./browser/channel.js";
import { announce } from "./elements/announce.js";
import { element, fill } from "./elements/element.js";
import { nameTab } from "./elements/title.js";
import { inboxView, readAhead } from "./inbox/inbox.js";
import { operationView } from "./operation/operation.js";
import { passkeysView } from "./passkeys/passkeys.js";
import { dropOldDrafts } from "./proposal/drafts.js";
import { tellWhatWasLeft } from "./proposal/outbox.js";
import { proposalView } from "./proposal/proposal.js";
import { requestView } from "./request/request.js";
import { endAhead, keepRights } from "./session/ahead.js";
import { codeOf } from "./session/problem.js";
import { comeBack, signInQuietly, whoAmI } from "./session/session.js";
import { passingOnView, signedInView, signInView } from "./session/sign-in.js";
import { followWaiting, showMasthead } from "./shell/masthead.js";
import { problemNotice } from "./words/problem-notice.js";

/**
 * @import { Me } from "./api.js"
 * @import { View } from "./view.js"
 */

const SLOW_MILLISECONDS = 200;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
let shown = new AbortController();
let place = "";
/** @type {Awaited<ReturnType<typeof comeBack>>} */
let arrival = {};

/** @param {URLSearchParams} query */
function viewFor(query) {
  if (query.has("new")) return requestView;
  if (query.has("passkeys")) return passkeysView;
  if (!query.has("operation")) return inboxView;
  return query.has("version") ? proposalView : operationView;
}

/** Show what the address says; the view before it ends, with all that it was waiting for. */
async function show({ focus = true } = {}) {
  shown.abort();
  shown = new AbortController();
  place = here();
  const { signal } = shown;
  const slow = setTimeout(
    () => fill(main, element("p", { class: "waiting" }, "Loading…")),
    SLOW_MILLISECONDS,
  );
  const { me, view } = await shownBy(signal);
  clearTimeout(slow);
  if (signal.aborted || !view) return;
  showMasthead(me, view.place ?? "");
  nameTab(view.title);
  fill(main, view.content);
  main.dataset.view = view.name ?? "";
  scrollTo({ top: history.state?.scroll ?? 0, behavior: "instant" });
  if (focus) main.focus({ preventScroll: true });
  announce(view.title);
  if (me) tellWhatWasLeft(me.id);
  if (me?.may.decide && view.name !== "inbox") followWaiting(signal);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<{me: Me|null, view: View|null}>}
 */
async function shownBy(signal) {
  const query = new URLSearchParams(location.search);
  if (query.has("signed-in")) return { me: null, view: signedInView() };
  const { foreign } = arrival;
  if (foreign) {
    arrival = {};
    return { me: null, view: passingOnView(foreign) };
  }
  let me = null;
  const viewOf = viewFor(query);
  try {
    if (viewOf === inboxView) readAhead(query, signal);
    me = await whoAmI();
    if (me) keepRights(me);
    else return { me, view: await signingIn() };
    // What a view still does after its end is not to change the address of the next one.
    const renamed = (/** @type {string} */ target) => signal.aborted || rename(target);
    return { me, view: await viewOf({ query, me, signal, go, rename: renamed }) };
  } catch (problem) {
    if (signal.aborted) return { me, view: null };
    return { me, view: troubled(problem) };
  } finally {
    endAhead();
  }
}

/** Asking quietly leads away and back; having come back is reason enough not to do it again. */
async function signingIn() {
  const { answered, problem } = arrival;
  arrival = { answered: true };
  const trouble = answered ? problem : await signInQuietly().catch((error) => error);
  keepRights(null);
  return signInView(show, trouble);
}

/** @param {unknown} problem */
function troubled(problem) {
  // What is no answer of the API is a fault of this page, which its developer wants to see.
  if (!codeOf(problem)) console.error(problem);
  const content = [
    element("h1", {}, "This page cannot be shown"),
    problemNotice(problem, { retry: show }),
  ];
  return { title: "This page cannot be shown", content };
}

/** What says what is shown; a link within the view changes only what stands after the #. */
function here() {
  return location.pathname + location.search;
}

/**
 * Go to another address of the page without loading it anew.
 *
 * @param {string} target
 */
function go(target) {
  noteScroll();
  history.pushState(null, "", target);
  return show();
}

/** @param {string} target */
function rename(target) {
  history.replaceState(history.state, "", target);
  place = here();
}

/** Coming back, or loading the page anew, leads to where one was. */
function noteScroll() {
  history.replaceState({ ...history.state, scroll: scrollY }, "");
}

/** @param {MouseEvent} event */
function follow(event) {
  const { target: clicked } = event;
  /** @type {HTMLAnchorElement|null} */
  const link = clicked instanceof Element ? clicked.closest("a[href]") : null;
  const plain =
    event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || link.target || event.defaultPrevented) return;
  const target = new URL(link.href);
  if (target.origin !== location.origin || target.pathname !== location.pathname || target.hash)
    return;
  event.preventDefault();
  go(target.href);
}

document.addEventListener("click", follow);
addEventListener("popstate", () => here() === place || show());
listen("signed-in", () => main.querySelector(".sign-in") && show(), new AbortController().signal);
// A browser may keep the whole page and show it again, also to whoever comes after a sign-out.
addEventListener("pageshow", ({ persisted }) => persisted && show());
// By the time of a popstate the entry that was left can't be changed any more.
document.addEventListener("scrollend", noteScroll);
addEventListener("pagehide", noteScroll);
history.scrollRestoration = "manual";
dropOldDrafts();
arrival = await comeBack();
show({ focus: false });
