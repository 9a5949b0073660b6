"use strict";

// Everything that comes from the app is set as text, never as HTML.

const PAUSE = 2000;
const ORDER = ["Running", "Pending", "Suspended", "Failed", "Completed", "Terminated", "Canceled"];
const KINDS = {
  http: "HTTP", timer: "Timer", orchestration: "Orchestrators", activity: "Activities", entity: "Entities",
};
const STEPS = { "+1 min": 60, "+1 h": 3600, "+1 day": 86400 };

const at = (id) => document.getElementById(id);
let filter = "";
let shownFunctions = "";
let timer = 0;

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const millis = (stamp) => Date.parse(stamp.replace(/(\.\d{3})\d*Z$/, "$1Z"));

function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const pad = (number) => String(number).padStart(2, "0");

function clockTime(stamp) {
  const date = new Date(millis(stamp));
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

async function fetchJson(path) {
  const answer = await fetch(path, { cache: "no-store" });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

async function look() {
  clearTimeout(timer);
  try {
    show(await fetchJson(`/devhost/overview?status=${encodeURIComponent(filter)}`));
  } catch {
    at("pulse").className = "pulse down";
    setText(at("health"), "The host doesn't answer");
  }
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(look, PAUSE);
}

function show(state) {
  document.title = `${state.app} – devhost`;
  setText(at("app"), state.app);
  at("pulse").className = state.broken ? "pulse down" : "pulse up";
  const active = (state.counts.Running || 0) + (state.counts.Pending || 0);
  const entities = state.entities ? `, ${plural(state.entities, "entity", "entities")}` : "";
  setText(at("health"), state.broken ? "The app is broken" : `${active} running${entities}`);
  setText(at("trouble"), "The app can't be loaded; the host's output says why. Requests get 503 until it is mended.");
  at("trouble").hidden = !state.broken;
  showClock(state);
  showFilters(state.counts);
  showInstances(state);
  showFunctions(state.functions);
}

const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

function showClock(state) {
  setText(at("now"), state.virtual ? `Virtual time ${clockTime(state.now)}` : clockTime(state.now));
  const steps = at("steps");
  if (!state.virtual || steps.childElementCount) return;
  steps.hidden = false;
  for (const [label, seconds] of Object.entries(STEPS)) {
    const button = make("button", "", label);
    button.addEventListener("click", () => advance(seconds));
    steps.append(button, " ");
  }
}

async function advance(seconds) {
  const buttons = at("steps").querySelectorAll("button");
  buttons.forEach((button) => { button.disabled = true; });
  try {
    await fetch("/devhost/clock/advance", { method: "POST", body: JSON.stringify({ seconds }) });
  } finally {
    buttons.forEach((button) => { button.disabled = false; });
    look();
  }
}

function showFilters(counts) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const wanted = [["", "All", all]];
  for (const status of ORDER) {
    if (counts[status] || filter === status) wanted.push([status, status, counts[status] || 0]);
  }
  const box = at("filters");
  const known = new Map([...box.children].map((button) => [button.dataset.status, button]));
  wanted.forEach(([status, label, count], place) => {
    const button = known.get(status) || filterButton(status);
    known.delete(status);
    setText(button, `${label} ${count}`);
    button.setAttribute("aria-pressed", String(filter === status));
    if (box.children[place] !== button) box.insertBefore(button, box.children[place] || null);
  });
  known.forEach((button) => button.remove());
}

function filterButton(status) {
  const button = make("button");
  button.dataset.status = status;
  button.addEventListener("click", () => { filter = status; look(); });
  return button;
}

function showInstances(state) {
  const box = at("instances");
  const known = new Map([...box.children].map((row) => [row.dataset.id, row]));
  state.instances.forEach((instance, place) => {
    const row = known.get(instance.id) || instanceRow(instance.id);
    known.delete(instance.id);
    if (box.children[place] !== row) box.insertBefore(row, box.children[place] || null);
    updateRow(row, instance, state.now);
  });
  known.forEach((row) => row.remove());
  const total = filter ? state.counts[filter] || 0 : Object.values(state.counts).reduce((a, b) => a + b, 0);
  at("nothing").hidden = total > 0 && total <= state.instances.length;
  setText(at("nothing"), total === 0
    ? "None yet. They show as soon as an orchestration starts."
    : `These are the ${state.instances.length} that changed last, of ${total}.`);
}

const anchor = (id) => `#${encodeURIComponent(id)}`;

function instanceRow(id) {
  const row = make("details");
  row.dataset.id = id;
  const summary = make("summary");
  const who = make("span", "who");
  who.append(make("span", "name"), make("code", "id", id));
  summary.append(make("span", "status"), who, make("span", "when"));
  row.append(summary, make("div", "course"));
  row.addEventListener("toggle", () => {
    if (row.open) history.replaceState(null, "", anchor(id));
    row.dataset.seen = "";
    refreshCourse(row);
  });
  row.open = location.hash === anchor(id);
  return row;
}

function updateRow(row, instance, now) {
  const status = row.querySelector(".status");
  status.className = `status ${instance.status}`;
  setText(status, instance.status);
  setText(row.querySelector(".name"), instance.name);
  const over = ["Completed", "Failed", "Terminated", "Canceled"].includes(instance.status);
  const took = millis(over ? instance.updated : now) - millis(instance.created);
  setText(row.querySelector(".when"), `${clockTime(instance.created)} · ${duration(Math.max(0, took))}`);
  row.dataset.version = `${instance.updated} ${instance.status}`;
  row.dataset.now = now;
  row.dataset.over = over ? "yes" : "";
  refreshCourse(row);
}

async function refreshCourse(row) {
  // What an open bar shows grows with the time; the rest only changes with the instance.
  const version = row.dataset.over ? row.dataset.version : `${row.dataset.version} ${row.dataset.now}`;
  if (!row.open || row.dataset.seen === version) return;
  row.dataset.seen = version;
  try {
    const course = await fetchJson(`/devhost/timeline/${encodeURIComponent(row.dataset.id)}`);
    row.querySelector(".course").replaceChildren(...drawCourse(course, row.dataset));
  } catch {
    row.dataset.seen = "";
  }
}

function drawCourse(course, { now, over }) {
  const spans = course.spans;
  if (!spans.length) return [make("p", "quiet", "It hasn't begun yet.")];
  const times = spans.flatMap((span) => [span.began, span.ended].filter(Boolean)).map(millis);
  const from = Math.min(...times);
  const until = Math.max(...times, over ? from : millis(now), from + 1);
  const drawn = spans.map((span) => drawSpan(span, from, until));
  if (!over && !spans.some((span) => span.outcome === "open")) {
    drawn.push(make("p", "quiet", "It waits for an event."));
  }
  const texts = make("dl", "texts");
  for (const [name, label] of [["input", "Input"], ["customStatus", "Custom status"], ["output", "Output"]]) {
    if (course[name] !== null) texts.append(make("dt", "", label), make("dd", "mono", readable(course[name])));
  }
  return [...drawn, texts];
}

function readable(text) {
  // An input is JSON in JSON, because the SDK encodes it twice.
  try {
    const value = JSON.parse(text);
    return typeof value === "string" ? value : JSON.stringify(value, null, 1);
  } catch {
    return text;
  }
}

function drawSpan(span, from, until) {
  const row = make("div", "span");
  const label = make("span", "label");
  const name = make(span.what === "orchestration" ? "a" : "span", "", span.name);
  if (name.tagName === "A") name.href = anchor(span.child);
  label.append(make("span", "what", span.what), " ", name);
  label.title = [span.what, span.name, span.child].filter(Boolean).join(" ");
  const moment = span.ended === span.began;
  const began = millis(span.began);
  const ended = span.ended ? millis(span.ended) : span.outcome === "open" ? until : began;
  const bar = make("span", `bar ${moment ? "moment" : span.outcome}`);
  bar.style.left = `${100 * (began - from) / (until - from)}%`;
  if (!moment) bar.style.width = `${Math.max(0, 100 * (ended - began) / (until - from))}%`;
  const track = make("span", "track");
  track.append(bar);
  row.append(label, track, make("span", "took", caption(span, moment, ended - began, began - from)));
  if (span.reason) row.append(make("span", "reason mono", span.reason.slice(0, 300)));
  return row;
}

function caption(span, moment, took, after) {
  if (span.outcome === "dropped") return "not awaited";
  if (span.outcome === "open" && span.due) return `till ${clockTime(span.due).slice(5, 16)}`;
  if (span.outcome === "open") return "under way";
  return moment ? `at ${duration(after)}` : duration(took);
}

function showFunctions(functions) {
  const text = JSON.stringify(functions);
  if (text === shownFunctions) return;
  shownFunctions = text;
  const rows = [];
  const kinds = [...new Set([...Object.keys(KINDS), ...functions.map((each) => each.kind)])];
  for (const kind of kinds) {
    const those = functions.filter((each) => each.kind === kind);
    if (those.length) rows.push(make("p", "kind", KINDS[kind] || kind), ...those.map(functionRow));
  }
  at("functions").replaceChildren(...(rows.length ? rows : [make("p", "function quiet", "The app has none.")]));
}

function functionRow(each) {
  const row = make("div", "function");
  row.append(make("div", "name", each.name));
  if (each.path !== undefined) {
    const how = make("div", "how mono", `${each.methods.join(", ") || "any"} `);
    const plain = !each.path.includes("{") && (!each.methods.length || each.methods.includes("GET"));
    const path = make(plain ? "a" : "span", "", each.path);
    if (plain) path.href = each.path;
    how.append(path);
    row.append(how);
  }
  if (each.schedule !== undefined) {
    const next = each.next ? ` · next ${clockTime(each.next)}` : "";
    row.append(make("div", "how mono", `${each.schedule}${next}`));
  }
  if (each.alias) row.append(make("div", "how mono", `as ${each.alias}`));
  return row;
}

window.addEventListener("hashchange", () => {
  const row = [...at("instances").children].find((each) => anchor(each.dataset.id) === location.hash);
  if (!row) return;
  row.open = true;
  row.scrollIntoView({ block: "center" });
});
document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
look();
