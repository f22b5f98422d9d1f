"use strict";
// The page of `sudoku serve`: the state of a game, drawing, and requests to the server (answers.py).
// Digits and notes are in an SVG of their own above the picture of the layout.

const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

let board = null;      // the server's data of the current puzzle
let filled = [];       // the digit in each cell, 0 for none
let notes = [];        // the set of candidates that the player has written into each cell
let crossed = [];      // the candidates that the player has crossed out: strings "cell:digit"
let chosen = 0;        // the selected cell
let wrong = new Set(); // the cells that a check has found wrong
let step = null;       // the hint that is shown
let past = [], future = [];  // the states for undo and redo
const pending = new Map();   // requests without an answer yet, by kind: { stop, isStale }
const SLOW = 1000;     // milliseconds after which the page offers to stop a request
let boardRequests = 0; // the number of requests for boards so far
let opened = 0;        // the number of the request whose board was opened last

// Sends a request and returns the server's answer; null if the request was stopped. When a request is
// aborted, the server stops working on it.
async function request(kind, more = {}, isStale = () => false) {
  pending.get(kind)?.stop();
  const controller = new AbortController();
  const own = { stop: () => controller.abort(), isStale };
  pending.set(kind, own);
  document.body.classList.toggle("busy", true);
  const slow = setTimeout(() => { byId("slow").hidden = false; }, SLOW);
  try {
    const reply = await fetch("ask", {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ kind, ...more }), signal: controller.signal,
    });
    return reply.ok ? await reply.json() : { error: (await reply.text()).trim() };
  } catch {
    if (controller.signal.aborted) return null;
    return { error: "the server does not answer; is `sudoku serve` still running?" };
  } finally {
    clearTimeout(slow);
    if (pending.get(kind) === own) pending.delete(kind);
    document.body.classList.toggle("busy", pending.size > 0);
    if (!pending.size) byId("slow").hidden = true;
  }
}
function stopStale() {
  for (const { stop, isStale } of pending.values()) if (isStale()) stop();
}
function stopAll() {
  for (const [kind, { stop }] of pending) if (kind !== "offer") stop();  // the page needs its menus
  say("Stopped.");
}
const puzzle = () => ({ puzzle: board.puzzle });
const position = () => ({
  ...puzzle(), filled, removed: crossed.map((pair) => pair.split(":").map(Number)),
});
const written = () => notes.map((set, cell) => filled[cell] ? [] : [...set]);
// Sends a request about `subject()` and returns the answer; null if the subject has changed when the
// answer comes, and after an error, which is shown.
async function requestAbout(subject, kind) {
  const sent = subject(), before = JSON.stringify(sent), isStale = () => JSON.stringify(subject()) !== before;
  const answer = await request(kind, sent, isStale);
  if (!answer || isStale()) return null;
  return answer.error ? say(answer.error, true) : answer;
}
// Requests a board and opens it, unless the board of a later request is open by then.
async function requestBoard(kind, more, refuse) {
  const number = ++boardRequests;
  const answer = await request(kind, more, () => number < opened);
  if (!answer || number < opened) return;
  if (answer.error) return refuse(answer.error);
  opened = number;
  byId("dialog").close();
  open(answer);
}
function say(text, bad = false) {
  byId("say").textContent = text;
  byId("say").classList.toggle("bad", bad);
}

// -- the state -----------------------------------------------------------------------------------

const snapshot = () => ({ board, filled: [...filled], notes: notes.map((set) => new Set(set)), crossed: [...crossed] });
const sameNotes = (set, cell) => set.size === notes[cell].size && [...set].every((digit) => notes[cell].has(digit));
const isNow = (state) => state.board === board && String(state.filled) === String(filled)
  && String(state.crossed) === String(crossed) && state.notes.every(sameNotes);
