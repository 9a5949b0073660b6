/**
 * Who is signed in, and how one signs in here, which the API says:
 *
 * - `page`: this page itself gets tokens from an OpenID provider.
 * - `platform`: Azure App Service Authentication in front of the app adds the person's token to each
 *   request of the browser; the local development host does so too.
 * - `token`: nobody does, and a token is pasted, which works anywhere.
 *
 * Whoever the sign-in says it is, only `/api/me` counts, which checks the token like any other call.
 */

import { tell } from "../browser/channel.js";
import { forgetInTab, keepInTab, keptInTab } from "../browser/tab.js";
import { address } from "../elements/element.js";
import { call, passed } from "./api.js";
import { answerIn, begin, complete, endOfSession } from "./authorization.js";
import { codeOf } from "./problem.js";
import { forgetProvider } from "./provider.js";
import { bearer, dropTokens, pastedToken, useTokens } from "./token.js";

/**
 * @import { Me, SignInAtProvider, SignInElsewhere } from "../api.js"
 * @import { Attempt } from "./authorization.js"
 * @import { Problem } from "./problem.js"
 */

/** Another token is wanted, so whoever sent this one may as well be nobody. */
const NOBODY = ["unauthenticated", "insufficient_scope"];
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** @typedef {{label: string, url: string, attempt?: Attempt}} SignInPlace */

/**
 * @returns {Promise<Me|null>} null if nobody is signed in
 * @throws {Problem} if that can't be told
 */
export async function whoAmI() {
  // Where nobody adds a token to what this page sends, there is no need to ask without one.
  if (!bearer() && toldByThePage()?.way === "page") return null;
  try {
    return await call("me");
  } catch (error) {
    if (NOBODY.includes(codeOf(error))) return null;
    throw error;
  }
}

/**
 * Take the answer of a sign-in that led here, and go on where it began.
 *
 * @returns {Promise<{answered?: boolean, problem?: Problem, foreign?: URLSearchParams}>} whether
 *   there was one, why it is no good, or that it is for another tab
 */
export async function comeBack() {
  const answer = answerIn(location);
  if (!answer) return {};
  const attempt = keptInTab("sign-in");
  if (attempt?.state !== answer.get("state")) {
    history.replaceState(null, "", address());
    return { foreign: answer };
  }
  forgetInTab("sign-in");
  history.replaceState(null, "", attempt.to);
  try {
    await accept(attempt, answer);
    return { answered: true };
  } catch (error) {
    forgetProvider();
    const problem = passed(error);
    const nobody = attempt.quiet && problem.facts.error;
    return { answered: true, problem: nobody ? undefined : problem };
  }
}

/**
 * Take an answer to an attempt, whichever tab it came to.
 *
 * @param {Attempt} attempt
 * @param {URLSearchParams} answer
 */
export async function accept(attempt, answer) {
  const client = await howOneSignsIn();
  if (client.way === "page") useTokens(await complete(client, attempt, answer));
  forgetInTab("signed-out");
  tell("accepted", { state: attempt.state });
}

/**
 * Go and see whether the provider knows who this is, and come back at once. Nobody is asked
 * anything, and whoever signed out here stays out.
 */
export async function signInQuietly() {
  const client = await howOneSignsIn();
  if (client.way !== "page" || pastedToken() || keptInTab("signed-out")) return;
  const { url, attempt } = await begin(client, { prompt: "none" });
  if (!keepInTab("sign-in", { ...attempt, quiet: true })) return;
  location.replace(url);
  await new Promise(() => {});
}

/**
 * Where one signs in.
 *
 * @param {string} to the address of this page that a platform leads back to
 * @returns {Promise<SignInPlace|null>} null if nowhere
 */
export async function placeToSignIn(to) {
  const client = await howOneSignsIn();
  if (client.way === "page") return { label: "Sign in", ...(await begin(client)) };
  if (client.way !== "platform") return null;
  const [provider, label] = LOOPBACK.includes(location.hostname)
    ? ["dev", "Sign in to the development host"]
    : ["aad", "Sign in with Microsoft"];
  const query = new URLSearchParams({ post_login_redirect_uri: to });
  return { label, url: `/.auth/login/${provider}?${query}` };
}

/**
 * Remember an attempt until its answer leads back to this tab.
 *
 * @param {Attempt} attempt
 */
export function remember(attempt) {
  return keepInTab("sign-in", attempt);
}

/** Sign out here and where one signed in, and come back to the page. */
export async function signOut() {
  const { way } = await howOneSignsIn();
  const byPlatform = way === "platform" && !pastedToken();
  const tokens = dropTokens();
  keepInTab("signed-out", true);
  const query = new URLSearchParams({ post_logout_redirect_uri: address() });
  const elsewhere = byPlatform
    ? `/.auth/logout?${query}`
    : tokens && endOfSession(tokens, address());
  location.assign(elsewhere || address());
}

/** @type {Promise<SignInElsewhere|SignInAtProvider>|undefined} */
let asked;

function howOneSignsIn() {
  const told = toldByThePage();
  if (told) return Promise.resolve(told);
  asked ??= call("sign-in").catch((problem) => {
    asked = undefined;
    throw problem;
  });
  return asked;
}

/**
 * How one signs in, if the page was sent with it, which saves asking.
 *
 * @returns {SignInElsewhere|SignInAtProvider|undefined}
 */
function toldByThePage() {
  const told = document.querySelector("meta[name=sign-in]")?.getAttribute("content");
  return told ? JSON.parse(told) : undefined;
}
