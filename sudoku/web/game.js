// The state of a game: the board, what the player has written, undo and redo, autosave. No drawing.

import { keepGame } from "./saved.js";
import { hasStored, settings, stored } from "./settings.js";

const KEY = "sudoku.game";
const VERSION = 2;
const MOST_STATES = 400;  // of undo and redo that are saved

export const KINDS = ["corner", "center", "colors"];
export const COLORS = 9;

export const game = {
  board: null,         // the server's data of the current puzzle
  filled: [],          // the digit in each cell, 0 for none
  corner: [],          // the set of corner notes of each cell
  center: [],          // the set of center notes of each cell: the candidates of the player
  colors: [],          // the set of colors of each cell
  crossed: [],         // the candidates that are crossed out: strings "cell:digit"
  full: false,         // whether the page has written the candidates of all cells
  selected: new Set(), // the selected cells, never empty while there is a board
  cursor: 0,           // the cell selected last
  mode: "digit",       // what digits write: digit, corner, center, colors
  wrong: new Set(),    // the cells that a check has found wrong
  broken: [],          // violations of rules that the server has found: lists of cells
  found: null,         // for each cell its digits in solutions, while rules are drawn
  step: null,          // the hint that is shown
  frame: null,         // the part of it that is drawn
  past: [], future: [],
};

// "board" after a new board, "settle" after each change of the position, "select" after a selection.
export const events = new EventTarget();
const tell = (name) => events.dispatchEvent(new Event(name));
export const on = (name, action) => events.addEventListener(name, action);

// -- undo ----------------------------------------------------------------------------------------

const copied = (sets) => sets.map((set) => new Set(set));
const STATE = ["board", "filled", "crossed", "full", ...KINDS];
const snapshot = () => ({
  board: game.board, filled: [...game.filled], crossed: [...game.crossed], full: game.full,
  corner: copied(game.corner), center: copied(game.center), colors: copied(game.colors),
});
const text = (sets) => sets.map((set) => [...set].sort((a, b) => a - b).join()).join(";");
const isNow = (state) => state.board === game.board && String(state.filled) === String(game.filled)
  && String(state.crossed) === String(game.crossed) && state.full === game.full
  && KINDS.every((kind) => text(state[kind]) === text(game[kind]));

function restore(state) {
  const other = state.board !== game.board;
  if (other) saveChanges();
  for (const name of STATE) game[name] = state[name];
  if (other) show();
  settle();
}
// Runs an action, and makes it undoable if it has changed anything; returns whether it has.
export function change(action) {
  const before = snapshot();
  action();
  if (isNow(before)) return false;
  game.past.push(before);
  game.future = [];
  game.board.touched = true;
  settle();
  return true;
}
// Clears the results for the state before.
function settle() {
  game.step = game.frame = null;
  game.wrong = new Set();
  game.broken = [];
  game.found = null;
  tell("settle");
  saveSoon();
}
function show() {
  game.cursor = Math.max(0, game.filled.indexOf(0));
  game.selected = new Set([game.cursor]);
  tell("board");
}
export function undo() {
  if (!game.past.length) return;
  game.future.push(snapshot());
  restore(game.past.pop());
}
export function redo() {
  if (!game.future.length) return;
  game.past.push(snapshot());
  restore(game.future.pop());
}
// Shows a new board, or the same one with other rules. Undo brings the board before it back.
export function open(answer, isSame = false) {
  saveChanges();
  const { board: before, cursor } = game;
  if (before) game.past.push(snapshot());
  game.future = [];
  game.board = prepared(isSame ? { ...answer, id: before.id, elapsed: before.elapsed, touched: true } : answer);
  game.filled = [...game.board.filled];
  for (const kind of ["corner", "colors"]) game[kind] = isSame ? copied(game[kind]) : game.filled.map(() => new Set());
  game.center = game.board.marks.map((digits) => new Set(digits));
  game.full = game.center.filter((set) => set.size).length * 2 > game.filled.filter((digit) => !digit).length;
  if (!isSame) game.crossed = [];
  show();
  if (isSame) select([cursor]);
  settle();
}
// The server's data of a board with two indexes: the peers of each cell, and the cell at a place.
function prepared(answer) {
  const peers = answer.cells.map(() => new Set());
  for (const house of answer.houses) for (const a of house) for (const b of house) if (a !== b) peers[a].add(b);
  const at = new Map(answer.cells.map(([row, column], cell) => [row + "," + column, cell]));
  const id = Date.now().toString(36) + Math.random().toString(36).slice(2, 8);
  return { elapsed: 0, id, ...answer, peers, at };
}

