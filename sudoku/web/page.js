// The page of `sudoku serve`: its buttons and dialogs. The other modules: game (the state), draw, input
// (mouse and keys), view (zoom), requests (to answers.py), saved and games (saved games), settings, timer.

import { COLORS, fill, game, isSolved, markSolved, on, open, redo, removeNotes, restoreGame, select, setMode, startAgain, takeBack, undo, writeNotes, written } from "./game.js";
import { colorName, draw, drawBoard } from "./draw.js";
import { back, carryOut, forward, hideHint, isApplicable, nextStage, showHint } from "./hints.js";
import { empty, enter, input } from "./input.js";
import { byId, isPending, position, puzzle, request, requestAbout, requestBoard, say, stopAll, stopStale } from "./requests.js";
import { showGames } from "./games.js";
import { loadSettings, onSetting, setSetting, settings } from "./settings.js";
import { elapsed, inWords, isPaused, setPaused, setSolved, showTime, startTimer } from "./timer.js";
import { fit, zoom } from "./view.js";

let lastMade = null;   // the arguments of the last request for a new puzzle
let celebrated = "";   // the solved position whose dialog was shown

// -- drawing the tools ---------------------------------------------------------------------------

function fillPad() {
  const { symbols } = game.board, colors = game.mode === "colors";
  byId("keys").classList.toggle("many", !colors && symbols.length > 9);
  const labels = colors ? [...Array(COLORS).keys()].map((color) => colorName(color + 1)) : [...symbols];
  byId("pad").replaceChildren(...labels.map((label, place) => {
    const button = document.createElement("button");
    if (colors) {
      button.className = "color" + (place + 1);
      button.setAttribute("aria-label", label);
      button.title = `${label} (${place + 1})`;
    } else button.textContent = label;
    button.addEventListener("click", () => { if (!isPaused()) enter(place + 1); });
    return button;
  }));
  showTools();
}
function showTools() {
  if (!game.board) return;
  byId("undo").disabled = !game.past.length;
  byId("redo").disabled = !game.future.length;
  byId("apply").disabled = !isApplicable();
  byId("hint").classList.toggle("primary", byId("apply").disabled);
  byId("apply").classList.toggle("primary", !byId("apply").disabled);
  for (const button of byId("modes").children) {
    const now = button.dataset.mode === game.mode;
    button.setAttribute("aria-checked", String(now));
    button.tabIndex = now ? 0 : -1;
  }
  const wanted = Math.floor(game.board.cells.length / game.board.symbols.length);
  [...byId("pad").children].forEach((button, place) => {
    const held = input.held === place + 1;
    if (settings.digitFirst) button.setAttribute("aria-pressed", String(held)); else button.removeAttribute("aria-pressed");
    button.classList.toggle("done", game.mode !== "colors" && game.filled.filter((digit) => digit === place + 1).length >= wanted);
  });
}
function showRules() {
  const rules = game.board.rules ?? [];
  byId("rules").querySelector("summary").textContent = ["Rules", game.board.name].filter(Boolean).join(": ");
  byId("rules").hidden = !rules.length;
  byId("rules").open = window.matchMedia("(min-width: 60rem) and (min-height: 34.1rem)").matches;
  byId("rules").querySelector("ul").replaceChildren(...rules.map((sentence) => {
    const item = document.createElement("li");
    item.textContent = sentence;
    return item;
  }));
}
on("board", () => {
  drawBoard();
  byId("share").disabled = !game.board.share;
  byId("about").textContent = [game.board.title, game.board.name].filter(Boolean).join(", ");
  byId("rate").disabled = !game.board.hints;
  byId("zoom").hidden = game.board.cells.at(-1)[1] <= 12;
  celebrated = "";
  showRules();
  fillPad();
  fetchBase();
  startTimer();
  if (isSolved()) setSolved(true);
});
let drawnMode = "";
on("select", () => {
  if (!game.board) return;
  if ((drawnMode === "colors") !== (game.mode === "colors")) fillPad();
  drawnMode = game.mode;
  draw();
  showTools();
});
on("settle", () => {
  hideHint();
  byId("offer").hidden = true;
  draw();
  showTools();
  stopStale();
  findBroken();
});
onSetting((name) => {
  if (!game.board) return showTime();
  if (name === "coordinates") drawBoard();
  if (name === "auto") fetchBase();
  if (name === "digitFirst") input.held = 0;
  draw();
  showTools();
  showTime();
});

// -- requests to the server ----------------------------------------------------------------------

