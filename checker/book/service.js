/* The book's service worker, where a server gives it: from the first visit on, all of it is there without a
 * network. FILES and STAMP stand before this (offline.mjs); another stamp is another book, and takes its place. */
"use strict";

const CACHE = `layer-norm-workbook ${STAMP}`;

addEventListener("install", (event) => {
    const fill = async () => (await caches.open(CACHE)).addAll(FILES.map((name) => new Request(name, { cache: "reload" })));
    event.waitUntil(fill().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
    const clear = async () => {
        const old = (await caches.keys()).filter((name) => name.startsWith("layer-norm-workbook") && name !== CACHE);
        await Promise.all(old.map((name) => caches.delete(name)));
        await clients.claim();
    };
    event.waitUntil(clear());
});

addEventListener("fetch", (event) => {
    const answer = async () => (await (await caches.open(CACHE)).match(event.request, { ignoreSearch: true }))
        ?? fetch(event.request);
    if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin)
        event.respondWith(answer());
});