// -- notes ---------------------------------------------------------------------------------------

// The candidates of a cell as the page keeps them: without the digits of peers and the crossed-out ones.
export function candidates(cell) {
  const { board, filled } = game;
  if (filled[cell]) return new Set();
  const seen = new Set([...board.peers[cell]].map((peer) => filled[peer]));
  const base = board.base?.[cell] ?? [...board.symbols].map((_, place) => place + 1);
  return new Set(base.filter((digit) => !seen.has(digit) && !game.crossed.includes(cell + ":" + digit)));
}
// The center notes of a cell, which are the candidates if the page keeps these.
export const centerNotes = (cell) => settings.auto ? candidates(cell) : game.center[cell];
// The notes of a cell of one kind, as shown.
export const notesOf = (kind, cell) => kind === "center" ? centerNotes(cell) : game[kind][cell];
// The candidates that the player sees in each cell.
export const written = () => game.filled.map((digit, cell) => digit ? [] : [...centerNotes(cell)].sort((a, b) => a - b));

function place(cell, digit) {
  game.filled[cell] = digit;
  if (!digit || !settings.removal) return;
  for (const peer of game.board.peers[cell]) { game.corner[peer].delete(digit); game.center[peer].delete(digit); }
}
function cross(cell, digit) {
  const pair = cell + ":" + digit;
  if (!game.crossed.includes(pair)) game.crossed.push(pair);
  game.center[cell].delete(digit);
  game.corner[cell].delete(digit);
}
function toggle(kind, cell, digit, wanted) {
  if (kind !== "center") return wanted ? game[kind][cell].add(digit) : game[kind][cell].delete(digit);
  if (wanted) {
    game.crossed = game.crossed.filter((pair) => pair !== cell + ":" + digit);
    if (!settings.auto) game.center[cell].add(digit);
  } else if (settings.auto) cross(cell, digit);
  else game.center[cell].delete(digit);
}
// Writes a digit, note or color into the selected cells; removes it if all of them have it.
export function put(digit, mode = game.mode, chosen = game.selected) {
  const { board, filled } = game;
  if (!board || digit > (mode === "colors" ? COLORS : board.symbols.length)) return false;
  const cells = [...chosen].filter((cell) => mode === "colors" || (!board.givens[cell] && (mode === "digit" || !filled[cell])));
  if (!cells.length) return false;
  return change(() => {
    if (mode === "digit") {
      const same = cells.every((cell) => filled[cell] === digit);
      for (const cell of cells) place(cell, same ? 0 : digit);
    } else {
      const wanted = !cells.every((cell) => notesOf(mode, cell).has(digit));
      for (const cell of cells) toggle(mode, cell, digit, wanted);
    }
  });
}
// Empties the selected cells: their digits first; without digits the notes of the mode, then other notes.
export function erase(chosen = game.selected) {
  const { board, filled } = game;
  if (!board) return false;
  const own = [...chosen].filter((cell) => !board.givens[cell]);
  const hasDigit = own.some((cell) => filled[cell]);
  const first = KINDS.includes(game.mode) && (game.mode === "colors" || !hasDigit) ? [game.mode] : [];
  const order = [...first, "digit", "center", "corner", "colors"];
  const has = { digit: (cell) => filled[cell] && !board.givens[cell] };
  for (const kind of ["corner", "center"]) has[kind] = (cell) => !filled[cell] && game[kind][cell].size > 0;
  if (settings.auto) has.center = () => false;
  has.colors = (cell) => game.colors[cell].size > 0;
  const kind = order.find((one) => [...chosen].some(has[one]));
  if (!kind) return false;
  return change(() => {
    for (const cell of chosen) if (has[kind](cell)) kind === "digit" ? place(cell, 0) : game[kind][cell].clear();
  });
}
// Carries steps of hints out. What they remove is seen in the notes, so these are written if there are none.
export function apply(...steps) {
  return change(() => {
    for (const { technique, place: digits, remove, erase, notes, candidates: all } of steps) {
      if (all.length && !settings.auto) writeAll(all);
      for (const cell of erase) place(cell, 0);
      for (const [cell, digit] of digits) place(cell, digit);
      for (const [cell, digit] of remove) cross(cell, digit);
      restoreNotes(notes, technique === "notes");
    }
  });
}
// Adds candidates [cell, digit] that are missing; in cells without notes only if all are written.
function restoreNotes(notes, all) {
  const added = new Set(notes.map(([cell, digit]) => cell + ":" + digit));
  game.crossed = game.crossed.filter((pair) => !added.has(pair));
  for (const [cell, digit] of notes) if (all || game.center[cell].size) game.center[cell].add(digit);
  if (all) game.full = game.filled.every((digit, cell) => digit || game.center[cell].size);
}
export const addNotes = (notes) => change(() => restoreNotes(notes, true));
// Removes notes that digits or rules exclude.
export function removeNotes(notes) {
  return change(() => { for (const [cell, digit] of notes) game.center[cell].delete(digit); });
}
// Writes the candidates of all cells, without those that are crossed out.
function writeAll(lists) {
  const out = new Set(game.crossed);
  game.full = true;
  game.center = lists.map((digits, cell) => new Set(digits.filter((digit) => !out.has(cell + ":" + digit))));
}
export const writeNotes = (lists) => change(() => writeAll(lists));
export function fill(digits) { return change(() => { game.filled = [...digits]; }); }
export function startAgain() {
  game.board.elapsed = 0;
  return change(() => {
    game.filled = [...game.board.givens];
    for (const kind of KINDS) for (const set of game[kind]) set.clear();
    game.crossed = [];
    game.full = false;
  });
}
// Equal digits in houses, one entry for the same cells: { cells, say }.
export function clashes() {
  const found = new Map(), { filled, board } = game;
  board.houses.forEach((house, at) => {
    const same = new Map();
    for (const cell of house) if (filled[cell]) same.set(filled[cell], [...same.get(filled[cell]) ?? [], cell]);
    for (const [digit, cells] of same) {
      if (cells.length < 2) continue;
      const key = String(cells.sort((a, b) => a - b));
      if (!found.has(key)) found.set(key, { cells, digit, names: [] });
      found.get(key).names.push(board.names?.[at] ?? "house");
    }
  });
  return [...found.values()].map(({ cells, digit, names }) => {
    const named = cells.map((cell) => "r" + board.cells[cell][0] + "c" + board.cells[cell][1]);
    return { cells, say: `${listed(named)} are ${cells.length > 2 ? "all" : "both"} ${board.symbols[digit - 1]} (${listed(names)}).` };
  });
}
const listed = (words) => words.length < 2 ? words.join() : words.slice(0, -1).join(", ") + " and " + words.at(-1);

