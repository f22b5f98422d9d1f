// The dialog with the saved games: open one, or delete it.

import { game, openSaved, save } from "./game.js";
import { byId, made, say } from "./requests.js";
import { MOST_GAMES, keepGame, removeSaved, savedGames } from "./saved.js";
import { inWords } from "./timer.js";

// A game's time and progress: "12 of 51 digits, 4:31, 23 Nov 2026, 18:20".
function progressOf({ done, all, elapsed, when, solved }) {
  const day = new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return [solved ? "solved" : `${done} of ${all} digits`, inWords(elapsed), day].join(", ");
}
function row(entry) {
  const item = made("li"), isNow = entry.id === game.board?.id;
  const open = made("button", "", { type: "button", className: "open" });
  open.append(
    made("span", isNow ? `${entry.about} (this game)` : entry.about), made("span", progressOf(entry), { className: "dim" }),
    made("progress", "", { max: entry.all || 1, value: entry.done, ariaLabel: "Digits" }),
  );
  open.addEventListener("click", () => {
    if (isNow || openSaved(entry.game)) {
      byId("saved").close();
      say("");
      byId("board").focus();
    } else byId("saved-say").textContent = "This game cannot be read: it is damaged, or of another version of this page.";
  });
  item.append(open);
  if (isNow) return item;
  const remove = made("button", "Delete", { type: "button", ariaLabel: `Delete ${entry.about}, ${progressOf(entry)}` });
  remove.addEventListener("click", () => {
    removeSaved(entry.id);
    const undo = made("button", "Undo", { type: "button" });
    undo.addEventListener("click", () => {
      keepGame(entry);
      const back = row(entry);
      item.replaceWith(back);
      back.firstElementChild.focus();
    });
    item.replaceChildren(made("p", `Deleted: ${entry.about}`), undo);
    undo.focus();
  });
  item.append(remove);
  return item;
}
export function showGames() {
  save();
  const entries = savedGames();
  byId("saved-say").textContent = entries.length ? ""
    : `A game is saved in this browser as soon as you write something. The last ${MOST_GAMES} are kept; solved ones are removed first.`;
  byId("saved-games").replaceChildren(...entries.map(row));
  byId("saved").showModal();
}
