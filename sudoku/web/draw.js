// Draws the state of the game: digits and notes in an SVG of their own above the picture of the layout,
// and a grid of descriptions for screen readers.

import { centerNotes, clashes, game } from "./game.js";
import { byId } from "./requests.js";
import { settings } from "./settings.js";
import { place, showWhole } from "./view.js";

const SVG = "http://www.w3.org/2000/svg";
const OTHER_SIDE = new Set(["fin", "off", "b", "d"]);  // roles of marks, as in drawing/steps.py
const COLOR_NAMES = ["grey", "green", "purple", "orange", "red", "yellow", "blue", "turquoise", "black"];
// The places of corner notes in a cell, as parts of its width: corners, then edges.
const CORNERS = [
  [0.16, 0.19], [0.84, 0.19], [0.16, 0.81], [0.84, 0.81], [0.5, 0.19], [0.5, 0.81], [0.16, 0.5], [0.84, 0.5],
];
const UNDER_CAPTION = [[0.16, 0.42], ...CORNERS.slice(1, 6), [0.16, 0.6], [0.84, 0.5]];

let captioned = new Set();  // the cells with a number of the layout in their upper left corner

function add(parent, name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
}
function part(role, attributes) {
  const element = document.createElement("div");
  for (const [key, value] of Object.entries({ role, ...attributes })) element.setAttribute(key, value);
  return element;
}

// -- the parts that stay the same while a board is played ----------------------------------------

export const svgOf = (text) => document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);

export function drawBoard() {
  const ground = svgOf(game.board.ground);
  byId("ground").replaceChildren(ground);
  byId("board").classList.toggle("plain", !settings.coordinates);
  showWhole(ground.getAttribute("viewBox"), settings.coordinates);
  captioned = captionedCells();
  fillGrid();
}
function captionedCells() {
  const { cells, cell: size } = game.board;
  const places = [...byId("ground").querySelectorAll("text")].map((text) => [text.getAttribute("x"), text.getAttribute("y")].map(Number));
  const hit = ([, , x, y]) => places.some(([a, b]) => a >= x && a < x + size / 2 && b >= y && b < y + size / 2);
  return new Set([...cells.keys()].filter((cell) => hit(cells[cell])));
}
// Makes the rows and cells that screen readers read, each over its place in the picture.
function fillGrid() {
  const rows = new Map();
  game.board.cells.forEach(([row, column, x, y], cell) => {
    if (!rows.has(row)) rows.set(row, part("row", { "aria-rowindex": row }));
    const element = part("gridcell", { id: "cell" + cell, "aria-colindex": column });
    place(element, x, y, game.board.cell);
    rows.get(row).append(element);
  });
  byId("cells").replaceChildren(...rows.values());
}

// -- the parts that change -----------------------------------------------------------------------

let printing = false;  // prints have no hint and no selection
for (const [name, value] of [["beforeprint", true], ["afterprint", false]]) {
  window.addEventListener(name, () => { printing = value; draw(); });
}

