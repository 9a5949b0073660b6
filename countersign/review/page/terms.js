/** The terms of an approval: who decides, how many of them, and in what time. */

import { element } from "./element.js";
import { field } from "./notice.js";
import { roleName, spelled } from "./words.js";

const WINDOWS = [
  ["", "As usual"],
  ["3600", "1 hour"],
  ["14400", "4 hours"],
  ["86400", "1 day"],
  ["259200", "3 days"],
  ["604800", "1 week"],
];
const ROLES = ["Report.Reviewer", "Report.Escalation"].map((role) => [
  role,
  spelled(roleName(role)),
]);

export class Terms {
  #window = element("select", { id: "window" }, options(WINDOWS));
  #quorum = element("input", { id: "quorum", type: "number", min: 1, max: 10 });
  #role = element("select", { id: "role" }, options(ROLES));

  constructor() {
    this.element = element(
      "details",
      { class: "terms" },
      element("summary", {}, "Terms of the approval"),
      element(
        "div",
        { class: "term-fields" },
        field("Time to decide", this.#window),
        field("Approvals needed", this.#quorum),
        field("Who decides", this.#role),
      ),
    );
  }

  /** What the fields hold, as a draft keeps it. */
  get typed() {
    return { window: this.#window.value, quorum: this.#quorum.value, role: this.#role.value };
  }

  set typed({ window = "", quorum = "1", role = ROLES[0][0] }) {
    this.#window.value = window;
    this.#quorum.value = quorum;
    this.#role.value = role;
    this.element.open = window !== "" || quorum !== "1" || role !== ROLES[0][0];
  }

  /** What the API is told. */
  get approval() {
    const { window, quorum, role } = this.typed;
    const approval = { role, quorum: Number(quorum) };
    return window ? { ...approval, window_seconds: Number(window) } : approval;
  }
}

function options(pairs) {
  return pairs.map(([value, label]) => element("option", { value }, label));
}
