// Mouse, touch and keys on the board: selection, zoom, digits.

import { equalCells, erase, events, game, on, put, redo, select, setMode, undo } from "./game.js";
import { byId } from "./requests.js";
import { settings } from "./settings.js";
import { magnification, pan, pointAt, reveal, zoom } from "./view.js";

const MODES = ["digit", "corner", "center", "colors"];
const MODE_KEYS = { z: "digit", x: "corner", c: "center", v: "colors" };
const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const LARGE = 12;         // more columns than this: the wheel zooms
const DOUBLE = 400;       // milliseconds between the clicks of a double click

export const input = {
  held: 0,                // the digit picked in digit-first entry
  actions: {},            // what letters do, by letter: set by the page
  afterPut: () => {},     // runs after each digit
  blocked: () => false,   // whether the board takes no input now
};

// Writes a digit as the player wants it written: into the selected cells, or it is picked.
export function enter(digit, mode = game.mode) {
  if (settings.digitFirst && mode === game.mode) {
    input.held = input.held === digit ? 0 : digit;
    return events.dispatchEvent(new Event("select"));
  }
  put(digit, mode);
  input.afterPut();
}
export function empty() {
  erase();
  input.afterPut();
}
export function nextMode(by = 1) { setMode(MODES[(MODES.indexOf(game.mode) + by + MODES.length) % MODES.length]); }
on("board", () => { input.held = 0; });

// -- pointers ------------------------------------------------------------------------------------

const pointers = new Map();  // the pointers that are down: their positions on the screen
let drag = null;             // { adds, last, before }: a selection by dragging
let pinch = null;            // the distance and the middle of two fingers
let lastClick = { cell: -1, time: -Infinity };

function cellAt([x, y], inner = false) {
  const size = game.board.cell;
  return game.board.cells.findIndex(([, , left, top]) => {
    if (inner) return Math.hypot(x - left - size / 2, y - top - size / 2) < size * 0.45;  // leaves room for diagonals
    return x >= left && x < left + size && y >= top && y < top + size;
  });
}
const fingers = () => {
  const [a, b] = [...pointers.values()];
  return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
};
byId("board").addEventListener("pointerdown", (event) => {
  if (!game.board || input.blocked()) return;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  byId("board").setPointerCapture(event.pointerId);
  if (pointers.size === 2) {
    if (drag?.before) select(drag.before, [...drag.before].at(-1));
    drag = null;
    pinch = fingers();
    return;
  }
  if (event.button === 1 || (byId("move").getAttribute("aria-pressed") === "true" && magnification() > 1)) {
    event.preventDefault();
    drag = { pans: true, x: event.clientX, y: event.clientY };
    return;
  }
  if (event.button !== 0) return;
  const point = pointAt(event.clientX, event.clientY), cell = cellAt(point);
  if (cell < 0) return;
  const several = event.ctrlKey || event.metaKey || event.shiftKey;
  const twice = lastClick.cell === cell && event.timeStamp - lastClick.time < DOUBLE;
  lastClick = { cell, time: event.timeStamp };
  const before = new Set(game.selected);
  if (settings.digitFirst && !several) {
    select([cell]);
    if (!input.held && game.filled[cell]) input.held = game.filled[cell];
    else if (input.held) { put(input.held, game.mode, [cell]); input.afterPut(); }
    events.dispatchEvent(new Event("select"));
    return;
  }
  if (twice) return select(several ? [...before, ...equalCells(cell)] : equalCells(cell), cell);
  const adds = !several || !before.has(cell) || before.size === 1;
  drag = { adds, last: point, before };
  if (!several) select([cell]);
  else take(cell);
});
function take(cell) {
  const cells = new Set(game.selected);
  if (drag.adds) { cells.delete(cell); cells.add(cell); } else if (cells.size > 1) cells.delete(cell);
  select(cells, drag.adds ? cell : [...cells].at(-1));
}
byId("board").addEventListener("pointermove", (event) => {
  if (!pointers.has(event.pointerId)) return;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (pinch && pointers.size === 2) {
    const now = fingers();
    pan(now.x - pinch.x, now.y - pinch.y);
    zoom(now.distance / Math.max(pinch.distance, 1), pointAt(now.x, now.y));
    pinch = now;
  } else if (drag?.pans) {
    pan(event.clientX - drag.x, event.clientY - drag.y);
    Object.assign(drag, { x: event.clientX, y: event.clientY });
  } else if (drag) {
    const point = pointAt(event.clientX, event.clientY), [x0, y0] = drag.last;
    const steps = Math.ceil(Math.hypot(point[0] - x0, point[1] - y0) / (game.board.cell / 4));
    for (let step = 1; step <= steps; step += 1) {  // a fast pointer passes cells between two events
      const part = step / steps, cell = cellAt([x0 + (point[0] - x0) * part, y0 + (point[1] - y0) * part], true);
      if (cell >= 0 && cell !== lastClick.cell) lastClick.cell = -1;  // this is not a click
      if (cell >= 0 && cell !== game.cursor && game.selected.has(cell) !== drag.adds) take(cell);
    }
    drag.last = point;
  }
});
for (const end of ["pointerup", "pointercancel"]) {
  byId("board").addEventListener(end, (event) => {
    pointers.delete(event.pointerId);
    if (pointers.size < 2) pinch = null;
    drag = null;
  });
}
// A screen reader clicks without a pointer.
byId("cells").addEventListener("click", (event) => {
  const cell = Number(event.target.id.slice("cell".length));
  if (event.detail === 0 && event.target.id && !input.blocked()) select([cell]);
});
byId("board").addEventListener("wheel", (event) => {
  if (!game.board || !(event.ctrlKey || game.board.cells.at(-1)[1] > LARGE || magnification() > 1)) return;
  event.preventDefault();
  zoom(Math.exp(-Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 60) / 250), pointAt(event.clientX, event.clientY));
}, { passive: false });

