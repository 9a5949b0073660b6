/** The OpenID provider that the app names, as it describes itself (OpenID Connect Discovery 1.0). */

import { forgetInTab, keepInTab, keptInTab } from "../browser/tab.js";
import { Problem } from "./problem.js";

/** @import { Facts } from "./problem.js" */

/**
 * What of a provider's metadata is used.
 *
 * @typedef {{issuer: string, authorization_endpoint: string, token_endpoint: string,
 *   end_session_endpoint?: string,
 *   authorization_response_iss_parameter_supported?: boolean}} Provider
 */

const PATIENCE_MILLISECONDS = 15_000;
const KNOWN = "provider";

/**
 * @param {string} authority the provider's issuer
 * @returns {Promise<Provider>} its metadata
 * @throws {Problem} if they can't be had, or are another issuer's
 */
export async function describe(authority) {
  const known = keptInTab(KNOWN);
  if (known?.issuer === authority) return known;
  const told = await ask(`${authority.replace(/\/$/, "")}/.well-known/openid-configuration`);
  // Section 4.3: or else somebody could pass their own endpoints off as this issuer's.
  if (told.issuer !== authority) throw failed("It describes another issuer.");
  // A sign-in leads away and back, and would ask for the same once more.
  keepInTab(KNOWN, told);
  return told;
}

/** Ask anew how the provider describes itself: what was known led to nothing. */
export function forgetProvider() {
  forgetInTab(KNOWN);
}

/**
 * Ask a provider's token endpoint (RFC 6749, section 3.2), as a client without a secret.
 *
 * @param {Provider} provider its metadata
 * @param {Record<string, string>} form
 * @throws {Problem} "sign_in_failed" if it gives no tokens
 */
export async function askForTokens(provider, form) {
  const tokens = await ask(provider.token_endpoint, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  if (!tokens.access_token || tokens.token_type?.toLowerCase() !== "bearer") {
    throw failed("It gave no token.");
  }
  return tokens;
}

/**
 * @param {string} detail
 * @param {Facts} [facts]
 * @returns {Problem} the sign-in came to nothing; `detail` says why
 */
export function failed(detail, facts = {}) {
  return new Problem(0, "sign_in_failed", detail, facts);
}

/**
 * @param {string} url
 * @param {RequestInit} [request]
 */
async function ask(url, request = {}) {
  let answer;
  try {
    answer = await fetch(url, {
      ...request,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE_MILLISECONDS),
    });
  } catch {
    throw new Problem(0, "sign_in_unreachable", "The sign-in service cannot be reached.");
  }
  const told = await answer.json().catch(() => null);
  if (answer.ok && told) return told;
  throw failed(told?.error_description ?? told?.error ?? `It answered with ${answer.status}.`);
}
