/**
 * Authorization code with PKCE, for a page that can keep no secret: RFC 6749, RFC 7636, RFC 9207,
 * OpenID Connect Core 1.0, and RFC 9700 and "OAuth 2.0 for Browser-Based Applications" for what of
 * them to use.
 */

import { askForTokens, describe, failed } from "./provider.js";

/** @import { Provider } from "./provider.js" */

/**
 * The page as the provider knows it.
 *
 * @typedef {{authority: string, client_id: string, scope: string}} Client
 */
/**
 * A sign-in that was begun; `to`: where in the page to go on, `quiet`: without asking anybody.
 *
 * @typedef {{authority: string, state: string, nonce: string, verifier: string, to: string,
 *   quiet?: boolean}} Attempt
 */
/** @typedef {{access: string, refresh?: string, id: string, provider: Provider, client: Client}} Tokens */
/** @typedef {{access_token: string, refresh_token?: string, id_token: string}} Given by the provider */

/** How far the clock of this machine may be ahead of the provider's. */
const LEEWAY_SECONDS = 300;

/** Providers answer to this address, so it is the one to register. */
const REDIRECT_URI = location.origin + location.pathname;

/**
 * Where to go to sign in, and what has to be remembered until the answer comes.
 *
 * @param {Client} client
 * @param {{prompt?: string}} more "none": come back at once, whether somebody is signed in or not
 * @returns {Promise<{url: string, attempt: Attempt}>}
 */
export async function begin(client, more = {}) {
  const provider = await describe(client.authority);
  const attempt = {
    authority: client.authority,
    state: random(),
    nonce: random(),
    verifier: random(),
    to: location.pathname + location.search + location.hash,
  };
  const asked = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    // What stands behind # is never sent to a server, nor written into its log.
    response_mode: "fragment",
    scope: `openid profile offline_access ${client.scope}`,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: base64url(await sha256(attempt.verifier)),
    code_challenge_method: "S256",
    ...more,
  });
  const url = new URL(provider.authorization_endpoint);
  for (const [name, value] of asked) url.searchParams.set(name, value);
  return { url: url.href, attempt };
}

/**
 * @param {{hash: string}} place
 * @returns {URLSearchParams|null} a provider's answer, if the page's address is one
 */
export function answerIn({ hash }) {
  const answer = new URLSearchParams(hash.slice(1));
  return answer.has("state") && (answer.has("code") || answer.has("error")) ? answer : null;
}

/**
 * Get the tokens for an answer.
 *
 * @param {Client} client
 * @param {Attempt} attempt the one that it answers
 * @param {URLSearchParams} answer
 * @returns {Promise<Tokens>}
 * @throws {Problem} it is not an answer to that, or the provider refuses
 */
export async function complete(client, attempt, answer) {
  const provider = await describe(client.authority);
  checkAnswer(attempt, answer, provider);
  const tokens = await askForTokens(provider, {
    grant_type: "authorization_code",
    code: answer.get("code") ?? "",
    redirect_uri: REDIRECT_URI,
    client_id: client.client_id,
    code_verifier: attempt.verifier,
  });
  const claims = claimsOf(tokens.id_token, provider, client);
  if (claims.nonce !== attempt.nonce) throw failed("The id token is of another sign-in.");
  return held(tokens, provider, client);
}

/**
 * Get new tokens without asking anybody (RFC 6749, section 6).
 *
 * @param {Tokens} tokens
 * @returns {Promise<Tokens>} to be used in place of those before
 */
export async function renew(tokens) {
  const { provider, client, refresh = "", id } = tokens;
  const given = await askForTokens(provider, {
    grant_type: "refresh_token",
    refresh_token: refresh,
    client_id: client.client_id,
  });
  if (given.id_token && claimsOf(given.id_token, provider, client).sub !== payload(id).sub) {
    throw failed("The new tokens are somebody else's.");
  }
  return held({ refresh_token: refresh, id_token: id, ...given }, provider, client);
}

/**
 * Where one signs out at the provider; "" if it has no such place.
 *
 * @param {Tokens} tokens
 * @param {string} back
 */
export function endOfSession({ provider, client, id }, back) {
  if (!provider.end_session_endpoint) return "";
  const url = new URL(provider.end_session_endpoint);
  url.searchParams.set("client_id", client.client_id);
  url.searchParams.set("id_token_hint", id);
  url.searchParams.set("post_logout_redirect_uri", new URL(back, location.href).href);
  return url.href;
}

/**
 * @param {Attempt} attempt
 * @param {URLSearchParams} answer
 * @param {Provider} provider
 */
function checkAnswer(attempt, answer, provider) {
  if (answer.get("state") !== attempt.state || attempt.authority !== provider.issuer) {
    throw failed("The answer is not to what was asked here.");
  }
  const named = answer.get("iss");
  const names = provider.authorization_response_iss_parameter_supported;
  if (named === null ? names : named !== provider.issuer) {
    throw failed("The answer is another issuer's.");
  }
  const error = answer.get("error");
  if (error) throw failed(answer.get("error_description") ?? error, { error });
}

/**
 * The claims of an id token, checked as OpenID Connect Core, 3.1.3.7 asks. It came from the issuer's
 * own endpoint, so that its signature has nothing to add (number 6). The API checks that of the
 * access token.
 *
 * @param {string} token
 * @param {Provider} provider
 * @param {Client} client
 */
function claimsOf(token, provider, client) {
  const claims = payload(token);
  const meant = [claims.aud].flat();
  if (claims.iss !== provider.issuer) throw failed("The id token is another issuer's.");
  if (!meant.includes(client.client_id) || (claims.azp ?? client.client_id) !== client.client_id)
    throw failed("The id token is for somebody else.");
  if (!(Date.now() / 1000 < claims.exp + LEEWAY_SECONDS))
    throw failed("The id token has ended, by the clock of this machine.");
  return claims;
}

/** @param {string} token */
function payload(token) {
  try {
    const text = token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw failed("The id token can't be read.");
  }
}

/**
 * @param {Given} given
 * @param {Provider} provider
 * @param {Client} client
 * @returns {Tokens}
 */
function held({ access_token: access, refresh_token: refresh, id_token: id }, provider, client) {
  return { access, refresh, id, provider, client };
}

function random() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** @param {string} text */
async function sha256(text) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