// The candidates of the givens, from which the page keeps the candidates of all cells.
async function fetchBase() {
  const { board } = game;
  if (!settings.auto || board.base) return;
  const answer = await request("candidates", puzzle(), () => game.board !== board, true);
  if (!answer?.candidates) return;
  board.base = answer.candidates;
  if (game.board === board) draw();
}
const withMarks = () => ({ ...position(), marks: written() });
// Finds violations of the layout's rules; the page finds equal digits in a house itself.
async function findBroken() {
  if (!settings.clashes || !(game.board.rules?.length > 1)) return;  // one: only houses
  const answer = await requestAbout(position, "broken", true);
  if (!answer?.cells?.length) return;
  game.broken = answer.cells;
  draw();
}
async function check() {
  const answer = await requestAbout(withMarks, "check");
  if (answer) showChecked(answer);
}
function showChecked(answer) {
  hideHint();
  game.wrong = new Set([...answer.wrong, ...answer.lost.map(([cell]) => cell)]);
  draw();
  showTools();
  say(answer.say, answer.wrong.length > 0);
  if (answer.solved) celebrate();
  else if (answer.missing.length) offer("Write the missing notes", () => takeBack([], answer.missing, true));
  else if (answer.excluded.length) offer("Remove the notes that are excluded", () => removeNotes(answer.excluded));
}
// Shows a button for what a check suggests.
function offer(label, action) {
  byId("offer").textContent = label;
  byId("offer").onclick = action;
  byId("offer").hidden = false;
}
async function hint() {
  if (nextStage()) return;
  const answer = await requestAbout(withMarks, "hint");
  if (!answer) return;
  if (!answer.cells) return showChecked(answer);
  game.wrong = new Set(answer.wrong);
  showHint(settings.stages ? answer : { ...answer, stages: [answer] });
}
async function solve() {
  const answer = await requestAbout(position, "solve");
  if (!answer) return;
  celebrated = String(answer.filled);
  setSolved(true);
  fill(answer.filled);
  markSolved();
  say(answer.say || "This is the solution.");
}
async function writeCandidates() {
  const answer = await requestAbout(position, "candidates");
  if (answer) writeNotes(answer.candidates);
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
function opened(answer) {
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  open(answer);
  say(answer.say);
  byId("board").focus();
}
const refused = (error) => say(error, true);
async function make(more) {
  lastMade = more;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  say("Generating a puzzle\u2026");
  await requestBoard("new", more, (answer) => opened({ ...answer, band: more.difficulty }), refused);
}
// Makes the digits filled in the givens, for entering a puzzle digit by digit.
async function fix() {
  await requestBoard("fix", { ...position(), marks: written() }, opened, refused);
}
async function read(text, layout = "") {
  const refuse = (error) => {
    byId("refused").textContent = error;
    if (!byId("dialog").open) refused(error);
  };
  await requestBoard("open", { text, layout }, opened, refuse);
}
async function share() {
  const address = location.href.replace(/#.*/, "") + "#" + game.board.share;
  byId("address").value = address;
  let copied = "The link opens this puzzle, without your digits. Copy it:";
  try {
    await navigator.clipboard.writeText(address);
    copied = "The link is copied. It opens this puzzle, without your digits.";
  } catch { /* browsers allow this only at https and on this machine */ }
  const secret = location.pathname.length > 1 ? " It contains the secret of this server." : "";
  byId("link-say").textContent = copied + secret;
  byId("link").showModal();
  byId("address").select();
}

// -- a solved puzzle -----------------------------------------------------------------------------

async function celebrate() {
  const now = String(game.filled);
  if (now === celebrated) return;
  celebrated = now;
  setSolved(true);
  markSolved();
  byId("solved-time").textContent = settings.timer ? `Time: ${inWords(elapsed())}` : "";
  byId("solved-rate").textContent = "";
  byId("solved-steps").replaceChildren();
  byId("solved").showModal();
  if (!game.board.hints) return;
  const answer = await requestAbout(puzzle, "rate", true);
  if (!answer) return;
  byId("solved-rate").textContent = answer.say;
  byId("solved-steps").replaceChildren(...answer.techniques.map(([technique, count]) => {
    const item = document.createElement("li");
    item.textContent = count > 1 ? `${technique} (${count} times)` : technique;
    return item;
  }));
}
function afterPut() {
  say("");
  if (game.board && !game.filled.includes(0)) check();
}
function doStep() {
  const { step } = game;
  if (!isApplicable()) return;
  carryOut();
  say("Done: " + step.say);
  if (!game.filled.includes(0)) check();
}

// -- buttons and dialogs -------------------------------------------------------------------------

const play = (action) => () => { if (game.board && !isPaused()) action(); };
const show = (id) => () => byId(id).showModal();
function showEnter() {
  byId("refused").textContent = "";
  byId("dialog").showModal();
  byId("text").select();
}
function escape() {
  if (isPending()) return stopAll();
  input.held = 0;
  if (game.step) { hideHint(); say(""); showTools(); }
  select([game.cursor]);
}
for (const [id, action] of Object.entries({
  apply: play(doStep), erase: play(empty), undo: play(undo), redo: play(redo), hint: play(hint), check: play(check),
  candidates: play(writeCandidates), rate: play(rate), solve: play(solve), fix: play(fix), share: play(share),
  reset: play(() => { startAgain(); celebrated = ""; startTimer(); say(""); }),
  enter: showEnter, start: show("making"), games: showGames, options: show("settings"), help: show("shortcuts"),
  print: () => window.print(), stop: stopAll, retry: () => begin(), reload: () => location.reload(), alone: () => { byId("dead").hidden = true; say(""); },
  pause: () => setPaused(!isPaused()), resume: () => { setPaused(false); byId("board").focus(); },
  back: play(back), forward: play(forward),
  in: () => zoom(1.5), out: () => zoom(1 / 1.5), fit,
  move: () => byId("move").setAttribute("aria-pressed", String(byId("move").getAttribute("aria-pressed") !== "true")),
})) byId(id).addEventListener("click", action);
for (const id of ["undo", "redo"]) byId(id).addEventListener("click", () => say(""));
for (const button of byId("modes").children) {
  button.addEventListener("click", () => setMode(button.dataset.mode));
  button.addEventListener("keydown", (event) => {  // as radio buttons do
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...byId("modes").children], next = all[(all.indexOf(button) + by + all.length) % all.length];
    setMode(next.dataset.mode);
    next.focus();
  });
}
for (const button of document.querySelectorAll("dialog .close")) button.addEventListener("click", () => button.closest("dialog").close());
byId("new").addEventListener("submit", (event) => {
  event.preventDefault();
  make({ layout: byId("layout").value, difficulty: byId("band").value, symmetry: byId("symmetry").value });
});
byId("solved").addEventListener("close", () => {
  if (byId("solved").returnValue === "next") make(lastMade ?? { layout: "classic", difficulty: "" });
  byId("solved").returnValue = "";
});
byId("export").addEventListener("submit", save);
byId("read").addEventListener("click", (event) => { event.preventDefault(); read(byId("text").value, byId("as").value); });
for (const field of document.querySelectorAll("[data-setting]")) {
  field.addEventListener("change", () => {
    setSetting(field.dataset.setting, field.type === "checkbox" ? field.checked : field.value);
  });
}
function showSettings() {
  for (const field of document.querySelectorAll("[data-setting]")) {
    const value = settings[field.dataset.setting];
    if (field.type === "checkbox") field.checked = value; else field.value = value;
  }
}
document.addEventListener("paste", (event) => {
  if (event.target.closest("textarea, input")) return;
  event.preventDefault();
  read(event.clipboardData.getData("text"));
});
Object.assign(input, { afterPut, blocked: isPaused });
input.actions = {
  h: play(hint), k: play(check), p: () => setPaused(!isPaused()), "?": show("shortcuts"), escape, enter: play(doStep),
  "[": play(back), "]": play(forward),
  "+": play(() => zoom(1.5)), "-": play(() => zoom(1 / 1.5)),
};

// -- the start -----------------------------------------------------------------------------------

let offered = false;
let saved;             // what became of the saved game: see restoreGame
// Fills the menus, and shows the puzzle of the address, the saved game or a new puzzle.
async function begin() {
  saved ??= restoreGame();
  const goesOn = Boolean(game.board);
  const offer = await request("offer");
  if (!offer) return;
  if (offer.error) return refused(offer.error);
  if (!offered) fillMenus(offer);
  offered = true;
  say("");
  const error = location.hash ? await openAddress() : "";
  if (!game.board) await make({ layout: "classic", difficulty: "" });
  else if (goesOn) findBroken();
  const dropped = saved === "dropped" && "The saved game cannot be read: it is damaged, or of another version of this page.";
  if (error || dropped) refused([dropped, error].filter(Boolean).join(" "));
  saved = "";
}
function fillMenus(offer) {
  const made = (list) => list.map((value) => new Option(offer.known[value] ?? value, value));
  const options = (list, id) => byId(id).append(...made(list));
  const grouped = ({ name, layouts }) => {
    const group = document.createElement("optgroup");
    group.label = name;
    group.append(...made(layouts));
    return group;
  };
  for (const id of ["layout", "as"]) byId(id).append(...offer.groups.map(grouped));
  byId("layout").append(grouped({ name: "drawn at random", layouts: offer.drawn }));
  options(offer.bands, "band");
  options(offer.formats, "format");
  options(offer.symmetries ?? ["none"], "symmetry");
  byId("layout").addEventListener("change", () => {
    const offered = offer.rated[byId("layout").value] ?? [];
    for (const option of byId("band").options) option.hidden = option.disabled = option.value !== "" && !offered.includes(option.value);
    byId("band").disabled = !offered.length;
    if (byId("band").selectedOptions[0]?.disabled || !offered.length) byId("band").value = "";
  });
}
// Opens the puzzle in the address, unless it is the one that is played already; returns an error.
async function openAddress() {
  const text = location.hash.slice(1);
  history.replaceState(null, "", location.pathname + location.search);
  let found = "";
  const refuse = (error) => { found = error; refused(error); };
  if (text !== game.board?.share) await requestBoard("open", { text, layout: "" }, opened, refuse);
  return found;
}
window.addEventListener("hashchange", () => { if (location.hash) openAddress(); });
// Keeps the files of the page for when the server does not answer; not under a token, which changes.
async function keepFiles() {
  if (!navigator.serviceWorker || location.pathname !== "/") return;
  await navigator.serviceWorker.register("sw.js");
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  active.postMessage([`${location.origin}/`, ...loaded.filter((name) => /\.(css|js)$/.test(name))]);
}
window.addEventListener("load", () => keepFiles().catch(() => { /* blocked by the browser's settings */ }));
loadSettings();
showSettings();
showTime();
begin();
