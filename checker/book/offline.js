/* Where a server gives the book: it can be installed, and after the first visit it needs no network. */
export function makeOffline() {
    if (!location.protocol.startsWith("http") || !("serviceWorker" in navigator))
        return;
    const manifest = document.createElement("link");
    manifest.rel = "manifest";
    manifest.href = "manifest.webmanifest";
    document.head.append(manifest);
    navigator.serviceWorker.register("service.js").catch(() => {}); /* then it is read with a network */
}
