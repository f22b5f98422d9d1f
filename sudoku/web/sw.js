"use strict";
// Service worker: keeps copies of the page's files, with which the page opens when the server does not
// answer or is busy. Answers to requests are not kept.
//
// All files of a version have the same ETag (server.py). Files of two versions are never mixed: the
// copies are replaced together, and a page gets copies only if it is of their version.

const CACHE = "sudoku-page-2";
const versions = new Map();  // the ETag of the page in each window that was opened lately

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(activate()));
async function activate() {
  for (const name of await caches.keys()) if (name.startsWith("sudoku-page-") && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}
// The page sends the addresses of its files once they are loaded.
self.addEventListener("message", (event) => event.waitUntil(keep(event.data)));
async function keep(addresses) {
  const replies = await Promise.all(addresses.map((address) => fetch(address)));
  const version = replies[0].headers.get("ETag");
  if (!version || !replies.every((reply) => reply.ok && reply.headers.get("ETag") === version)) return;
  await caches.delete(CACHE);
  const cache = await caches.open(CACHE);
  await Promise.all(addresses.map((address, place) => cache.put(address, replies[place])));
}
self.addEventListener("fetch", (event) => {
  if (event.request.method === "GET") event.respondWith(file(event));
});
async function file({ request, clientId, resultingClientId }) {
  const opens = request.mode === "navigate";
  const copy = async () => {
    const kept = await caches.match(request, { cacheName: CACHE, ignoreSearch: true });
    return opens || kept?.headers.get("ETag") === versions.get(clientId) ? kept : undefined;
  };
  const answer = async () => {
    try {
      const reply = await fetch(request);
      return reply.status === 503 ? await copy() ?? reply : reply;
    } catch (error) {
      const kept = await copy();
      if (kept) return kept;
      throw error;
    }
  };
  const reply = await answer();
  if (opens) versions.set(resultingClientId, reply.headers.get("ETag"));
  return reply;
}
