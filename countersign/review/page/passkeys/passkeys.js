/** A person's own passkeys, and for operators those of others: to confirm, or to remove. */

import { timeElement } from "../browser/time.js";
import { announce } from "../elements/announce.js";
import { element, fill, foreign } from "../elements/element.js";
import { button, field, notice } from "../elements/notice.js";
import { call } from "../session/api.js";
import { problemNotice } from "../words/problem-notice.js";
import { makePasskey } from "./device.js";

/**
 * @import { Me, PasskeyList, PasskeyView } from "../api.js"
 * @import { View, Visit } from "../view.js"
 */

const LONGEST_LABEL = 300;

/**
 * @param {Visit} visit
 * @returns {Promise<View>}
 */
export async function passkeysView({ me, signal }) {
  const page = new PasskeyPage(me, signal);
  await page.read();
  return { title: "Passkeys", name: "passkeys", content: page.element };
}

class PasskeyPage {
  #me;
  #signal;
  #lists = element("div");
  #trouble = element("div");
  #label = element("input", { id: "passkey-label", maxlength: LONGEST_LABEL, autocomplete: "off" });
  #add = element("button", { class: "button primary" }, "Add a passkey");

  /**
   * @param {Me} me
   * @param {AbortSignal} signal
   */
  constructor(me, signal) {
    this.#me = me;
    this.#signal = signal;
    this.element = element(
      "div",
      { class: "passkeys" },
      element("h1", {}, "Passkeys"),
      element(
        "p",
        { class: "lead" },
        "Some approvals have to be signed with a passkey of your own. Your device keeps it, and asks",
        " you for your fingerprint, face or PIN each time.",
      ),
      this.#trouble,
      this.#lists,
      this.#form(),
    );
  }

  /** Show what there is now. */
  async read() {
    /** @type {PasskeyList} */
    const { passkeys, waiting, confirmed } = await call("passkeys", { signal: this.#signal });
    fill(
      this.#lists,
      this.#own(passkeys),
      waiting.length > 0 && this.#waiting(waiting),
      confirmed.length > 0 && this.#confirmed(confirmed),
    );
  }

  #form() {
    return element(
      "form",
      { class: "card", novalidate: true, submit: (event) => this.#submit(event) },
      element("h2", {}, "Add a passkey"),
      field("A name for it, such as “work laptop”", this.#label),
      element(
        "p",
        { class: "hint" },
        "It can sign once an operator has confirmed it. Show them its fingerprint, or read it to them.",
      ),
      element("div", { class: "actions" }, this.#add),
    );
  }

  /** @param {Event} event */
  #submit(event) {
    event.preventDefault();
    const label = this.#label.value.trim();
    if (!label) return this.#label.focus();
    this.#do("Your passkey was added. An operator has to confirm it.", async () => {
      const options = await call("passkeys/options", { signal: this.#signal });
      const json = await makePasskey(options, label);
      await call("passkeys", { json, by: this.#me });
      this.#label.value = "";
    });
  }

  /** @param {PasskeyView[]} passkeys */
  #own(passkeys) {
    const items = passkeys.map((each) => this.#item(each, !each.removed && this.#removal(each)));
    return element(
      "section",
      { class: "card", "aria-labelledby": "own-passkeys" },
      element("h2", { id: "own-passkeys" }, "Your passkeys"),
      items.length > 0 ? element("ul", {}, items) : element("p", {}, "You have none yet."),
    );
  }

  /** @param {PasskeyView[]} waiting */
  #waiting(waiting) {
    const items = waiting.map((each) =>
      this.#item(each, [this.#confirmation(each), this.#removal(each)]),
    );
    return element(
      "section",
      { class: "card", "aria-labelledby": "waiting-passkeys" },
      element("h2", { id: "waiting-passkeys" }, "Waiting for your confirmation"),
      notice(
        "warn",
        "Confirm a passkey only after its owner, whom you see or whose voice you know, has read its" +
          " fingerprint to you.",
        "Somebody with a stolen sign-in can add a passkey in another person’s name.",
      ),
      element("ul", {}, items),
    );
  }

  /** @param {PasskeyView[]} confirmed */
  #confirmed(confirmed) {
    const items = confirmed.map((each) => this.#item(each, this.#removal(each)));
    return element(
      "section",
      { class: "card", "aria-labelledby": "confirmed-passkeys" },
      element("h2", { id: "confirmed-passkeys" }, "Confirmed passkeys of others"),
      element(
        "p",
        { class: "hint" },
        "Remove a passkey if its device is lost or its owner leaves. What it signed stays valid.",
      ),
      element("ul", {}, items),
    );
  }

  /**
   * @param {PasskeyView} passkey
   * @param {import("../elements/element.js").Child} actions
   */
  #item(passkey, actions) {
    const { label, fingerprint, added } = passkey;
    return element(
      "li",
      { "data-passkey": passkey.id },
      element("p", {}, foreign(label, "strong"), " · ", standingOf(passkey)),
      element("p", { class: "hint" }, "Added by ", foreign(added.by), " ", timeElement(added.at)),
      element("p", { class: "hint" }, "Fingerprint ", element("code", {}, grouped(fingerprint))),
      element("div", { class: "actions" }, actions),
    );
  }

  /** @param {PasskeyView} passkey */
  #removal(passkey) {
    return button("Remove", () => this.#change("remove", passkey, "The passkey was removed."), {
      "aria-label": `Remove ${passkey.label}`,
    });
  }

  /** @param {PasskeyView} passkey */
  #confirmation(passkey) {
    const done = "The passkey is confirmed.";
    return button("The fingerprint matches: confirm", () => this.#change("confirm", passkey, done));
  }

  /**
   * @param {"confirm"|"remove"} what
   * @param {PasskeyView} passkey
   * @param {string} done
   */
  #change(what, { person, id }, done) {
    return this.#do(done, () => call(`passkeys/${what}`, { json: { person, id }, by: this.#me }));
  }

  /**
   * @param {string} done
   * @param {() => Promise<unknown>} work
   */
  async #do(done, work) {
    this.#add.disabled = true;
    fill(this.#trouble);
    try {
      await work();
      await this.read();
      fill(this.#trouble, notice("good", done));
      announce(done);
    } catch (problem) {
      if (!this.#signal.aborted) fill(this.#trouble, problemNotice(problem));
    } finally {
      this.#add.disabled = false;
    }
  }
}

/** @param {PasskeyView} passkey */
function standingOf({ confirmed, removed }) {
  if (removed) return ["removed by ", foreign(removed.by), " ", timeElement(removed.at)];
  if (confirmed) return ["confirmed by ", foreign(confirmed.by), " ", timeElement(confirmed.at)];
  return "waits for an operator to confirm it";
}

/**
 * A fingerprint in groups that can be read to somebody.
 *
 * @param {string} fingerprint
 */
function grouped(fingerprint) {
  return fingerprint.match(/.{1,4}/g)?.join(" ") ?? "";
}
