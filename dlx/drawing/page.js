"use strict";
// Replays the events of a recorded search (dlx/drawing/recording.py) on a copy of its links, forwards
// and backwards, and draws the current links. trace_page.py inserts `data`.
const data = $data;

const byId = (id) => document.getElementById(id);
const items = data.items;
const width = 58, height = 44, left = 150, top_ = 76, box = 15;
const x = (column) => left + width * (column + 1);
const y = (row) => top_ + height * (row + 1);

// Nodes: the headers, then the entries; a node is drawn at its `column` and `row`.
const nodes = items.map((item, column) => ({ column, row: -1, text: item.name, header: true }));
data.options.forEach((option, row) => {
  option.entries.forEach(([item, color]) =>
    nodes.push({ column: item, row, text: color ?? "", header: false }));
});
const root = nodes.length;
const up = [], down = [], before = [], after = [];
const present = nodes.map(() => true), purified = nodes.map(() => false);
items.forEach((_, column) => { up[column] = down[column] = column; before[column] = after[column] = column; });
before[root] = after[root] = root;
items.forEach((item, column) => {
  if (!item.primary) return;
  before[column] = before[root]; after[column] = root;
  after[before[root]] = column; before[root] = column;
});
nodes.forEach((node, number) => {
  if (node.header) return;
  up[number] = up[node.column]; down[number] = node.column;
  down[up[node.column]] = number; up[node.column] = number;
});

const LEAVE = 0, RETURN = 1, CLOSE = 2, REOPEN = 3, PURIFY = 4;
function apply(operation, node) {
  if (operation === LEAVE) { down[up[node]] = down[node]; up[down[node]] = up[node]; present[node] = false; }
  else if (operation === RETURN) { down[up[node]] = node; up[down[node]] = node; present[node] = true; }
  else if (operation === CLOSE) { after[before[node]] = after[node]; before[after[node]] = before[node]; present[node] = false; }
  else if (operation === REOPEN) { after[before[node]] = node; before[after[node]] = node; present[node] = true; }
  else purified[node] = operation === PURIFY;
}

let at = 0;      // the number of events that have been replayed
let step = 0;    // the number of steps before the current one
let shown = 0;   // the number of the step whose text is shown
let changed = new Map();  // the nodes that the current step has changed: "leave" or "return"
const ends = data.steps.map((one) => one.events);
function play(target) {
  while (at < target) { apply(data.events[2 * at], data.events[2 * at + 1]); at += 1; }
  while (at > target) { at -= 1; apply(data.events[2 * at] ^ 1, data.events[2 * at + 1]); }
}
// The changes of the current step, from its first link to the last one replayed.
function note() {
  changed = new Map();
  for (let event = step > 0 ? ends[step - 1] : 0; event < at; event += 1) {
    changed.set(data.events[2 * event + 1], data.events[2 * event] % 2 ? "return" : "leave");
  }
}
function goToStep(wanted) {
  const number = Math.max(0, Math.min(ends.length, wanted));
  play(number > 0 ? ends[number - 1] : 0);
  step = Math.max(0, number - 1);
  note();
  shown = number;
  draw();
}
function goByLink(by) {
  const target = Math.max(0, Math.min(data.events.length / 2, at + by));
  play(target);
  shown = 0;
  while (shown < ends.length && ends[shown] <= at) shown += 1;
  const whole = shown > 0 && ends[shown - 1] === at;
  step = whole ? shown - 1 : shown;
  note();
  draw();
}

const SVG = "http://www.w3.org/2000/svg";
function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
}
const short = (text, most) => text.length > most ? text.slice(0, most - 1) + "\u2026" : text;

