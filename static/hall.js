/* A screen in the hall: shows one slide after the other, polls for new pictures, keeps the last one without network.
   data-hall, data-slide, data-urgent, data-seconds: docs/design.md. Without this script the page shows all slides. */
(() => {
  "use strict";
  const page = document.querySelector("[data-hall]");
  if (!page) return;
  const root = document.documentElement;
  const picture = page.querySelector("[data-picture]");
  const network = page.querySelector("[data-network]");
  const EVERY_MS = Number(page.dataset.every || 4) * 1000, SLOWEST_MS = 15000, ANSWER_MS = 8000, SLIDE_S = 10;
  const state = { etag: page.dataset.etag, lastAt: Date.now(), awayAt: 0, failed: 0, paused: false, key: "", turn: 0 };

  /* --- slides --- */
  const slides = () => [...picture.querySelectorAll("[data-slide]")];
  const shownAt = (all) => Math.max(0, all.findIndex((slide) => slide.dataset.slide === state.key));

  function show(slide, anew = true) {
    if (!slide) return;
    slides().forEach((each) => each.classList.remove("is-shown", "is-new"));
    slide.classList.add("is-shown");
    // A single slide does not move.
    if (anew && slide.dataset.slide !== state.key) slide.classList.add("is-new");
    state.key = slide.dataset.slide;
    if (!anew) return;
    clearTimeout(state.turn);
    state.turn = setTimeout(() => { if (!state.paused) step(1); }, Number(slide.dataset.seconds || SLIDE_S) * 1000);
  }

  function step(by) {
    const all = slides();
    show(all[(shownAt(all) + by + all.length) % all.length]);
  }

  function pause() {
    state.paused = !state.paused;
    page.querySelector("[data-tv=pause]").setAttribute("aria-pressed", String(state.paused));
    if (!state.paused) step(1);
  }

  /* --- the picture --- */
  const urgent = () => new Set(slides().map((slide) => slide.dataset.urgent).filter(Boolean));
  const stacks = () => new Map([...picture.querySelectorAll("[data-stack]")].map((row) => [row.dataset.entry, row.dataset.stack]));

  function replace(html) {
    const known = urgent(), before = stacks(), at = shownAt(slides());
    picture.innerHTML = html;
    if (picture.querySelector("[data-form]")?.dataset.form !== page.dataset.form) { location.reload(); return; }
    picture.querySelectorAll("[data-stack]").forEach((row) => {
      const old = before.get(row.dataset.entry);
      if (old && old !== row.dataset.stack) row.classList.add("has-grown");
    });
    const all = slides(), news = all.find((slide) => slide.dataset.urgent && !known.has(slide.dataset.urgent));
    const same = all.find((slide) => slide.dataset.slide === state.key);
    if (news) show(news);
    else if (same) show(same, false);
    else show(all[Math.min(at, all.length - 1)]);
  }

  /* --- the network: a fault is shown beside the last picture until an answer comes --- */
  async function ask() {
    const leave = new AbortController(), timeout = setTimeout(() => leave.abort(), ANSWER_MS);
    try {
      const headers = { "X-Requested-With": "fetch" };
      if (state.etag) headers["If-None-Match"] = state.etag;
      const answer = await fetch(page.dataset.hall, { headers, credentials: "omit", cache: "no-store", signal: leave.signal });
      if (answer.status === 200) { const html = await answer.text(); replace(html); state.etag = answer.headers.get("ETag"); }
      else if (answer.status !== 304) throw new Error(String(answer.status));
      state.lastAt = Date.now(); state.awayAt = 0; state.failed = 0;
      document.dispatchEvent(new CustomEvent("cutline:polled", { detail: answer.headers.get("Cutline-Now") }));
    } catch {
      state.failed += 1;
      state.awayAt = state.awayAt || Date.now();
    }
    clearTimeout(timeout);
    sayNetwork();
    again();
  }

  function again() {
    clearTimeout(state.next);
    const wait = Math.min(EVERY_MS * 2 ** Math.min(state.failed, 3), SLOWEST_MS);
    state.next = setTimeout(ask, wait * (0.9 + Math.random() * 0.2));
  }

  const clock = (at) => new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

  function sayNetwork() {
    const away = state.failed > 1 || (state.failed > 0 && !navigator.onLine);
    const words = away ? network.dataset.away : network.dataset.fresh;
    network.textContent = words.replace("{since}", clock(state.awayAt)).replace("{last}", clock(state.lastAt));
    network.classList.toggle("is-away", away);
  }

  /* --- keys and buttons to set the screen up --- */
  const acts = { back: () => step(-1), next: () => step(1), pause };
  const keys = { ArrowLeft: acts.back, ArrowRight: acts.next, " ": acts.pause };
  page.addEventListener("click", (event) => acts[event.target.closest("[data-tv]")?.dataset.tv]?.());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("button, a") || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener("pointermove", () => {
    root.classList.add("is-awake");
    clearTimeout(state.awake);
    state.awake = setTimeout(() => root.classList.remove("is-awake"), 3000);
  });
  addEventListener("online", ask);
  addEventListener("offline", ask);

  root.classList.add("is-hall");
  show(slides()[0]);
  sayNetwork();
  again();
})();
