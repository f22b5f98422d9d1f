// The visible part of the board: zoom and pan, by the viewBox of both pictures.

import { byId } from "./requests.js";

const EDGE = 14;   // units on the left and at the top for row and column numbers
const CROP = 6;    // units of the picture's margin that the page leaves out
const MOST = 8;    // the largest magnification

let whole = { x: 0, y: 0, w: 1, h: 1 };
let view = whole;

function show() {
  const box = [view.x, view.y, view.w, view.h].join(" ");
  byId("pieces").setAttribute("viewBox", box);
  byId("ground").firstElementChild?.setAttribute("viewBox", box);
  byId("cells").style.transform = `translate(${shift(view.x - whole.x, view.w)}, ${shift(view.y - whole.y, view.h)}) scale(${magnification()})`;
  const zoomed = magnification() > 1.001;
  byId("board").classList.toggle("zoomed", zoomed);
  byId("out").disabled = byId("fit").disabled = !zoomed;
}
const shift = (distance, of) => `${-100 * distance / of}%`;
// Puts an element that screen readers read over a square of the picture.
export function place({ style }, x, y, size) {
  style.left = `${100 * (x - whole.x) / whole.w}%`;
  style.top = `${100 * (y - whole.y) / whole.h}%`;
  style.width = `${100 * size / whole.w}%`;
  style.height = `${100 * size / whole.h}%`;
}
// Shows a whole picture whose viewBox is given.
export function showWhole(box, withEdge) {
  const [x, y, w, h] = box.split(/[ ,]+/).map(Number), edge = withEdge ? 0 : EDGE + CROP;
  whole = { x: x + edge, y: y + edge, w: w - edge - CROP, h: h - edge - CROP };
  view = whole;
  byId("stage").style.setProperty("--shape", String(whole.w / whole.h));
  show();
}
export const fit = () => { view = whole; show(); };
export const magnification = () => whole.w / view.w;
// The point of the picture at a point of the screen.
export function pointAt(clientX, clientY) {
  const box = byId("pieces").getBoundingClientRect();
  return [view.x + (clientX - box.left) * view.w / box.width, view.y + (clientY - box.top) * view.h / box.height];
}
function moveTo(x, y, w) {
  const h = w * whole.h / whole.w;
  view = {
    x: Math.min(Math.max(x, whole.x), whole.x + whole.w - w), y: Math.min(Math.max(y, whole.y), whole.y + whole.h - h), w, h,
  };
  show();
}
// Zooms by a factor and keeps a point of the picture in its place on the screen.
export function zoom(factor, [x, y] = [view.x + view.w / 2, view.y + view.h / 2]) {
  const w = Math.min(Math.max(view.w / factor, whole.w / MOST), whole.w), ratio = w / view.w;
  moveTo(x - (x - view.x) * ratio, y - (y - view.y) * ratio, w);
}
// Moves the picture by a distance on the screen, in pixels.
export function pan(dx, dy) {
  const scale = view.w / byId("pieces").getBoundingClientRect().width;
  moveTo(view.x - dx * scale, view.y - dy * scale, view.w);
}
// Moves the picture so that a square of it is visible.
export function reveal(x, y, size) {
  const near = size / 2;
  const left = Math.min(Math.max(view.x, x + size + near - view.w), x - near);
  const top = Math.min(Math.max(view.y, y + size + near - view.h), y - near);
  if (left !== view.x || top !== view.y) moveTo(left, top, view.w);
}
