// The saved games of this browser: one item of the local storage for each, without undo states.

import { stored } from "./settings.js";

const PREFIX = "sudoku.saved.";
export const MOST_GAMES = 50;
const MOST_TEXT = 500_000;  // characters of a game: a larger one is not worth the others

const keys = () => {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];  // the storage is disabled
  }
};
const isEntry = (entry) => Number.isFinite(entry?.when) && typeof entry.about === "string"
  && [entry.done, entry.all, entry.elapsed].every(Number.isFinite);

// All saved games that can be read, the latest first: { id, when, about, done, all, elapsed, solved, game }.
export function savedGames() {
  const entries = keys().map((key) => ({ ...stored("localStorage", key), id: key.slice(PREFIX.length) }));
  return entries.filter(isEntry).sort((a, b) => b.when - a.when);
}
// Makes room: damaged games go first, then solved ones, then others; of each the oldest. Returns whether one went.
function removeOne(except) {
  const entries = savedGames().reverse(), known = new Set(entries.map(({ id }) => id));
  const damaged = keys().map((key) => key.slice(PREFIX.length)).find((id) => !known.has(id) && id !== except);
  const others = entries.filter(({ id }) => id !== except);
  const id = damaged ?? (others.find(({ solved }) => solved) ?? others[0])?.id;
  if (id !== undefined) removeSaved(id);
  return id !== undefined;
}
// Saves a game; older ones give way if there are too many, or if the storage is full.
export function keepGame({ id, ...entry }) {
  const text = JSON.stringify(entry);
  if (text.length > MOST_TEXT) return;
  for (;;) {
    try {
      localStorage.setItem(PREFIX + id, text);
      break;
    } catch {
      if (!removeOne(id)) return;
    }
  }
  while (keys().length > MOST_GAMES && removeOne(id)) { /* one at a time */ }
}
export function removeSaved(id) {
  try { localStorage.removeItem(PREFIX + id); } catch { /* the storage is disabled */ }
}
