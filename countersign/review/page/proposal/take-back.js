/** Take an own approval back, while the version waits for other people. */

import { announce } from "../elements/announce.js";
import { element, fill } from "../elements/element.js";
import { button } from "../elements/notice.js";
import { call, proposalPath } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";

/** @import { Review } from "../kind.js" */

/**
 * The button, and beside it what went wrong.
 *
 * @param {Review} review
 * @param {() => void} taken called once it is
 */
export function takeBackElements({ id: operation, version, me }, taken) {
  const trouble = element("div");
  const send = button("Take my approval back", async () => {
    send.disabled = true;
    fill(trouble);
    try {
      await call(proposalPath(operation, version, "/take-back"), { json: {}, by: me });
      announce("Your approval was taken back.");
      taken();
    } catch (problem) {
      fill(trouble, problemNotice(problem, { operation, version }));
      send.disabled = false;
    }
  });
  return [send, trouble];
}
