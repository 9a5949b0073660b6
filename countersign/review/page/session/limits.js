/** What requests and decisions can hold at the most, which the API tells. */

import { call } from "./api.js";

/** @import { LimitsView } from "../api.js" */

/** @type {Promise<LimitsView>|undefined} */
let asked;

/** @returns {Promise<LimitsView>} asked for once: they change with the app, and so does the page */
export function readLimits() {
  asked ??= call("limits").catch((problem) => {
    asked = undefined;
    throw problem;
  });
  return asked;
}