// -- selection -----------------------------------------------------------------------------------

export function select(cells, cursor = [...cells].at(-1)) {
  if (cursor === undefined) return;
  game.selected = new Set(cells);
  game.cursor = cursor;
  tell("select");
}
// The cells that look like this one: with the same digit, else the same notes, else the same colors.
export function equalCells(cell) {
  const { filled } = game;
  const all = [...filled.keys()];
  if (filled[cell]) return all.filter((other) => filled[other] === filled[cell]);
  for (const kind of ["center", "corner", "colors"]) {
    const mine = text([notesOf(kind, cell)]);
    if (mine) return all.filter((other) => (kind === "colors" || !filled[other]) && text([notesOf(kind, other)]) === mine);
  }
  return all.filter((other) => !filled[other]);
}
export function setMode(mode) {
  game.mode = mode;
  tell("select");
}

// -- autosave ------------------------------------------------------------------------------------

let waiting = 0;
// Saves within half a second; many changes together are saved once.
export function saveSoon() {
  if (!waiting) waiting = setTimeout(save, 500);
}
// Saves what would be saved soon: the board is about to be left.
const saveChanges = () => { if (waiting) save(); };
const packedSets = (sets) => sets.map((set) => [...set].map((digit) => digit.toString(36)).join("")).join();
// Saves the game with its undo states for this tab, and for the next start of the browser.
export function save() {
  clearTimeout(waiting);
  waiting = 0;
  if (!game.board) return;
  for (const most of [MOST_STATES, 40, 0]) {  // fewer if the storage is too small
    const data = JSON.stringify(packed(most));
    try {
      sessionStorage.setItem(KEY, data);
      localStorage.setItem(KEY, data);
      break;
    } catch { /* the storage is full, or disabled */ }
  }
  const { board, filled } = game, open = board.givens.filter((digit) => !digit).length;
  if (board.touched) keepGame({
    id: board.id, when: Date.now(), about: aboutBoard(), done: filled.filter(Boolean).length - board.givens.length + open, all: open,
    elapsed: board.elapsed, solved: isSolved(), game: packed(0),
  });
}
// What the list of saved games calls the board.
const aboutBoard = () => {
  const { title, name, band } = game.board;
  return [title, name || (title ? "" : "classic"), band].filter(Boolean).join(", ");
};
// Marks the position as the solution, and tells whether it is the one that was marked.
export function markSolved() { game.board.solved = String(game.filled); saveSoon(); }
export const isSolved = () => game.board.solved === String(game.filled);