// -- keys ----------------------------------------------------------------------------------------

function move([down, right], event) {
  const { cells, at } = game.board;
  let [row, column] = cells[game.cursor];
  for (let tries = 0; tries < 30; tries += 1) {  // skips gaps between grids
    row += down; column += right;
    const cell = at.get(row + "," + column);
    if (cell === undefined) continue;
    const kept = event.shiftKey || event.ctrlKey || event.metaKey ? [...game.selected].filter((one) => one !== cell) : [];
    select([...kept, cell]);
    const [, , x, y] = cells[cell];
    return reveal(x, y, game.board.cell);
  }
}
// The first or last cell of the cursor's row; with Ctrl of the board.
function moveToEnd(last, all) {
  const { cells } = game.board, row = cells[game.cursor][0];
  const found = [...cells.keys()].filter((cell) => all || cells[cell][0] === row);
  const cell = last ? found.at(-1) : found[0];
  select([cell]);
  reveal(cells[cell][2], cells[cell][3], game.board.cell);
}
// The digit of a key; with Shift or Ctrl by the key's place, since its character is another.
function digitOf(event) {
  const { symbols } = game.board;
  const found = /^(?:Digit|Numpad)([0-9])$/.exec(event.code);
  if (found && (event.ctrlKey || event.metaKey || event.shiftKey)) return symbols.indexOf(found[1]) + 1;
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return 0;
  return symbols.indexOf(event.key.toUpperCase()) + 1;
}
document.addEventListener("keydown", (event) => {
  if (!["Alt", "Control", "Meta", "Shift"].includes(event.key)) lastClick.cell = -1;  // clicks with a key between are no double click
  if (document.querySelector("dialog[open]") || !game.board || event.target.closest("select, textarea, input")) return;
  if (event.altKey) return;
  const key = event.key, letter = key.toLowerCase(), onButton = event.target.closest("button, summary, a");
  const several = event.ctrlKey || event.metaKey, action = input.actions[letter];
  const run = (act) => { event.preventDefault(); act(); };
  if (input.blocked()) {
    if (letter === "p" && !several) run(input.actions.p);
    return;
  }
  const digit = digitOf(event);
  if (key in MOVES) run(() => move(MOVES[key], event));
  else if (key === "Home" || key === "End") run(() => moveToEnd(key === "End", several));
  else if (digit && several) run(() => enter(digit, event.shiftKey ? "colors" : "center"));
  else if (digit && event.shiftKey && !/[a-z]/i.test(key)) run(() => enter(digit, "corner"));
  else if (several && letter === "z" && !event.shiftKey) run(undo);
  else if (several && (letter === "y" || letter === "z")) run(redo);
  else if (several && letter === "a") run(() => select([...game.filled.keys()], game.cursor));
  else if (several) return;
  else if (["Delete", "Backspace", "."].includes(key) || (key === "0" && !digit)) run(empty);
  else if (digit || (game.mode === "colors" && /^[1-9]$/.test(key))) run(() => enter(digit || Number(key)));
  else if (key === " " && !onButton) run(() => nextMode(event.shiftKey ? -1 : 1));
  else if (key === "Tab" && settings.tab && event.target === byId("board")) run(() => nextMode(event.shiftKey ? -1 : 1));
  else if (letter in MODE_KEYS) run(() => setMode(MODE_KEYS[letter]));
  else if (letter === "n") run(() => setMode(game.mode === "center" ? "digit" : "center"));
  else if (key === "Escape") run(input.actions.escape);
  else if (key === "Enter" && !onButton) run(input.actions.enter);
  else if (action) run(action);
});