// Draws the link from one node of a list to the next; it bends around removed nodes between them.
function link(parent, a, b, vertical, passes, kind) {
  const bend = passes ? (vertical ? 29 : 38) : 0;
  const path = vertical
    ? `M${x(a.column)} ${y(a.row) + box} C${x(a.column) + bend} ${y(a.row) + box + 14} ${x(b.column) + bend} ${y(b.row) - box - 14} ${x(b.column)} ${y(b.row) - box}`
    : `M${a.x} ${y(-1)} C${a.x + 14} ${y(-1) - bend} ${b.x - 14} ${y(-1) - bend} ${b.x} ${y(-1)}`;
  add(parent, "path", { d: path, class: kind });
}

function draw() {
  const picture = byId("picture");
  picture.replaceChildren();
  const rows = data.options.length, columns = items.length;
  picture.setAttribute("width", x(columns) + 30);
  picture.setAttribute("height", y(rows) + 6);
  picture.setAttribute("viewBox", `0 0 ${x(columns) + 30} ${y(rows) + 6}`);
  const current = shown > 0 ? data.steps[shown - 1] : null;
  const taken = new Set(current ? current.taken : []);
  data.options.forEach((option, row) => {
    if (taken.has(row)) add(picture, "rect", { class: "band", x: 6, y: y(row) - 19, width: x(columns) + 12, height: 38, rx: 8 });
    const places = option.entries.map(([item]) => item);
    const from = Math.min(...places), to = Math.max(...places);
    add(picture, "line", { class: "row", x1: x(from) - 26, x2: x(to) + 26, y1: y(row), y2: y(row) });
    const label = add(picture, "text", { class: "label", x: left - 4, y: y(row) }, short(option.full, 20));
    add(label, "title", {}, option.full);
  });
  drawHeaders(picture);
  drawLists(picture, rows);
  nodes.forEach((node, number) => drawNode(picture, node, number, taken));
  picture.querySelector(".leave, .return")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  showText(current);
}
// The classes of a link between two nodes if the current step has restored it.
function restoredClass(first, second) {
  return (changed.get(first) ?? changed.get(second)) === "return" ? " new return" : "";
}
function drawHeaders(picture) {
  const place = (number) => number === root ? left + 6 : x(nodes[number].column);
  let number = root, column = -1;
  do {
    const next = after[number];
    const to = next === root ? x(items.length) - 10 : place(next) - box - 3;
    const from = number === root ? left + 30 : place(number) + box + 3;
    const reached = next === root ? items.length : nodes[next].column;
    const passes = reached - column > 1;
    let kind = restoredClass(number, next);
    for (let passed = column + 1; passed < reached; passed += 1) if (changed.get(passed) === "leave") kind = " new leave";
    link(picture, { x: from }, { x: to }, false, passes, "list" + kind);
    number = next; column = reached;
  } while (number !== root);
  const group = add(picture, "g", { class: "header" });
  add(group, "rect", { x: left - 22, y: y(-1) - box, width: 50, height: 2 * box, rx: 5 });
  add(group, "text", { x: left + 3, y: y(-1) }, "root");
}
function drawLists(picture, rows) {
  nodes.forEach((node, number) => {
    if (present[number] || node.header) return;
    for (const other of [up[number], down[number]]) {  // its own, unchanged links
      const a = nodes[other];
      if (other === down[number] && a.header) continue;
      const [high, low] = a.row < node.row ? [a, node] : [node, a];
      link(picture, high, low, true, false, "own");
    }
  });
  items.forEach((_, column) => {
    let number = column;
    do {
      const next = down[number];
      const a = nodes[number], b = nodes[next].header ? { column, row: rows } : nodes[next];
      let passes = false, kind = restoredClass(number, next);
      nodes.forEach((between, other) => {
        if (between.column !== column || between.row <= a.row || between.row >= b.row) return;
        passes = true;
        if (changed.get(other) === "leave") kind = " new leave";
      });
      link(picture, a, b, true, passes, "list" + kind);
      number = next;
    } while (number !== column);
    let length = 0;
    for (let entry = down[column]; entry !== column; entry = down[entry]) length += 1;
    add(picture, "text", { class: "dim", x: x(column), y: y(-1) - 42 }, String(length));
  });
}
function drawNode(picture, node, number, taken) {
  const classes = [node.header ? "header" : "entry"];
  if (!present[number]) classes.push("gone");
  if (purified[number]) classes.push("purified");
  if (taken.has(node.row)) classes.push("taken");
  if (changed.has(number)) classes.push(changed.get(number));
  const group = add(picture, "g", { class: classes.join(" ") });
  const half = node.header ? 24 : box;
  add(group, "rect", { x: x(node.column) - half, y: y(node.row) - box, width: 2 * half, height: 2 * box, rx: 5 });
  const words = node.header ? node.text : node.text || items[node.column].name;
  add(group, "text", { x: x(node.column), y: y(node.row) }, short(words, node.header ? 6 : 4));
  add(group, "title", {}, node.header ? node.text : items[node.column].name + (node.text ? ":" + node.text : ""));
}