export function draw() {
  const { board, filled } = game, frame = printing ? null : game.frame;
  if (!board) return;
  const pieces = byId("marks"), size = board.cell;
  const clashing = new Set(settings.clashes ? clashes().flatMap(({ cells }) => cells) : []);
  const broken = new Set(settings.clashes ? game.broken.flat() : []);
  const housed = new Set(frame ? frame.houses.flat() : []);
  pieces.replaceChildren();
  board.cells.forEach(([, , x, y], cell) => {
    const digit = filled[game.cursor];
    const kind = frame && frame.cells.includes(cell) ? "hint"
      : clashing.has(cell) || broken.has(cell) ? "clash"
      : housed.has(cell) ? "house"
      : frame || printing ? ""
      : game.selected.has(cell) ? "chosen"
      : digit && filled[cell] === digit ? "same"
      : game.selected.size === 1 && board.peers[game.cursor].has(cell) ? "near" : "";
    if (kind) add(pieces, "rect", { class: kind, x, y, width: size, height: size });
    drawColors(pieces, cell, kind ? 6 : 0);
  });
  add(pieces, "path", { class: "outline", d: outline(size) });
  const shown = board.cells.map(() => new Set());  // candidates that a hint shows at their places
  for (const [cell, digit, kind] of frame ? discs(frame) : []) {
    const [, , x, y] = board.cells[cell], isPeer = Boolean(filled[cell]);  // a digit that rules out others
    if (!isPeer) shown[cell].add(digit);
    const [cx, cy] = isPeer ? [x + size / 2, y + size / 2] : placeOf(cell, digit);
    add(pieces, "circle", { class: kind, cx, cy, r: isPeer ? size * 0.4 : board.figure * 0.64 });
  }
  board.cells.forEach(([, , x, y], cell) => {
    const digit = filled[cell];
    if (digit) {
      const kind = board.givens[cell] ? "given" : game.wrong.has(cell) ? "wrong" : "filled";
      add(pieces, "text", { class: kind, x: x + size / 2, y: y + size / 2 + 1, "font-size": 26 }, board.symbols[digit - 1]);
    } else drawNotes(pieces, cell, shown[cell]);
  });
  (frame?.links ?? []).forEach(([d, strong], place, all) => {
    const last = frame.steps && place === all.length - 1;
    add(pieces, "path", { class: (strong ? "strong" : "weak") + (last ? " last" : ""), d });
  });
  // Strikes removed candidates through, for players that cannot see the red.
  for (const [cell, digit] of frame?.remove ?? []) {
    const [x, y] = placeOf(cell, digit), half = board.figure / 2;
    add(pieces, "path", { class: "strike", d: `M${x - half} ${y + half * 0.8}L${x + half} ${y - half * 0.8}` });
  }
  describeCells(clashing, broken);
}
const discs = (frame) => [
  ...frame.marks.map(([cell, digit, role]) => [cell, digit, OTHER_SIDE.has(role) ? "other" : "base"]),
  ...frame.place.map(([cell, digit]) => [cell, digit, "place"]),
  ...frame.remove.map(([cell, digit]) => [cell, digit, "remove"]),
];
// The middle of a candidate that has its own place in each cell.
function placeOf(cell, digit) {
  const { cells, small } = game.board;
  const [, , x0, y0] = cells[0], [, , x, y] = cells[cell], [a, b] = small[digit - 1];
  return [x + a - x0, y + b - y0];
}
// Draws the player's colors of a cell, within a highlight that is `edge` wide.
function drawColors(pieces, cell, edge) {
  const [, , x, y] = game.board.cells[cell], all = [...game.colors[cell]].sort((a, b) => a - b);
  const height = game.board.cell - 2 * edge, width = height / all.length;
  all.forEach((color, place) => {
    add(pieces, "rect", { class: "color color" + color, x: x + edge + place * width, y: y + edge, width, height });
  });
}
function drawNotes(pieces, cell, hinted) {
  const { board } = game, [, , x, y] = board.cells[cell], size = board.cell;
  const corner = [...game.corner[cell]].sort((a, b) => a - b), center = [...centerNotes(cell)].sort((a, b) => a - b);
  const write = (digit, left, top, font, kind) => {
    add(pieces, "text", { class: "note " + kind, x: left, y: top, "font-size": font }, board.symbols[digit - 1]);
  };
  const inPlaces = hinted.size || settings.center === "places" || settings.auto || (settings.center === "automatic" && game.full);
  if (inPlaces && !(corner.length && !hinted.size)) {
    const all = new Set([...center, ...hinted, ...(hinted.size ? corner : [])]);
    for (const digit of [...all].sort((a, b) => a - b)) write(digit, ...placeOf(cell, digit), board.figure, "center");
    return;
  }
  if (!corner.length && !center.length && !printing) {
    for (const digit of game.found?.[cell] ?? []) write(digit, ...placeOf(cell, digit), board.figure, "found");
  }
  const small = Math.min(11, board.figure);
  corner.forEach((digit, place) => {
    const [a, b] = (captioned.has(cell) ? UNDER_CAPTION : CORNERS)[place] ?? [0.25 + 0.18 * (place % 4), 0.38];
    write(digit, x + a * size, y + b * size, small, "corner");
  });
  const lines = Math.ceil(center.length / 5), long = Math.ceil(center.length / lines);
  const font = Math.min(12.5, size * (corner.length ? 0.64 : 0.92) / (Math.max(long, 3) * 0.64));
  center.forEach((digit, place) => {
    const line = Math.floor(place / long), inLine = Math.min(long, center.length - line * long);
    const left = x + size / 2 + (place % long - (inLine - 1) / 2) * font * 0.64;
    write(digit, left, y + size / 2 + 1 + (line - (lines - 1) / 2) * font * 1.05, font, "center");
  });
}
// The border of the selected cells.
function outline(size) {
  const { cells, at } = game.board, inside = 1.5;
  const lines = [];
  for (const cell of game.selected) {
    const [row, column, x, y] = cells[cell];
    const out = (down, right) => !game.selected.has(at.get(row + down + "," + (column + right)));
    const [left, right, top, bottom] = [x + inside, x + size - inside, y + inside, y + size - inside];
    if (out(-1, 0)) lines.push(`M${x} ${top}h${size}`);
    if (out(1, 0)) lines.push(`M${x} ${bottom}h${size}`);
    if (out(0, -1)) lines.push(`M${left} ${y}v${size}`);
    if (out(0, 1)) lines.push(`M${right} ${y}v${size}`);
  }
  return lines.join("");
}
// Describes each cell for screen readers.
function describeCells(clashing, broken) {
  const { board, filled, frame } = game;
  const symbols = (digits) => [...digits].sort((a, b) => a - b).map((digit) => board.symbols[digit - 1]).join(" ");
  board.cells.forEach(([row, column], cell) => {
    const digit = filled[cell], [center, corner, colors] = [centerNotes(cell), game.corner[cell], game.colors[cell]];
    const said = [
      `row ${row}, column ${column}`,
      digit ? board.symbols[digit - 1] : !center.size && !corner.size ? "empty" : "",
      !digit && game.found ? "possible " + symbols(game.found[cell]) : "",
      !digit && center.size ? "notes " + symbols(center) : "", !digit && corner.size ? "corner notes " + symbols(corner) : "",
      colors.size ? [...colors].map((color) => COLOR_NAMES[color - 1]).join(" and ") : "",
      board.givens[cell] ? "given" : "", game.wrong.has(cell) ? "wrong" : "",
      clashing.has(cell) ? "twice in a house" : broken.has(cell) ? "breaks a rule" : "",
      frame && frame.cells.includes(cell) ? "in the hint" : "",
    ].filter(Boolean).join(", ");
    const element = byId("cell" + cell);
    if (element.textContent !== said) element.textContent = said;
    if (game.selected.has(cell)) element.setAttribute("aria-selected", "true"); else element.removeAttribute("aria-selected");
  });
  byId("board").setAttribute("aria-activedescendant", "cell" + game.cursor);
}
export const colorName = (color) => COLOR_NAMES[color - 1];
