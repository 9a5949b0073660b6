/** The terms of an approval: who decides, how many of them, and in what time. */

import { element } from "../elements/element.js";
import { field } from "../elements/notice.js";
import { roleName, spelled } from "../words/words.js";

/** @import { ApprovalLimits } from "../api.js" */

const WINDOWS = [
  ["", "As usual"],
  ["3600", "1 hour"],
  ["14400", "4 hours"],
  ["86400", "1 day"],
  ["259200", "3 days"],
  ["604800", "1 week"],
];

export class Terms {
  #usual;
  #fewest;
  #window;
  #quorum = element("input", { id: "quorum", type: "number" });
  #role;

  /**
   * @param {ApprovalLimits} limits
   * @param {string[]} roles among whom the requester can choose, the usual one first; or none
   */
  constructor({ most_approvers: most, fewest_approvers: fewest, ...limits }, roles = []) {
    this.#quorum.max = String(most);
    this.#quorum.min = String(fewest);
    this.#fewest = String(fewest);
    const shortest = limits.shortest_window_seconds;
    this.#window = element("select", { id: "window" }, options(windows(shortest)));
    this.#usual = roles[0] ?? "";
    const named = roles.map((role) => [role, spelled(roleName(role))]);
    this.#role = element("select", { id: "role" }, options(named));
    this.element = element(
      "details",
      { class: "terms" },
      element("summary", {}, "Approval terms"),
      element(
        "div",
        { class: "term-fields" },
        field("Time to decide", this.#window),
        field("Approvals needed", this.#quorum),
        roles.length > 0 && field("Who decides", this.#role),
      ),
    );
  }

  /** What the fields hold, as a draft keeps it. */
  get typed() {
    return { window: this.#window.value, quorum: this.#quorum.value, role: this.#role.value };
  }

  set typed({ window = "", quorum = this.#fewest, role = this.#usual }) {
    this.#window.value = window;
    this.#quorum.value = quorum;
    this.#role.value = role;
    this.element.open = window !== "" || quorum !== this.#fewest || role !== this.#usual;
  }

  /** What the API is told. */
  get approval() {
    const { window, quorum, role } = this.typed;
    return {
      quorum: Number(quorum),
      ...(role && { role }),
      ...(window && { window_seconds: Number(window) }),
    };
  }
}

/** @param {number} shortest in seconds */
function windows(shortest) {
  return WINDOWS.filter(([seconds]) => seconds === "" || Number(seconds) >= shortest);
}

/** @param {string[][]} pairs */
function options(pairs) {
  return pairs.map(([value, label]) => element("option", { value }, label));
}
