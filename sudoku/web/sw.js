"use strict";
// Service worker: keeps copies of the page's files, with which the page opens when the server does not
// answer or is busy. Answers to requests are not kept.

const CACHE = "sudoku-page-1";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
// The page sends the addresses of its files once they are loaded; they replace the copies together.
self.addEventListener("message", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(event.data)));
});
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(file(event.request));
});
async function file(request) {
  const copy = () => caches.match(request, { cacheName: CACHE, ignoreSearch: true });
  try {
    const reply = await fetch(request);
    return reply.status === 503 ? await copy() ?? reply : reply;
  } catch (error) {
    const kept = await copy();
    if (kept) return kept;
    throw error;
  }
}
