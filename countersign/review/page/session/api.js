/** The API as this page's person. */

import { hearClock } from "../browser/time.js";
import { answered, unanswered, waitFor } from "./connection.js";
import { Problem } from "./problem.js";
import { bearer, renewed } from "./token.js";

/** @import { Me } from "../api.js" */

/** The API's root is the folder that the page is in, whatever the host and the route prefix are. */
const ROOT = new URL(".", location.origin + location.pathname);
const PATIENCE_MILLISECONDS = 30_000;

/**
 * @typedef {object} Options
 * @property {unknown} [json] a body to send
 * @property {Blob} [bytes] a raw one
 * @property {Me} [by] who is sending it
 * @property {Record<string, string>} [headers] more of them
 * @property {AbortSignal} [signal] ends the call
 * @property {boolean} [text] whether the answer is text and not JSON
 */

/**
 * Call the API.
 *
 * @param {string} path below the API's root, without a slash at its start
 * @param {Options} options
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

/**
 * Let a refusal pass as an answer, for what can be shown without the one that was asked for.
 *
 * @param {unknown} problem
 */
export function passed(problem) {
  if (problem instanceof Problem) return problem;
  throw problem;
}

/**
 * The path of one version, or of something below it.
 *
 * @param {string} operation
 * @param {number} version
 */
export function proposalPath(operation, version, below = "") {
  return `operations/${encodeURIComponent(operation)}/proposals/${version}${below}`;
}

/** @param {string} operation */
export function operationPath(operation, below = "") {
  return `operations/${encodeURIComponent(operation)}${below}`;
}

/**
 * Send a request, once more if its token was over and could be renewed: it has done nothing then.
 *
 * @param {string} path
 * @param {Me|undefined} by
 * @param {RequestInit} request
 */
async function sendAsOneself(path, by, request) {
  const token = bearer();
  const response = await send(path, identified(request, by, token));
  if (response.status !== 401 || !(await renewed(token))) return response;
  return send(path, identified(request, by, bearer()));
}

/**
 * @param {string} path
 * @param {RequestInit} request
 */
async function send(path, request) {
  try {
    const response = await waitFor(fetch(new URL(path, ROOT), request));
    answered();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    unanswered();
    throw new Problem(0, "unreachable", "The server cannot be reached.");
  }
}

/**
 * A form of another site can send the platform's cookie along, but can't add our header. It says who
 * means to change something: tabs share the cookie, and signing in as somebody else in one of them
 * changes who all of them speak for. The API then refuses with "another_person".
 *
 * @param {RequestInit} request
 * @param {Me|undefined} by
 * @param {string} token
 */
function identified(request, by, token) {
  const headers = new Headers(request.headers);
  headers.set("X-Countersign", by ? encodeURIComponent(by.id) : "1");
  if (token) headers.set("Authorization", `Bearer ${token}`);
  return { ...request, headers };
}

/**
 * @param {unknown} json
 * @returns {Record<string, string>}
 */
function typed(json) {
  return json === undefined ? {} : { "Content-Type": "application/json" };
}

/** @param {AbortSignal} [signal] */
function patient(signal) {
  const patience = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  return signal ? AbortSignal.any([signal, patience]) : patience;
}

/** @param {Response} response */
async function problemIn(response) {
  const document = await response.json().catch(() => null);
  if (typeof document?.code !== "string") return unexpected(response);
  return new Problem(response.status, document.code, document.detail ?? "", document);
}

/** @param {Response} response */
function unexpected(response) {
  if (response.status === 401) return new Problem(401, "unauthenticated", "");
  // The platform answers in place of an app that was lost meanwhile, also with a bare 500.
  const code = response.status >= 500 ? "unreachable" : "unexpected";
  return new Problem(response.status, code, `The server answered with status ${response.status}.`);
}

/**
 * @param {Response} response
 * @returns {never}
 */
function unreadable(response) {
  throw new Problem(response.status, "unexpected", "The answer cannot be read.");
}
