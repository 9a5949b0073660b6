/**
 * Who is signed in, and how one signs in here.
 *
 * No API tells which sign-in a host has, so the page goes by what answers under `/.auth/me`:
 *
 * - Azure App Service Authentication answers it, with the person's claims or with 401. The page then
 *   offers Microsoft Entra (`/.auth/login/aad`).
 * - The local development host answers it too, on a loopback name. There `/.auth/login/dev` lets a
 *   developer be anybody.
 * - Bare Core Tools know no such path (404). What is left is to paste a token, which works anywhere.
 *
 * Whoever the sign-in says it is, only `/api/me` counts, which checks the token like any other call.
 */

import { call } from "./api.js";
import { address } from "./element.js";
import { dropToken, pastedToken } from "./token.js";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * @typedef {{id: string, name: string, tenant: string, roles: string[],
 *   may: {request: boolean, purchase: boolean, decide: boolean}}} Me
 */

/**
 * @returns {Promise<Me|null>} null if nobody is signed in
 * @throws {Problem} if that can't be told
 */
export async function whoAmI() {
  try {
    return await call("me");
  } catch (error) {
    if (error.code === "unauthenticated") return null;
    throw error;
  }
}

/** @returns {Promise<{label: string, url: string}|null>} the host's own sign-in, if it has one */
export async function platformSignIn(target) {
  if (!(await hasPlatform())) return null;
  const [provider, label] = LOOPBACK.includes(location.hostname)
    ? ["dev", "Sign in to the development host"]
    : ["aad", "Sign in with Microsoft"];
  const query = new URLSearchParams({ post_login_redirect_uri: target });
  return { label, url: `/.auth/login/${provider}?${query}` };
}

/** Sign out here and at the platform, and come back to the page. */
export async function signOut() {
  const platform = !pastedToken() && (await hasPlatform());
  dropToken();
  const query = new URLSearchParams({ post_logout_redirect_uri: address() });
  location.assign(platform ? `/.auth/logout?${query}` : address());
}

async function hasPlatform() {
  try {
    const answer = await fetch("/.auth/me", { cache: "no-store", redirect: "manual" });
    return answer.status !== 404;
  } catch {
    return false;
  }
}
