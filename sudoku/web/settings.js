// The player's settings, kept in the browser for all puzzles.

const KEY = "sudoku.settings";
const DEFAULTS = {
  removal: true,          // a digit removes its notes from the cells that it sees
  auto: false,            // the page keeps the candidates of all cells
  digitFirst: false,      // the player picks a digit, then the cells
  stages: true,           // a hint says where to look first
  techniques: "",         // the names of those that hints try, with commas; "": the usual ones
  clashes: true,          // rule violations are marked at once
  coordinates: true,      // row and column numbers at the edge
  timer: true,            // the time is shown
  tab: false,             // Tab changes the mode while the board has the focus
  center: "automatic",    // where center notes are drawn: automatic, line, places
};

export const settings = { ...DEFAULTS };
const listeners = [];

// Reads a JSON value from a storage; null if there is none, or it is damaged, or the storage is disabled.
export function stored(storage, key) {
  try {
    return JSON.parse(window[storage].getItem(key));
  } catch {
    return null;
  }
}
// Whether a storage has a value, damaged or not.
export function hasStored(storage, key) {
  try {
    return window[storage].getItem(key) !== null;
  } catch {
    return false;
  }
}
// Calls an action after each change of a setting, with its name.
export function onSetting(action) { listeners.push(action); }

export function loadSettings() {
  const saved = stored("localStorage", KEY);
  for (const name of Object.keys(DEFAULTS)) {
    if (typeof saved?.[name] === typeof DEFAULTS[name]) settings[name] = saved[name];
  }
}
export function setSetting(name, value) {
  settings[name] = value;
  try { localStorage.setItem(KEY, JSON.stringify(settings)); } catch { /* the storage is full, or disabled */ }
  for (const listener of listeners) listener(name);
}
