/* Cutline's small script for every page. Pages work without it; it makes them live.
   data-poll, data-find, data-print, .theme: docs/design.md. staff.js has what only staff pages need. */
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const store = {
    get(name) { try { return localStorage.getItem(name); } catch { return null; } },
    set(name, value) {
      try { value === null ? localStorage.removeItem(name) : localStorage.setItem(name, value); } catch { /* closed */ }
    },
  };

  /* --- theme --- */
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);

  function switchTheme() {
    root.dataset.theme = isDark() ? "light" : "dark";
    store.set("theme", root.dataset.theme);
  }

  /* --- polling: data-poll="URL" data-every="4" data-every-live="0.5", in seconds --- */
  function startPolling(area) {
    const { every = 4, everyLive = every } = area.dataset;
    const state = { etag: area.dataset.etag || null, at: Date.now(), failed: 0, late: false, timer: 0, controller: null };
    const again = () => {
      clearTimeout(state.timer);
      // A page of a finished event stops polling; it asks once when it is shown again.
      state.over = Boolean(area.querySelector("template[data-over]"));
      if (state.over) return;
      // While hands are dealt a change shows within a second; at other times there is no hurry.
      const seconds = Number(area.querySelector("template[data-live]") ? everyLive : every);
      // A random part spreads the phones of a hall; without network the waits grow.
      const often = document.hidden ? Math.max(seconds, 10) : seconds;
      const wait = Math.min(often * 2 ** Math.min(state.failed, 5), 30) * (900 + Math.random() * 200);
      state.timer = setTimeout(ask, wait);
    };
    async function ask() {
      // A hidden page does not poll, unless the player waits for a call (pinned.js).
      if (document.hidden && !globalThis.cutline.waitsForCall?.()) return;
      state.controller?.abort();
      const controller = state.controller = new AbortController();
      const timeout = setTimeout(() => controller.abort(), 8000);
      try {
        const headers = { "X-Requested-With": "fetch" };
        if (state.etag) headers["If-None-Match"] = state.etag;
        const answer = await fetch(area.dataset.poll, { headers, credentials: "same-origin", cache: "no-store", signal: controller.signal });
        if (answer.status === 200) {
          replaceRows(area, await answer.text());
          state.etag = answer.headers.get("ETag");
        } else if (answer.status !== 304) throw new Error(String(answer.status));
        state.at = Date.now(); state.failed = 0; state.late = false;
        document.dispatchEvent(new CustomEvent("cutline:polled", { detail: answer.headers.get("Cutline-Now") }));
      } catch {
        if (controller !== state.controller) return; // a newer request has replaced this one
        state.failed += 1; state.late ||= state.failed > 1;
      } finally { clearTimeout(timeout); }
      showAge(state);
      again();
    }
    setInterval(() => showAge(state), 1000);
    // If the next page opens without network, it says how old its standings are (offline.js).
    addEventListener("pagehide", () => store.set(`polled:${area.dataset.poll}`, String(state.at)));
    document.addEventListener("visibilitychange", () => { if (!document.hidden) { clearTimeout(state.timer); ask(); } });
    // The network may need a moment after this event: the waits begin anew, so that the next tries follow soon.
    addEventListener("online", () => { state.failed = 0; ask(); });
    addEventListener("offline", () => showAge(state));
    again();
    showAge(state);
  }

  function showAge({ at, late, over }) {
    all("[data-age]").forEach((place) => {
      if (over) { place.textContent = ""; return; }
      const old = late || !navigator.onLine;
      const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      const words = old ? place.dataset.offline : place.dataset.fresh;
      if (words) place.textContent = words.replace("{time}", time).replace("{n}", Math.max(0, Math.round((Date.now() - at) / 1000)));
      place.closest(".status")?.classList.toggle("is-old", old);
    });
  }

  const rowsOf = (area) => new Map(all("[data-entry]", area).map((row) => [row.dataset.entry, row]));

  function replaceRows(area, html) {
    const before = new Map([...rowsOf(area)].map(([code, row]) => [code, { ...row.dataset }]));
    area.innerHTML = html;
    showStatus(area);
    showClock(area);
    for (const [code, row] of rowsOf(area)) {
      const old = before.get(code);
      if (!old) continue;
      if (old.place !== row.dataset.place) row.classList.add("has-moved");
      if (old.stack !== row.dataset.stack) row.classList.add("has-grown");
    }
    all("form[data-find]").forEach(refreshFind);
    document.dispatchEvent(new CustomEvent("cutline:rows"));
  }

  /* Update the status line above the list. */
  function showStatus(area) {
    const now = area.querySelector("template[data-status]"), line = document.querySelector("[data-status-line]");
    if (!now || !line) return;
    line.textContent = now.content.textContent;
    line.dataset.state = now.dataset.state;
    line.closest(".status")?.classList.toggle("is-still", !("live" in now.dataset));
  }

  /* Update the clock on top of the page. */
  function showClock(area) {
    const now = area.querySelector("template[data-clock]"), place = document.querySelector("[data-clock-place]");
    if (now && place) place.replaceChildren(now.content.cloneNode(true));
  }

  /* --- finding yourself: data-find="EVENT SLUG" --- */
  const pinName = (form) => `you:${form.dataset.find}`;
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

  function matching(word) {
    const rows = all(".standings [data-entry]");
    const number = word.replace(/^e?0*/, "");
    const exact = rows.filter((row) => row.dataset.entry.toLowerCase().replace(/^e?0*/, "") === number);
    return number && exact.length ? exact : rows.filter((row) => plain(`${row.dataset.name} ${row.dataset.entry}`).includes(word));
  }

  function filterRows(form) {
    const word = plain(form.querySelector("input").value);
    const found = new Set(word ? matching(word) : all(".standings [data-entry]"));
    all(".standings [data-entry]").forEach((row) => { row.hidden = !found.has(row); });
    all(".standings .cutrow").forEach((row) => { row.hidden = Boolean(word); });
    all("[data-find-none]").forEach((place) => { place.hidden = found.size > 0 || !word; });
    return [...found];
  }

  function pinFirst(form) {
    const input = form.querySelector("input");
    const found = plain(input.value) ? matching(plain(input.value)) : [];
    if (found.length) { store.set(pinName(form), found[0].dataset.entry); input.value = ""; input.blur(); }
    refreshFind(form);
  }

  function refreshFind(form) {
    filterRows(form);
    const code = store.get(pinName(form));
    const card = document.querySelector("[data-you]");
    const row = code && all(".standings [data-entry]").find((each) => each.dataset.entry === code);
    all(".standings .is-you").forEach((other) => other.classList.remove("is-you"));
    if (!card) return;
    // If the standings are hidden, hide the card too, even if the server has filled it in.
    if (!row) { if (card.dataset.you !== "server" || document.querySelector("[data-publication=hidden]")) card.hidden = true; return; }
    row.classList.add("is-you");
    card.hidden = false;
    all("[data-own-page]", card).forEach((link) => link.setAttribute("href", `entries/${code}/`));
    all("[data-slot]", card).forEach((slot) => {
      slot.textContent = row.dataset[slot.dataset.slot] || "";
      if (slot.dataset.slot === "change") slot.className = `change ${row.dataset.sign || "even"}`;
    });
  }

  function startFind(form) {
    const query = new URLSearchParams(location.search), asked = query.get("you") || query.get("me");
    // A player in a play-off has two rows, so compare entries and not rows.
    const codes = new Set(asked ? matching(plain(asked)).map((row) => row.dataset.entry) : []);
    if (codes.size === 1) store.set(pinName(form), [...codes][0]);
    form.querySelector("input").addEventListener("input", () => filterRows(form));
    refreshFind(form);
  }

  /* --- presses --- */
  document.addEventListener("submit", (event) => {
    if (event.target.matches("[data-find]")) { event.preventDefault(); pinFirst(event.target); }
  }, true);
  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest(selector);
    if (at(".theme")) switchTheme();
    else if (at("[data-print]")) print();
    else if (at("[data-unpin]")) all("form[data-find]").forEach((form) => { store.set(pinName(form), null); refreshFind(form); });
  });

  /* --- start --- */
  const wake = (from) => all("[data-script]", from).forEach((place) => { place.hidden = false; });
  wake(document);
  all("form[data-find]").forEach(startFind);
  if (!root.dataset.kept) all("[data-poll]").forEach(startPolling);
  globalThis.cutline = { all, store, wake, replaceRows };
})();
