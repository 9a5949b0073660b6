/** Signing in: with the host's own sign-in where there is one, or with a pasted token. */

import { announce } from "./announce.js";
import { listen, tell } from "./channel.js";
import { address, element, fill } from "./element.js";
import { button, notice } from "./notice.js";
import { platformSignIn } from "./session.js";
import { pastedToken, useToken } from "./token.js";

/** The view for somebody who is not signed in; afterwards the page they wanted is shown. */
export async function signInView(go) {
  const platform = await platformSignIn(location.pathname + location.search);
  const intro = element("p", {}, "Sign in to see what waits for you, and to decide.");
  const box = element("section", { class: "card sign-in" }, element("h1", {}, "Sign in"), intro);
  if (pastedToken()) box.append(notAccepted());
  if (platform) box.append(platformLink(platform, { class: "button primary" }));
  box.append(pasting(go, { open: !platform || Boolean(pastedToken()) }));
  return { title: "Sign in", content: [box] };
}

function notAccepted() {
  const box = notice(
    "bad",
    "The pasted token is not accepted.",
    "It has ended, or is not one for this app. Paste a new one.",
  );
  box.setAttribute("role", "alert");
  return box;
}

/** What the sign-in's tab shows when it comes back; the tab that was left hears of it. */
export function signedInView() {
  tell("signed-in");
  const said = element("p", {}, "Go back to the tab you came from; what you typed is still there.");
  const box = element(
    "section",
    { class: "card sign-in" },
    element("h1", {}, "You are signed in"),
    said,
  );
  return { title: "Signed in", content: [box] };
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
  platformSignIn(address({ "signed-in": "" })).then((platform) => {
    const link = platform && platformLink(platform, { class: "button primary", target: "_blank" });
    fill(ways, link, button("I am signed in again", back), pasting(back, { open: !platform }));
  });

  function back() {
    heard.abort();
    const again = button("Try again", retry, { class: "button primary" });
    fill(ways, element("p", {}, "You are signed in again."), again);
    announce("You are signed in again.");
  }

  return ways;
}

function platformLink({ label, url }, attributes) {
  const link = element("a", { rel: "noopener", "data-leaves": "", ...attributes }, label);
  link.href = url;
  return link;
}

function pasting(go, { open }) {
  const field = element("textarea", {
    id: "token",
    rows: 3,
    spellcheck: "false",
    autocomplete: "off",
  });
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
    element("p", { class: "hint" }, "It stays in this tab and is gone when you close it."),
    element("button", { class: "button" }, "Use this token"),
  );
  return element("details", { open }, element("summary", {}, "Paste a token instead"), form);
}
