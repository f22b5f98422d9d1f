// Draws rules on the board: the selected cells become a cage, a line, a dot, a clue outside.

import { game, on, open, written } from "./game.js";
import { draw } from "./draw.js";
import { byId, made, position, request, requestBoard, say } from "./requests.js";

const WAIT = 300;    // milliseconds without a change after which the solutions are counted
let tools = [];      // the rules that can be drawn: see setter.py
let waiting = 0;

const isOpen = () => !byId("setter").hidden;
const tool = () => tools.find(({ rule }) => rule === byId("rule").value);
const nameOf = (cell) => "r" + game.board.cells[cell][0] + "c" + game.board.cells[cell][1];

export async function toggleSetter() {
  byId("setter").hidden = isOpen();
  byId("draw").setAttribute("aria-pressed", String(isOpen()));
  document.body.classList.toggle("setting", isOpen());
  if (!isOpen()) {
    game.found = null;
    return draw();
  }
  showBoard();
  count();
  if (!tools.length) fillTools(await request("tools", {}, () => false, true));
}
function fillTools(answer) {
  if (!answer?.tools) return;
  tools = answer.tools;
  const groups = new Map();
  for (const { rule, name, group } of tools) {
    if (!groups.has(group)) groups.set(group, made("optgroup", "", { label: group }));
    groups.get(group).append(new Option(name, rule));
  }
  byId("rule").append(...groups.values());
  byId("rule").value = "Cage";
  showTool();
}
// The fields of the chosen rule: a menu for a choice of words, else a place for a text.
function showTool() {
  const { say: meaning, how, fields } = tool();
  byId("rule-say").textContent = `${meaning} ${how}`;
  byId("fields").replaceChildren(...fields.map(({ name, optional, choices }) => {
    const label = made("label", name + " "), field = made(choices.length ? "select" : "input", "", { name });
    if (!choices.length) Object.assign(field, { autocomplete: "off", placeholder: optional ? "none" : "" });
    if (choices.length) field.append(...choices.map((choice) => new Option(choice)));
    label.append(field);
    return label;
  }));
}
function showChosen() {
  if (isOpen()) byId("chosen").textContent = [...game.selected].map(nameOf).join(" ");
}
function showBoard() {
  if (!isOpen()) return;
  const { drawn = [], title, author } = game.board;
  byId("drawn").replaceChildren(...drawn.map((text, place) => {
    const item = made("li", text), remove = made("button", "Remove", { type: "button", ariaLabel: `Remove ${text}` });
    remove.addEventListener("click", () => change({ remove_rule: place }));
    item.append(remove);
    return item;
  }));
  for (const [id, value] of Object.entries({ title, author })) if (document.activeElement !== byId(id)) byId(id).value = value ?? "";
  showChosen();
}
// Asks for the board with a change; an error is shown, and the board stays.
async function change(more) {
  const changed = (answer) => {
    open(answer, true);
    say("");
  };
  const about = { title: byId("title").value, author: byId("author").value };
  await requestBoard("draw", { ...position(), marks: written(), ...about, ...more }, changed, (error) => say(error, true));
}
async function count() {
  clearTimeout(waiting);
  waiting = 0;
  const sent = position(), before = JSON.stringify(sent), isStale = () => JSON.stringify(position()) !== before;
  byId("count").textContent = "Counting the solutions\u2026";
  const answer = await request("solutions", sent, isStale, true);
  if (!answer || isStale() || !isOpen()) return;
  byId("count").textContent = answer.error ?? answer.say;
  game.found = byId("found").checked ? answer.digits ?? null : null;
  draw();
}
on("board", showBoard);
on("select", showChosen);
on("settle", () => {
  clearTimeout(waiting);
  if (isOpen()) waiting = setTimeout(count, WAIT);
});
byId("rule").addEventListener("change", showTool);
byId("found").addEventListener("change", count);
byId("setter").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!tool() || ["title", "author"].includes(document.activeElement.id)) return;
  const values = Object.fromEntries(tool().fields.map(({ name }) => [name, byId("setter").elements[name].value]));
  await change({ rule: tool().rule, cells: [...game.selected], values });
});
for (const name of ["title", "author"]) byId(name).addEventListener("change", () => change({}));
