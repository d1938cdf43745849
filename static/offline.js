/* A public page without network: shows the last copy and its age, and reloads once the network is back.
   The worker (/sw.js) caches the pages and marks a cached one with data-kept, its time in milliseconds. */
(() => {
  "use strict";
  const root = document.documentElement, worker = navigator.serviceWorker;
  const { all, store, replaceRows } = globalThis.cutline;
  const LOOK_SECONDS = 4;

  /* Browsers offer workers only for pages by HTTPS or from the machine itself. */
  async function start() {
    const first = !worker.controller;
    await worker.register("/sw.js");
    if (!first) return;
    const files = performance.getEntriesByType("resource").map((each) => each.name);
    (await worker.ready).active.postMessage({ keep: [location.origin + location.pathname, ...files] });
  }

  function say(line, at) {
    const minutes = Math.max(0, Math.floor((Date.now() - at) / 60_000));
    const words = line.dataset[minutes === 0 ? "now" : minutes === 1 ? "one" : "many"];
    const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    line.textContent = words.replace("{time}", time).replace("{n}", minutes);
    line.dataset.minutes = minutes;
    line.hidden = false;
  }

  /* Show the newest polled standings; returns the time at which they were last known to be current. */
  async function newest(at) {
    for (const area of all("[data-poll]")) {
      const kept = await caches.match(area.dataset.poll, { ignoreVary: true }), since = Number(kept?.headers.get("Cutline-At"));
      if (since > at) { replaceRows(area, await kept.text()); at = since; }
      at = Math.max(at, Number(store.get(`polled:${area.dataset.poll}`)));
    }
    return at;
  }

  async function goOn() {
    const found = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (found && found.status < 500) location.reload();
  }

  async function showKept() {
    const line = document.querySelector("[data-kept-line]");
    const at = await newest(Number(root.dataset.kept));
    all("[data-age]").forEach((place) => { place.textContent = ""; place.closest(".status")?.classList.add("is-old"); });
    say(line, at);
    setInterval(() => say(line, at), 1000);
    setInterval(goOn, LOOK_SECONDS * 1000);
    addEventListener("online", goOn);
  }

  if (root.dataset.kept) showKept();
  else if (worker) addEventListener("load", () => start().catch(() => { /* no room, or not allowed: works without */ }));
})();