function restore(state) {
  const other = state.board !== board;
  ({ board, filled, notes, crossed } = state);
  if (other) show();
  settle();
}
// Runs an action, and makes it undoable if it has changed anything.
function change(action) {
  const before = snapshot();
  action();
  if (isNow(before)) return;
  past.push(before);
  future = [];
  settle();
}
// Clears the results for the state before, and draws the new state.
function settle() {
  step = null;
  wrong = new Set();
  byId("apply").disabled = true;
  draw();
  stopStale();
}
function undo() { if (past.length) { future.push(snapshot()); restore(past.pop()); say(""); } }
function redo() { if (future.length) { past.push(snapshot()); restore(future.pop()); say(""); } }

// Shows a new board. Undo brings the board before it back.
function open(answer) {
  if (board) past.push(snapshot());
  future = [];
  board = prepared(answer);
  filled = [...board.filled];
  notes = board.marks.map((digits) => new Set(digits));
  crossed = [];
  show();
  say(board.say);
  settle();
}
// The server's data of a board with two indexes: the peers of each cell, and the cell at a place.
function prepared(answer) {
  const peers = answer.cells.map(() => new Set());
  for (const house of answer.houses) for (const a of house) for (const b of house) if (a !== b) peers[a].add(b);
  const at = new Map(answer.cells.map(([row, column], cell) => [row + "," + column, cell]));
  return { ...answer, peers, at };
}
// Draws the parts of the page that stay the same while a board is played.
function show() {
  chosen = Math.max(0, filled.indexOf(0));
  const parsed = new DOMParser().parseFromString(board.ground, "image/svg+xml").documentElement;
  byId("ground").replaceChildren(document.importNode(parsed, true));
  byId("pieces").setAttribute("viewBox", parsed.getAttribute("viewBox"));
  byId("about").textContent = [board.title, board.name].filter(Boolean).join(", ");
  byId("rate").disabled = !board.hints;
  fillPad();
  fillGrid();
}

// -- session storage -----------------------------------------------------------------------------

// Saves the game with its undo states, so that reloading the page restores it; each board once.
function saveGame() {
  if (!board) return;
  const boards = [];
  const packed = (state) => {
    if (!boards.includes(state.board)) boards.push(state.board);
    return { ...state, board: boards.indexOf(state.board), notes: state.notes.map((set) => [...set]) };
  };
  for (const [before, after] of [[past, future], [[], []]]) {  // without undo if it is too large
    boards.length = 0;
    const game = { past: before.map(packed), now: packed(snapshot()), future: after.map(packed), chosen };
    try {
      return sessionStorage.setItem("game", JSON.stringify({ ...game, boards: boards.map(({ peers, at, ...rest }) => rest) }));
    } catch { /* the storage is full, or disabled */ }
  }
}
// Restores the saved game; returns whether there was one.
function restoreGame() {
  try {
    const game = JSON.parse(sessionStorage.getItem("game"));
    if (!game) return false;
    const boards = game.boards.map(prepared);
    const unpacked = (state) => ({ ...state, board: boards[state.board], notes: state.notes.map((digits) => new Set(digits)) });
    past = game.past.map(unpacked);
    future = game.future.map(unpacked);
    restore(unpacked(game.now));
    chosen = game.chosen;
    draw();
    return true;
  } catch {  // saved by another version of the page, for example
    board = null;
    past = [];
    future = [];
    return false;
  }
}

function put(digit) {
  if (!board || board.givens[chosen] || digit > board.symbols.length) return;
  change(() => {
    if (byId("notes").getAttribute("aria-pressed") === "true" && digit) {
      if (filled[chosen]) return;
      const set = notes[chosen];
      if (!set.delete(digit)) set.add(digit);
      return;
    }
    filled[chosen] = filled[chosen] === digit ? 0 : digit;
    if (!digit) notes[chosen].clear();
    if (filled[chosen]) for (const peer of board.peers[chosen]) notes[peer].delete(digit);
  });
  say("");
  if (!filled.includes(0)) check();
}
function doStep() {
  const now = step;
  if (!now) return;
  change(() => {
    for (const [cell, digit] of now.place) {
      filled[cell] = digit;
      for (const peer of board.peers[cell]) notes[peer].delete(digit);
    }
    for (const [cell, digit] of now.remove) {
      crossed.push(cell + ":" + digit);
      notes[cell].delete(digit);
    }
  });
  say("Done: " + now.say);
  if (!filled.includes(0)) check();
}

