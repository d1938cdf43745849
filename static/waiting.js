/* On the log-in page and where a table is refused: whose taps wait on this tablet, and how they are sent (queue.js). */
(() => {
  "use strict";
  const place = document.getElementById("taps-waiting");
  let waiting = [];
  try { waiting = globalThis.cutlineQueue.waiting(); } catch { /* the browser stores nothing, so nothing waits */ }
  for (const { who, at, what } of waiting) {
    const note = place.querySelector("template").content.cloneNode(true);
    note.querySelector("div div").textContent = place.dataset.words.replaceAll("{who}", who).replaceAll("{table}", at).replace("{n}", what.length);
    place.append(note);
  }
})();
