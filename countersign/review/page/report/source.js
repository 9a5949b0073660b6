/** Where a quote is from: what the source is called, and how it came here. */

import { exactTime } from "../browser/time.js";
import { element, external, foreign } from "../elements/element.js";

/** @import { Origin, SourceNote } from "../api.js" */

/** @typedef {Omit<SourceNote, "id"|"origin"> & {origin?: Origin|null}} Source */

/**
 * @param {Source|null|undefined} source as the evidence has it
 * @param {string} [id] what the claim names
 */
export function sourceElement(source, id) {
  const title = source?.title || id || "unknown source";
  // Only an address that the app has read itself leads anywhere: all others are somebody's word.
  const read = source?.origin?.kind === "fetched";
  return element(
    "div",
    { class: "source" },
    element("p", {}, read && source.url ? external(source.url, title) : foreign(title)),
    source && element("p", { class: "hint" }, came(source)),
  );
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

/** @param {Source} source */
function came({ url, origin }) {
  const digest = origin && [" SHA-256: ", element("code", {}, foreign(origin.digest)), "."];
  switch (origin?.kind) {
    case "fetched":
      return [...fetched(url, origin), digest];
    case "request":
      return ["Provided by the requester.", claimed(url), digest];
    case "service":
      return [
        ...["Provided by ", foreign(origin.service), " on ", exactTime(origin.at), "."],
        claimed(url),
        digest,
      ];
    case "library":
      return ["From the library.", claimed(url), digest];
    default:
      // Answers of the fact-checker do not tell where a source came from; evidence does.
      return [origin === null && "Its origin was not recorded.", claimed(url)];
  }
}

/**
 * @param {string|null} url
 * @param {Origin} origin
 */
function fetched(url, { at, service }) {
  const by = service && [", found by ", foreign(service)];
  return ["Fetched by this app on ", exactTime(at), " from ", foreign(url), by, "."];
}

/** @param {string|null} url */
function claimed(url) {
  return url && [" Its stated address, which was not checked: ", foreign(url), "."];
}