// -- drawing -------------------------------------------------------------------------------------

function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
}
function draw() {
  if (!board) return;
  const pieces = byId("pieces"), size = board.cell;
  pieces.replaceChildren();
  const clashing = duplicates();
  board.cells.forEach(([, , x, y], cell) => {
    const kind = cell === chosen ? "chosen"
      : step && step.cells.includes(cell) ? "hint"
      : clashing.has(cell) ? "clash"
      : filled[chosen] && filled[cell] === filled[chosen] ? "same"
      : board.peers[chosen].has(cell) ? "near" : "";
    if (kind) add(pieces, "rect", { class: kind, x, y, width: size, height: size });
  });
  const [, , x0, y0] = board.cells[0];
  const place = (cell, digit) => {
    const [, , x, y] = board.cells[cell], [a, b] = board.small[digit - 1];
    return [x + a - x0, y + b - y0];
  };
  const shown = notes.map((set, cell) => filled[cell] ? new Set() : new Set(set));
  if (step) {
    const discs = [
      ...step.marks.map(([cell, digit, role]) => [cell, digit, OTHER_SIDE.has(role) ? "other" : "base"]),
      ...step.place.map(([cell, digit]) => [cell, digit, "place"]),
      ...step.remove.map(([cell, digit]) => [cell, digit, "remove"]),
    ];
    for (const [cell, digit, kind] of discs) {
      if (filled[cell]) continue;
      shown[cell].add(digit);
      const [cx, cy] = place(cell, digit);
      add(pieces, "circle", { class: kind, cx, cy, r: board.figure * 0.64 });
    }
  }
  board.cells.forEach(([, , x, y], cell) => {
    const digit = filled[cell];
    if (digit) {
      const kind = board.givens[cell] ? "given" : wrong.has(cell) ? "wrong" : "filled";
      add(pieces, "text", { class: kind, x: x + size / 2, y: y + size / 2 + 1, "font-size": 26 }, board.symbols[digit - 1]);
    }
    for (const note of shown[cell]) {
      const [a, b] = place(cell, note);
      add(pieces, "text", { class: "note", x: a, y: b, "font-size": board.figure }, board.symbols[note - 1]);
    }
  });
  for (const [d, strong] of step ? step.links : []) add(pieces, "path", { class: strong ? "strong" : "weak", d });
  // Strikes removed candidates through, for players that cannot see the red.
  for (const [cell, digit] of step ? step.remove : []) {
    const [x, y] = place(cell, digit), half = board.figure / 2;
    add(pieces, "path", { class: "strike", d: `M${x - half} ${y + half * 0.8}L${x + half} ${y - half * 0.8}` });
  }
  byId("undo").disabled = !past.length;
  byId("redo").disabled = !future.length;
  describeCells(clashing);
  countDigits();
}
// Makes the rows and cells that screen readers read.
function fillGrid() {
  const rows = new Map();
  board.cells.forEach(([row, column], cell) => {
    if (!rows.has(row)) rows.set(row, part("row", { "aria-rowindex": row }));
    rows.get(row).append(part("gridcell", { id: "cell" + cell, "aria-colindex": column }));
  });
  byId("cells").replaceChildren(...rows.values());
}
function part(role, attributes) {
  const element = document.createElement("div");
  for (const [key, value] of Object.entries({ role, ...attributes })) element.setAttribute(key, value);
  return element;
}
// Describes each cell for screen readers.
function describeCells(clashing) {
  board.cells.forEach(([row, column], cell) => {
    const digit = filled[cell], symbols = [...notes[cell]].sort((a, b) => a - b).map((one) => board.symbols[one - 1]);
    const said = [
      `row ${row}, column ${column}`,
      digit ? board.symbols[digit - 1] : symbols.length ? "notes " + symbols.join(" ") : "empty",
      board.givens[cell] ? "given" : "", wrong.has(cell) ? "wrong" : "",
      clashing.has(cell) ? "twice in a house" : "", step && step.cells.includes(cell) ? "in the hint" : "",
    ].filter(Boolean).join(", ");
    const element = byId("cell" + cell);
    if (element.textContent !== said) element.textContent = said;
    if (cell === chosen) element.setAttribute("aria-selected", "true"); else element.removeAttribute("aria-selected");
  });
  byId("board").setAttribute("aria-activedescendant", "cell" + chosen);
}
const OTHER_SIDE = new Set(["fin", "off", "b", "d"]);  // roles of marks, as in drawing/steps.py
// The cells whose digit occurs twice in a house.
function duplicates() {
  const found = new Set();
  filled.forEach((digit, cell) => {
    if (digit) for (const peer of board.peers[cell]) if (filled[peer] === digit) found.add(cell);
  });
  return found;
}
function fillPad() {
  byId("pad").classList.toggle("nine", board.symbols.length === 9);
  byId("pad").replaceChildren(...[...board.symbols].map((symbol, place) => {
    const button = document.createElement("button");
    button.textContent = symbol;
    button.addEventListener("click", () => put(place + 1));
    return button;
  }));
}
function countDigits() {
  const wanted = Math.floor(board.cells.length / board.symbols.length);
  [...byId("pad").children].forEach((button, place) => {
    button.classList.toggle("done", filled.filter((digit) => digit === place + 1).length >= wanted);
  });
}

