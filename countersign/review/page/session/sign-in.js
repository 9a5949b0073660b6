/** Signing in: where the host says, or with a pasted token. */

import { listen, tell } from "../browser/channel.js";
import { announce } from "../elements/announce.js";
import { address, element, fill, visible } from "../elements/element.js";
import { button, notice } from "../elements/notice.js";
import { accept, placeToSignIn, remember } from "./session.js";
import { bearer, pastedToken, useToken } from "./token.js";

/**
 * @import { Attempt } from "./authorization.js"
 * @import { Problem } from "./problem.js"
 * @import { SignInPlace } from "./session.js"
 */

const PATIENCE_MILLISECONDS = 10_000;

const NOT_TAKEN = "This app does not accept that token.";

/**
 * The view for somebody who is not signed in; afterwards the page they wanted is shown.
 *
 * @param {() => void} go
 * @param {Problem} [problem] why the sign-in before came to nothing
 */
export async function signInView(go, problem) {
  const box = element("section", { class: "card sign-in" });
  await offer(problem);
  return { title: "Sign in", content: [box] };

  /** @param {Problem} [problem] */
  async function offer(problem) {
    const place = await placeToSignIn(location.pathname + location.search).catch((error) => {
      problem = error;
      return null;
    });
    const retry = problem && button("Try again", go, { class: "button primary" });
    fill(
      box,
      element("h1", {}, "Sign in"),
      element("p", {}, "Sign in to see the proposals that need your decision."),
      whyNot(problem),
      place ? linkTo(place, (why) => (why ? offer(why) : go())) : retry,
      pasting(go, { open: !place || Boolean(pastedToken()) }),
    );
  }
}

/** @param {Problem} [problem] */
function whyNot(problem) {
  if (pastedToken()) return notAccepted();
  if (problem) return notSignedIn(problem);
  return bearer() && notSignedIn({ detail: NOT_TAKEN });
}

/**
 * In this tab, unless it can't keep what has to be known when the answer comes. Then, or if the
 * person opens the link in another one, the answer is passed on to here.
 *
 * @param {SignInPlace} place
 * @param {(why?: Problem) => void} then
 */
function linkTo(place, then) {
  let isKept = true;
  if (place.attempt) {
    whenAnswered(place.attempt, new AbortController(), then);
    isKept = remember(place.attempt);
  }
  return signInLink(place, { class: "button primary", target: isKept ? null : "_blank" });
}

function notAccepted() {
  return alerting(
    "The pasted token is not accepted.",
    "It has expired, or is for another app. Paste a new one.",
  );
}

/** @param {{code?: string, detail: string}} problem */
function notSignedIn({ code, detail }) {
  const say =
    code === "sign_in_unreachable"
      ? "The sign-in service cannot be reached."
      : "That did not sign you in.";
  return alerting(say, visible(detail));
}

/**
 * @param {string} say
 * @param {string} next
 */
function alerting(say, next) {
  const box = notice("bad", say, next);
  box.setAttribute("role", "alert");
  return box;
}

/** What the sign-in's tab shows when it comes back; the tab that was left hears of it. */
export function signedInView() {
  tell("signed-in");
  return { title: "Signed in", content: [card("You are signed in", GO_BACK)] };
}

const GO_BACK = "Go back to the previous tab; your text is still there.";

/**
 * What a tab shows to which the answer came that another tab waits for, and alone can use.
 *
 * @param {URLSearchParams} answer
 */
export function passingOnView(answer) {
  const box = card("Signing in…");
  const heard = new AbortController();
  /**
   * @param {string} title
   * @param {string} said
   */
  const show = (title, said) => {
    heard.abort();
    fill(box, ...card(title, said).childNodes);
  };
  const nobody = () =>
    show("You are not signed in", "No tab is waiting for this sign-in any more.");
  const timer = setTimeout(nobody, PATIENCE_MILLISECONDS);
  /** @param {Record<string, string>} facts */
  const accepted = ({ state }) => {
    if (state !== answer.get("state")) return;
    clearTimeout(timer);
    show("You are signed in", GO_BACK);
  };
  listen("accepted", accepted, heard.signal);
  tell("answered", { answer: String(answer) });
  return { title: "Signing in", content: [box] };
}

/**
 * @param {string} title
 * @param {string} [said]
 */
function card(title, said = "") {
  const heading = element("h1", {}, title);
  return element("section", { class: "card sign-in" }, heading, said && element("p", {}, said));
}

/**
 * Sign in again beside what is being typed: in another tab, or with a token.
 *
 * @param {() => void} retry what to do again. Coming back is not enough to do it: what was being
 *   sent may be a decision.
 */
export function signInAgain(retry = () => location.reload()) {
  const ways = element("div", { class: "sign-in-again" });
  const heard = new AbortController();
  listen("signed-in", back, heard.signal);
  offer();

  /** @param {Problem} [problem] */
  async function offer(problem) {
    const place = await placeToSignIn(address({ "signed-in": "" })).catch((error) => {
      problem = error;
      return null;
    });
    if (place?.attempt) whenAnswered(place.attempt, heard, (why) => (why ? offer(why) : back()));
    const link = place && signInLink(place, { class: "button primary", target: "_blank" });
    const checking = place && !place.attempt && button("I am signed in again", back);
    fill(ways, problem && notSignedIn(problem), link, checking, pasting(back, { open: !place }));
  }

  function back() {
    heard.abort();
    const again = button("Try again", retry, { class: "button primary" });
    fill(ways, element("p", {}, "You are signed in again."), again);
    announce("You are signed in again.");
  }

  return ways;
}

/**
 * Take the answer to an attempt that another tab passes on.
 *
 * @param {Attempt} attempt
 * @param {AbortController} heard
 * @param {(why?: Problem) => void} then
 */
function whenAnswered(attempt, heard, then) {
  /** @param {Record<string, string>} facts */
  const take = async ({ answer }) => {
    const told = new URLSearchParams(answer);
    if (told.get("state") !== attempt.state) return;
    const problem = await accept(attempt, told).catch((error) => error);
    then(problem);
  };
  listen("answered", take, heard.signal);
}

/**
 * @param {SignInPlace} place
 * @param {object} attributes
 */
function signInLink({ label, url }, attributes) {
  const link = element("a", { rel: "noopener", "data-leaves": "", ...attributes }, label);
  link.href = url;
  return link;
}

/**
 * @param {() => unknown} go
 * @param {{open: boolean}} options
 */
function pasting(go, { open }) {
  const field = element("textarea", {
    id: "token",
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
  });
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    if (!field.value.trim()) return field.focus();
    useToken(field.value);
    return go();
  };
  const form = element(
    "form",
    { submit },
    element("label", { for: "token" }, "Token"),
    field,
    element("p", { class: "hint" }, "It stays in this tab until you close it."),
    element("button", { class: "button" }, "Use this token"),
  );
  return element("details", { open }, element("summary", {}, "Paste a token instead"), form);
}