const OPERATIONS = [
  "leaves its list: its neighbors are linked past it", "returns to its list",
  "leaves the list of open items", "returns to the list of open items",
  "is marked as having the item's color", "gets its color back",
];
function nameOf(number) {
  const node = nodes[number];
  if (node.header) return "item " + node.text;
  return `option ${data.options[node.row].name}, in ${items[node.column].name},`;
}
function fill(list, lines) {
  list.replaceChildren(...lines.map((line) => {
    const entry = document.createElement("li");
    entry.textContent = line;
    return entry;
  }));
}
function showText(current) {
  const inside = at !== (shown > 0 ? ends[shown - 1] : 0);
  const coming = inside ? data.steps[shown] : null;
  byId("step").textContent = coming ? "Next step: " + coming.text
    : current ? current.text : "The matrix before the first step. Press Next.";
  byId("link").textContent = at > 0 && inside
    ? nameOf(data.events[2 * at - 1]) + " " + OPERATIONS[data.events[2 * at - 2]] : "";
  fill(byId("taken"), (current ? current.taken : []).map((row) => data.options[row].full));
  const found = data.steps.slice(0, shown).filter((one) => one.kind === "solution");
  fill(byId("solutions"), found.map((one) => one.taken.map((row) => data.options[row].name).join(", ") || "(no option)"));
  byId("slider").value = shown;
  const end = shown === ends.length ? (data.complete ? ", the end" : ", cut here") : "";
  byId("where").textContent = `step ${shown} of ${ends.length}${end}`;
  byId("first").disabled = byId("back").disabled = byId("link-back").disabled = at === 0 && shown === 0;
  byId("next").disabled = byId("last").disabled = byId("link-next").disabled = shown === ends.length;
}

let timer = null;
function pause() {
  clearInterval(timer);
  timer = null;
  byId("play").setAttribute("aria-pressed", "false");
}
function toggle() {
  if (timer !== null) return pause();
  if (shown === ends.length) goToStep(0);
  byId("play").setAttribute("aria-pressed", "true");
  timer = setInterval(() => { goToStep(shown + 1); if (shown === ends.length) pause(); }, 900);
}
function back() {
  const inside = at !== (shown > 0 ? ends[shown - 1] : 0);
  goToStep(inside ? shown : shown - 1);
}
const actions = {
  first: () => goToStep(0), back, next: () => goToStep(shown + 1), last: () => goToStep(ends.length),
  "link-back": () => goByLink(-1), "link-next": () => goByLink(1),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => { pause(); action(); });
byId("play").addEventListener("click", toggle);
byId("slider").max = ends.length;
byId("slider").addEventListener("input", (event) => { pause(); goToStep(Number(event.target.value)); });
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.id === "slider") return;
  const keys = {
    ArrowRight: event.shiftKey ? "link-next" : "next", ArrowLeft: event.shiftKey ? "link-back" : "back",
    Home: "first", End: "last",
  };
  if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); toggle(); }
  if (event.key in keys) { event.preventDefault(); pause(); actions[keys[event.key]](); }
});
draw();