// -- requests to the server ----------------------------------------------------------------------

async function check() {
  const answer = await requestAbout(position, "check");
  if (!answer) return;
  settle();
  wrong = new Set(answer.wrong);
  draw();
  say(answer.say, answer.wrong.length > 0);
}
async function hint() {
  const answer = await requestAbout(position, "hint");
  if (!answer) return;
  wrong = new Set(answer.wrong);
  step = answer.cells ? answer : null;
  byId("apply").disabled = !step || !(step.place.length || step.remove.length);
  draw();
  say(answer.say, answer.wrong.length > 0);
}
async function solve() {
  const answer = await requestAbout(position, "solve");
  if (!answer) return;
  change(() => { filled = [...answer.filled]; });
  say(answer.say || "This is the solution.");
}
async function writeCandidates() {
  const answer = await requestAbout(position, "candidates");
  if (!answer) return;
  const out = new Set(crossed);
  change(() => {
    notes = answer.candidates.map((digits, cell) => new Set(digits.filter((digit) => !out.has(cell + ":" + digit))));
  });
}
async function rate() {
  const answer = await requestAbout(puzzle, "rate");
  if (answer) say(answer.say);
}
// Saves the state at the time of the click, even if it changes before the answer comes.
async function save(event) {
  event.preventDefault();
  const answer = await request("export", { ...position(), marks: written(), format: byId("format").value });
  if (!answer) return;
  if (answer.error) return say(answer.error, true);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([answer.text], { type: "text/plain" }));
  link.download = answer.name;
  link.click();
  URL.revokeObjectURL(link.href);
  say(answer.say);
}
async function make(event) {
  event?.preventDefault();
  say("Making a puzzle\u2026");
  await requestBoard("new", { layout: byId("layout").value, difficulty: byId("band").value }, (error) => say(error, true));
}
// Makes the digits filled in the givens, for entering a puzzle digit by digit.
async function fix() {
  await requestBoard("fix", { ...position(), marks: written() }, (error) => say(error, true));
}
async function read(text, layout = "") {
  await requestBoard("open", { text, layout }, (error) => {
    byId("refused").textContent = error;
    if (!byId("dialog").open) say(error, true);
  });
}
function enter() {
  byId("refused").textContent = "";
  byId("dialog").showModal();
  byId("text").select();
}

