// The time of the current puzzle: it stops while the page is hidden, paused or the puzzle solved.

import { game } from "./game.js";
import { byId } from "./requests.js";
import { settings } from "./settings.js";

let since = null;      // when the time that runs now began; null while it stands
let paused = false;
let solved = false;

export const isPaused = () => paused;
const now = () => performance.now();

// Adds the time since the last call to the puzzle's time.
function count() {
  if (since === null) return;
  const end = now();
  if (game.board) game.board.elapsed += end - since;
  since = end;
}
export function elapsed() {
  count();
  return game.board?.elapsed ?? 0;
}
export function inWords(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000), two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
export function showTime() {
  byId("clock").hidden = !settings.timer;
  byId("time").textContent = inWords(elapsed());
}
function runOrStand() {
  const runs = !paused && !solved && !document.hidden && Boolean(game.board);
  if (runs && since === null) since = now();
  else if (!runs) { count(); since = null; }
  showTime();
}
export function setPaused(value) {
  paused = value;
  byId("pause").setAttribute("aria-pressed", String(paused));
  byId("paused").hidden = !paused;
  document.body.classList.toggle("paused", paused);
  runOrStand();
}
export function setSolved(value) {
  solved = value;
  runOrStand();
}
// Starts the time of a board that is shown now.
export function startTimer() {
  since = null;
  solved = false;
  setPaused(false);
}
document.addEventListener("visibilitychange", runOrStand);
window.addEventListener("pagehide", count);
setInterval(showTime, 1000);
