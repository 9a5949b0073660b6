/** The API as this page's person. */

import { Problem } from "./problem.js";
import { hearClock } from "../browser/time.js";
import { bearer, renewed } from "./token.js";

/** The API's root is the folder that the page is in, whatever the host and the route prefix are. */
const ROOT = new URL(".", location.origin + location.pathname);
const PATIENCE_MILLISECONDS = 30_000;

/**
 * Call the API.
 *
 * @param {string} path below the API's root, without a slash at its start
 * @param {object} options `json`: a body to send; `bytes`: a raw one; `by`: who is sending it;
 *   `headers`: more of them; `signal`: ends the call; `text`: the answer is text and not JSON
 * @returns {Promise<any>} what a 2xx answer holds
 * @throws {Problem} for every other answer, and for none
 */
export async function call(path, { json, bytes, by, headers = {}, signal, text = false } = {}) {
  const body = json === undefined ? bytes : JSON.stringify(json);
  const response = await sendAsOneself(path, by, {
    method: body === undefined ? "GET" : "POST",
    body,
    headers: { ...typed(json), ...headers },
    signal: patient(signal),
    cache: "no-store",
    credentials: "same-origin",
    redirect: "manual",
  });
  hearClock(response.headers.get("Date"));
  // A platform that guards the API itself sends browsers to its sign-in instead of answering 401.
  if (response.type === "opaqueredirect") throw new Problem(401, "unauthenticated", "");
  if (!response.ok) throw await problemIn(response);
  return text ? response.text() : response.json().catch(() => unreadable(response));
}

/** Let a refusal pass as an answer, for what can be shown without the one that was asked for. */
export function passed(problem) {
  if (problem instanceof Problem) return problem;
  throw problem;
}

/** The path of one version, or of something below it. */
export function proposalPath(operation, version, below = "") {
  return `operations/${encodeURIComponent(operation)}/proposals/${version}${below}`;
}

export function operationPath(operation, below = "") {
  return `operations/${encodeURIComponent(operation)}${below}`;
}

/** Send a request, once more if its token was over and could be renewed: it has done nothing then. */
async function sendAsOneself(path, by, request) {
  const token = bearer();
  const response = await send(path, identified(request, by, token));
  if (response.status !== 401 || !(await renewed(token))) return response;
  return send(path, identified(request, by, bearer()));
}

async function send(path, request) {
  try {
    return await fetch(new URL(path, ROOT), request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "unreachable", "The server can't be reached.");
  }
}

/**
 * A form of another site can send the platform's cookie along, but can't add our header. It says who
 * means to change something: tabs share the cookie, and signing in as somebody else in one of them
 * changes who all of them speak for. The API then refuses with "another_person".
 */
function identified(request, by, token) {
  const headers = { "X-Countersign": by ? encodeURIComponent(by.id) : "1", ...request.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  return { ...request, headers };
}

function typed(json) {
  return json === undefined ? {} : { "Content-Type": "application/json" };
}

function patient(signal) {
  const patience = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  return signal ? AbortSignal.any([signal, patience]) : patience;
}

async function problemIn(response) {
  const document = await response.json().catch(() => null);
  if (typeof document?.code !== "string") return unexpected(response);
  return new Problem(response.status, document.code, document.detail ?? "", document);
}

function unexpected(response) {
  if (response.status === 401) return new Problem(401, "unauthenticated", "");
  // The platform answers in place of an app that was lost meanwhile, also with a bare 500.
  const code = response.status >= 500 ? "unreachable" : "unexpected";
  return new Problem(response.status, code, `The server answered with status ${response.status}.`);
}

function unreadable(response) {
  throw new Problem(response.status, "unexpected", "The answer can't be read.");
}
