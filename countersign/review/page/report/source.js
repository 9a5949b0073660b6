/** Where a quote is from: what the source is called, and how it came here. */

import { timeElement } from "../browser/time.js";
import { count, element, external, foreign } from "../elements/element.js";

/** @import { Evidence, Origin, SourceNote } from "../api.js" */

/** @typedef {Omit<SourceNote, "id">} Source */

/**
 * @param {Source|null|undefined} source as the evidence has it
 * @param {string} [id] what the claim names
 */
export function sourceElement(source, id) {
  return element(
    "div",
    { class: "source" },
    element("p", {}, named(source, id)),
    source && element("p", { class: "hint" }, came(source)),
  );
}

/**
 * What a source is called, in a line about something else.
 *
 * @param {Source|null|undefined} source as the evidence has it
 * @param {string} id what the claim names
 */
export function sourceName(source, id) {
  const title = foreign(source?.title || id);
  return isStated(source) ? ["document from ", sender(source?.origin), ": ", title] : title;
}

/**
 * @param {Source|null|undefined} source
 * @param {string} [id]
 */
function named(source, id) {
  const title = source?.title || id || "unknown source";
  // Only an address that the app has read itself leads anywhere: all others are somebody's word.
  if (source?.origin?.kind === "fetched" && source.url) return external(source.url, title);
  return isStated(source) ? ["Stated title, not checked: ", foreign(title)] : foreign(title);
}

/**
 * Whether a source is called as whoever handed it over calls it.
 *
 * @param {Source|null|undefined} source
 */
function isStated(source) {
  return ["request", "service"].includes(source?.origin?.kind ?? "");
}

/** @param {Origin|null|undefined} origin of what somebody handed over */
function sender(origin) {
  const who = origin?.kind === "service" ? origin.service : origin?.by;
  return who ? foreign(who) : "the requester";
}

/**
 * Research came upon these, or was pointed to them, and could not read them.
 *
 * @param {string[]} [lines]
 */
export function unreadElement(lines = []) {
  if (!lines.length) return null;
  return element(
    "section",
    { class: "evidence-note unread" },
    element("strong", {}, "Could not be read:"),
    element(
      "ul",
      {},
      lines.map((line) => element("li", {}, foreign(line))),
    ),
  );
}

/**
 * The documents that came with the request and that claims are from, each with how many.
 *
 * @param {Evidence} evidence as the API shows it
 */
export function sentElement({ sources, claims }) {
  const sent = sources.filter(({ origin }) => origin?.kind === "request");
  if (!sent.length) return null;
  /** @param {SourceNote} source */
  const line = (source) => {
    const used = claims.filter((claim) => claim.source === source.id && claim.used);
    const said = `${count(used.length, "claim")} of the report from it.`;
    return element("li", {}, sourceElement(source), element("p", { class: "hint" }, said));
  };
  return element(
    "section",
    { class: "claims sent" },
    element("h3", {}, "Documents of the request"),
    element("ol", {}, sent.map(line)),
  );
}

/** @param {Source} source */
function came({ url, origin }) {
  const digest = origin && [" SHA-256: ", element("code", {}, foreign(origin.digest)), "."];
  switch (origin?.kind) {
    case "fetched":
      return [...fetched(url, origin), digest];
    case "request":
      return ["Sent with the request by ", sender(origin), ".", claimed(url), digest];
    case "service":
      return [
        ...["Provided by ", sender(origin), " ", timeElement(origin.at), "."],
        claimed(url),
        digest,
      ];
    case "library":
      return ["From the library.", claimed(url), digest];
    default:
      return ["Its origin was not recorded.", claimed(url)];
  }
}

/**
 * @param {string|null} url
 * @param {Origin} origin
 */
function fetched(url, { at, service }) {
  const by = service && [", found by ", foreign(service)];
  return ["Fetched by this app ", timeElement(at), " from ", foreign(url), by, "."];
}

/** @param {string|null} url */
function claimed(url) {
  return url && [" Stated address, not checked: ", foreign(url), "."];
}