// -- mouse, touch, keys --------------------------------------------------------------------------

byId("board").addEventListener("pointerdown", (event) => {
  if (!board) return;
  const ground = byId("pieces").getBoundingClientRect();
  const scale = byId("pieces").viewBox.baseVal.width / ground.width;
  const x = (event.clientX - ground.left) * scale, y = (event.clientY - ground.top) * scale;
  const hit = board.cells.findIndex(([, , left, top]) =>
    x >= left && x < left + board.cell && y >= top && y < top + board.cell);
  if (hit >= 0) { chosen = hit; draw(); }
});
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
function move([down, right]) {
  let [row, column] = board.cells[chosen];
  for (let tries = 0; tries < 30; tries += 1) {  // skips gaps between grids
    row += down; column += right;
    const cell = board.at.get(row + "," + column);
    if (cell !== undefined) { chosen = cell; return draw(); }
  }
}
document.addEventListener("keydown", (event) => {
  if (byId("dialog").open || !board || event.target.closest("select, textarea, input")) return;
  const key = event.key;
  if (event.ctrlKey || event.metaKey) {
    const letter = key.toLowerCase();
    if (letter === "z" && !event.shiftKey) { event.preventDefault(); undo(); }
    else if (letter === "y" || letter === "z") { event.preventDefault(); redo(); }
    return;
  }
  if (event.altKey) return;
  const letter = board.symbols.indexOf(key.toUpperCase());
  if (key in MOVES) { event.preventDefault(); move(MOVES[key]); }
  else if (["Delete", "Backspace", "."].includes(key) || (key === " " && event.target.tagName !== "BUTTON")) { event.preventDefault(); put(0); }
  else if (key.length === 1 && letter >= 0) put(letter + 1);
  else if (key === "n" || key === "N") byId("notes").click();
  else if (key === "h" || key === "H") hint();
  else if (key === "c" || key === "C") check();
  else if (key === "Escape" && pending.size) stopAll();
  else if (key === "Enter" && step && event.target.tagName !== "BUTTON") doStep();
});
document.addEventListener("paste", (event) => {
  if (event.target.closest("textarea, input")) return;
  event.preventDefault();
  read(event.clipboardData.getData("text"));
});
byId("notes").addEventListener("click", (event) => {
  const button = event.currentTarget;
  button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
});
for (const [id, action] of Object.entries({
  apply: doStep, erase: () => put(0), undo, redo, hint, check, candidates: writeCandidates, rate, solve, fix, enter,
  print: () => window.print(), stop: stopAll,
  reset: () => { change(() => { filled = [...board.givens]; notes.forEach((set) => set.clear()); crossed = []; }); say(""); },
})) byId(id).addEventListener("click", () => { if (board || id === "enter" || id === "stop") action(); });
byId("new").addEventListener("submit", make);
byId("export").addEventListener("submit", save);
byId("read").addEventListener("click", (event) => { event.preventDefault(); read(byId("text").value, byId("as").value); });

async function begin() {
  const offer = await request("offer");
  if (!offer) return;
  if (offer.error) return say(offer.error, true);
  const options = (list, id) => byId(id).append(...list.map((value) => new Option(offer.known[value] ?? value, value)));
  options(offer.layouts, "layout");
  options(offer.layouts, "as");
  options(offer.bands, "band");
  options(offer.formats, "format");
  byId("layout").addEventListener("change", () => {
    byId("band").disabled = !offer.rated.includes(byId("layout").value);
    if (byId("band").disabled) byId("band").value = "";
  });
  if (!restoreGame()) await make();
}
window.addEventListener("pagehide", saveGame);
document.addEventListener("visibilitychange", () => { if (document.hidden) saveGame(); });
begin();
