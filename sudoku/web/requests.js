// Requests to the server (answers.py), and what the page shows while they take long or fail.

import { game } from "./game.js";

export const byId = (id) => document.getElementById(id);
export const made = (tag, textContent = "", more = {}) => Object.assign(document.createElement(tag), more, { textContent });
const SLOW = 1000;           // milliseconds after which the page offers to stop a request
const pending = new Map();   // requests without an answer yet, by kind: { stop, isStale, quiet }
let boardRequests = 0;       // the number of requests for boards so far
let opened = 0;              // the number of the request whose board was opened last
const OTHER_VERSION = 409;   // the status when the page was loaded from another version of the server
const GONE = "the server does not answer; is `sudoku serve` still running?";

export function say(text, bad = false) {
  byId("say").textContent = text ?? "";
  byId("say").classList.toggle("bad", bad);
}
function showPending() {
  const busy = [...pending.values()].some(({ quiet }) => !quiet);
  document.body.classList.toggle("busy", busy);
  if (!busy) byId("slow").hidden = true;
}
function showDead(dead) {
  byId("dead").hidden = !dead;
}
// Sends a request and returns the server's answer; null if the request was stopped. When a request is
// aborted, the server stops working on it. A quiet request shows nothing.
export async function request(kind, more = {}, isStale = () => false, quiet = false) {
  pending.get(kind)?.stop();
  const controller = new AbortController();
  const own = { stop: () => controller.abort(), isStale, quiet };
  pending.set(kind, own);
  showPending();
  const slow = setTimeout(() => { if (!quiet) byId("slow").hidden = false; }, SLOW);
  try {
    const reply = await fetch("ask", {
      method: "POST", headers: { "Content-Type": "application/json", "Page-Version": document.documentElement.dataset.version },
      body: JSON.stringify({ kind, ...more }), signal: controller.signal,
    });
    const answer = reply.ok ? await reply.json() : { error: (await reply.text()).trim() };
    showDead(false);
    byId("old").hidden = reply.status !== OTHER_VERSION;
    return answer;
  } catch {
    if (controller.signal.aborted) return null;
    showDead(true);
    return { error: GONE, gone: true };
  } finally {
    clearTimeout(slow);
    if (pending.get(kind) === own) pending.delete(kind);
    showPending();
  }
}
export function stopStale() {
  for (const { stop, isStale } of pending.values()) if (isStale()) stop();
}
export function stopAll() {
  if (!isPending()) return;
  for (const [kind, { stop }] of pending) if (kind !== "offer") stop();  // the page needs its menus
  say("Stopped.");
}
export const isPending = () => [...pending.values()].some(({ quiet }) => !quiet);

export const puzzle = () => ({ puzzle: game.board.puzzle });
export const position = () => ({
  ...puzzle(), filled: game.filled, removed: game.crossed.map((pair) => pair.split(":").map(Number)),
});
// Sends a request about `subject()` and returns the answer; null if the subject has changed when the
// answer comes, and after an error, which is shown.
export async function requestAbout(subject, kind, quiet = false) {
  const sent = subject(), before = JSON.stringify(sent), isStale = () => JSON.stringify(subject()) !== before;
  const answer = await request(kind, sent, isStale, quiet);
  if (!answer || isStale()) return null;
  if (!answer.error) return answer;
  if (!quiet) say(answer.error, true);
  return null;
}
// Requests a board and opens it, unless the board of a later request is open by then.
export async function requestBoard(kind, more, use, refuse) {
  const number = ++boardRequests;
  const answer = await request(kind, more, () => number < opened);
  if (!answer || number < opened) return;
  if (answer.error) return refuse(answer.error);
  opened = number;
  use(answer);
}
