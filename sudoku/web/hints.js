// A hint: its stages (where, which technique, what follows), then a chain link by link.

import { events, game } from "./game.js";
import { byId, made, say } from "./requests.js";

let at = 0;         // the frame that is shown

const frames = () => [...game.step.stages, ...game.step.chain];
const lastStage = () => game.step.stages.length - 1;

function names() {
  const { stages, chain } = game.step;
  if (at >= stages.length) return `link ${at - stages.length + 1} of ${chain.length}`;
  return stages.length === 1 ? "" : `${at + 1} of ${stages.length}`;
}
function show(frame) {
  const { step } = game, all = frames();
  at = Math.max(0, Math.min(frame, all.length - 1));
  game.frame = { ...all[at], steps: at > lastStage() && at < all.length - 1 };
  const technique = at >= 1 && at <= lastStage();
  say(at === lastStage() && step.details.length ? shortened(game.frame.say) : game.frame.say, step.wrong.length > 0);
  byId("about-step").textContent = at === 1 && technique ? step.about : at === lastStage() ? step.eureka ?? "" : "";
  byId("net").hidden = !(step.details.length && at === lastStage());
  byId("net").querySelector("ol").replaceChildren(...step.details.map((line) => made("li", line)));
  byId("stage-name").textContent = names();
  byId("back").disabled = at === 0;
  byId("forward").disabled = at === all.length - 1;
  byId("steps").hidden = false;
  document.body.classList.remove("hinting");  // with it, smaller letters, and on phones as much room as the text needs
  const talk = byId("talk");
  document.body.classList.toggle("hinting", talk.scrollHeight > talk.clientHeight + 1 || step.details.length > 0);
  talk.scrollTop = 0;
  events.dispatchEvent(new Event("select"));
}
// The premise and the conclusion of a long sentence about a net, whose implications are listed below it.
function shortened(text) {
  if (text.length <= 120) return text;
  const net = /^(If [^,]+, then ).+, (and [^,]+, so [^,]+)$/.exec(text);
  if (net) return `${net[1]}\u2026, ${net[2]}`;
  if (text.length <= 300) return text;
  return text.slice(0, text.lastIndexOf(" ", 140)) + " \u2026 " + text.slice(text.indexOf(" ", text.length - 140) + 1);
}

export function showHint(answer) {
  game.step = answer;
  show(0);
}
// Shows the next stage of the hint, if there is one; returns whether there was.
export function nextStage() {
  if (!game.step || at >= lastStage()) return false;
  show(at + 1);
  return true;
}
export const forward = () => { if (game.step) show(at + 1); };
export const back = () => { if (game.step) show(at - 1); };
// Hides what belongs to a hint.
export function hideHint() {
  game.step = game.frame = null;
  byId("steps").hidden = byId("net").hidden = true;
  byId("about-step").textContent = "";
  document.body.classList.remove("hinting");
}
// Whether "Do it" can do anything for the hint.
export const isApplicable = () => Boolean(game.step)
  && ["place", "remove", "notes", "erase"].some((part) => game.step[part].length > 0);