// The game as JSON takes it, with at most `most` states of undo and of redo.
function packed(most) {
  const boards = [];
  const packedState = (state) => {
    if (!boards.includes(state.board)) boards.push(state.board);
    const sets = Object.fromEntries(KINDS.map((kind) => [kind, packedSets(state[kind])]));
    return { ...state, ...sets, board: boards.indexOf(state.board) };
  };
  const states = {
    past: most ? game.past.slice(-most).map(packedState) : [], now: packedState(snapshot()),
    future: most ? game.future.slice(-most).map(packedState) : [],
  };
  return {
    version: VERSION, ...states, cursor: game.cursor, mode: game.mode,
    boards: boards.map(({ peers, at, ...rest }) => rest),
  };
}
// Restores the game of this tab, or the last one of the browser. Returns "restored", "" if none was saved,
// or "dropped" if none of those saved can be read.
export function restoreGame() {
  const found = ["sessionStorage", "localStorage"].filter((storage) => hasStored(storage, KEY));
  const restored = found.some((storage) => {
    try {
      return unpack(stored(storage, KEY));
    } catch {  // damaged
      Object.assign(game, { board: null, past: [], future: [] });
      return false;
    }
  });
  return restored ? "restored" : found.length ? "dropped" : "";
}
// Opens a saved game. Undo brings the board before it back. Returns false if the game cannot be read.
export function openSaved(saved) {
  try {
    return unpack(saved, game.board ? [...game.past, snapshot()] : []);
  } catch {
    return false;
  }
}
// Whether a saved board has all that drawing and playing need; errors while drawing come too late.
function isBoard({ cells, symbols, givens, small, houses, rules = [], ground, puzzle, cell, figure }) {
  const lists = (list, length, isGood) => Array.isArray(list) && list.length === length && list.every(isGood);
  const numbers = (list, length) => lists(list, length, Number.isFinite);
  const size = cells.length, side = symbols.length, below = (most) => (one) => Number.isInteger(one) && one >= 0 && one < most;
  return size > 0 && lists(cells, size, (place) => numbers(place, 4)) && lists(givens, size, below(side + 1))
    && lists(small, side, (place) => numbers(place, 2)) && numbers([cell, figure], 2) && typeof puzzle === "string"
    && houses.every((house) => lists(house, house.length, below(size)))
    && lists(rules, rules.length, (sentence) => typeof sentence === "string") && /^<svg [^>]*viewBox="/.test(ground);
}
function unpack(saved, before = []) {
  if (saved?.version !== VERSION) return false;
  if (!saved.boards.every(isBoard)) throw new RangeError("boards");
  const boards = saved.boards.map(prepared);
  const unpacked = (state) => {
    const board = boards[state.board], size = board.cells.length, side = board.symbols.length;
    const sets = (packed, most) => {
      const found = packed.split(",").map((digits) => new Set([...digits].map((one) => parseInt(one, 36))));
      if (found.length !== size || !found.every((set) => [...set].every((digit) => digit >= 1 && digit <= most))) throw new RangeError("notes");
      return found;
    };
    const good = state.filled.length === size && state.crossed.every((pair) => /^\d+:\d+$/.test(pair))
      && state.filled.every((digit) => Number.isInteger(digit) && digit >= 0 && digit <= side);
    if (!good) throw new RangeError("digits");
    return {
      board, filled: state.filled, crossed: state.crossed, full: Boolean(state.full),
      corner: sets(state.corner, side), center: sets(state.center, side), colors: sets(state.colors, COLORS),
    };
  };
  const [past, future, now] = [saved.past.map(unpacked), saved.future.map(unpacked), unpacked(saved.now)];
  if (!Number.isFinite(now.board.elapsed)) now.board.elapsed = 0;
  Object.assign(game, { past: [...before, ...past], future });
  restore(now);
  if (now.board.cells[saved.cursor]) select([saved.cursor]);
  if (["digit", ...KINDS].includes(saved.mode)) setMode(saved.mode);
  return true;
}
window.addEventListener("pagehide", save);
document.addEventListener("visibilitychange", () => { if (document.hidden) save(); });
