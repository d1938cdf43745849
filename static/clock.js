/* Counts the clocks of a page down every second, by the server's time: the phone's own may be wrong.
   Without this script a page says when a clock ends. data-clock-kind, data-clock-ends, data-clock-now: docs/design.md. */
(() => {
  "use strict";
  const root = document.documentElement;
  let offset = null, timer = 0;
  // A cached page has an old time, so it only says when the clock ends until the server sends the present time.
  const [opened] = performance.getEntriesByType("navigation");
  let kept = opened?.type === "back_forward" && opened.transferSize === 0;

  /* Note by how many ms the server's clock is ahead of the phone's. A slow answer gives too small a figure, so the
     largest counts; a much smaller one means that the phone's clock was set. */
  function learn(serverMs) {
    const found = serverMs - Date.now();
    if (offset === null || found > offset || found < offset - 10000) offset = found;
  }

  function words(seconds) {
    const two = (n) => String(n).padStart(2, "0");
    const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
    return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  }

  function show(clock, leftMs) {
    const left = Math.max(0, Math.ceil(leftMs / 1000));
    const state = left ? "running" : "up";
    if (clock.dataset.state !== state) clock.dataset.state = state;
    if (clock.dataset.secondsLeft === String(left)) return;
    clock.dataset.secondsLeft = left;
    clock.querySelector("[data-clock-left]").textContent = words(left);
  }

  function tick() {
    clearTimeout(timer);
    let next = 1000;
    document.querySelectorAll("[data-clock-kind]").forEach((clock) => {
      // Only for a page that was just opened: later fragments may come from a cache; the header of a poll never does.
      if (offset === null) learn(Number(clock.dataset.clockNow));
      if (!clock.dataset.clockEnds) return;
      const leftMs = Number(clock.dataset.clockEnds) - Date.now() - offset;
      show(clock, leftMs);
      // Wake just after the next full second.
      if (leftMs > 0) next = leftMs % 1000 + 5;
    });
    root.classList.toggle("counts", !kept);
    timer = setTimeout(tick, next);
  }

  // Every answer to a poll has the server's time, even if nothing else has changed.
  document.addEventListener("cutline:polled", ({ detail }) => {
    if (detail) { learn(Number(detail)); kept = false; }
    tick();
  });
  // Fragments of staff pages are never cached.
  document.addEventListener("htmx:load", ({ detail: { elt } }) => {
    elt.querySelectorAll("[data-clock-now]").forEach((clock) => learn(Number(clock.dataset.clockNow)));
    tick();
  });
  document.addEventListener("visibilitychange", tick);
  tick();
})();
