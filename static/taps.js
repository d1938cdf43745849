/* The table's page on a network that is slow or away: presses wait in a line and are sent one after the other.
   Each is sent with its own key until it has its answer, so none is lost and none counts twice; the next one is
   made on the page that the answer brings. The line above the page says what is saved and what is not yet. */
(() => {
  "use strict";
  const DOUBLE_MS = 250;   // a finger that bounces: the second tap was not meant
  const AGAIN_MS = 1500;
  const ANSWER_MS = 15000;
  const HANDS = /^(hit|stand|double|split|surrender):/;
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const table = () => document.getElementById("table");
  const waiting = [];      // presses that come after the one that is on its way
  const state = { sending: false, away: false, saved: false, lost: [], sent: 0, typed: 0, last: null, doing: "" };

  /* --- the line that tells the truth --- */
  function tell() {
    const line = document.querySelector("[data-sending]");
    if (!line) return;
    // A card is its rank and its suit: it counts once.
    const half = ({ kind, value }) => kind === "rank" || kind === "key" && /^[a2-9tjqk1]$/i.test(value);
    const count = waiting.filter((press) => !half(press)).length + (state.sending ? 1 : 0);
    const which = state.away ? "away" : state.sending ? "busy" : state.lost.length ? "lost" : state.saved ? "saved" : "";
    const words = which ? line.dataset[which] : "";
    line.textContent = words.replace("{n}", count).replace("{what}", state.lost.join(" "))
      + (state.sending && waiting.length ? ` · ${waiting.map(wordOf).join(" ")}` : "");
    line.classList.toggle("is-old", which === "away" || which === "lost");
    line.hidden = !which;
  }

  function wordOf(press) {
    if (press.kind === "rank") return press.value === "T" ? "10" : press.value;
    if (press.kind === "suit") return SIGNS[press.value];
    return press.word;
  }

  /* --- what was pressed, in words that hold on the next page as well --- */
  function pressOf(target) {
    const rank = target.closest("[data-rank]");
    if (rank) return { kind: "rank", value: rank.dataset.rank };
    const button = target.closest("button:not([type=button])");
    if (!button?.form || button.disabled && !button.dataset.held) return null;
    const word = button.firstChild?.textContent.trim() || button.textContent.trim();
    if (button.dataset.suit) return { kind: "suit", value: button.dataset.suit };
    if (button.name === "tap") return { kind: "tap", value: button.value, word };
    return { kind: "do", value: button.name === "do" ? button.value : doOf(button.form), word };
  }

  const doOf = (form) => form.querySelector('input[name="do"]')?.value || "";

  function found(press) {
    const here = table();
    if (press.kind === "rank") return here.querySelector(`[data-rank="${press.value}"] input:not(:disabled)`);
    if (press.kind === "suit") return here.querySelector(`[data-suit="${press.value}"]:not(:disabled)`);
    if (press.kind === "tap") return here.querySelector(`button[name="tap"][value="${CSS.escape(press.value)}"]:not(:disabled)`);
    const form = [...here.querySelectorAll("form")].find((each) => doOf(each) === press.value);
    return form?.querySelector("button:not([type=button], :disabled)") || null;
  }

  /* A finger that bounced: Stand for box 1, and box 2 is shown already. Two boxes may insure at once, though. */
  function bounced(press) {
    if (press.kind !== "tap" && press.value !== "undo") return false;
    const action = HANDS.test(press.value) ? press.value.split(":")[0] : press.value;
    const before = state.last;
    state.last = { action, at: Date.now() };
    return before?.action === action && state.last.at - before.at < DOUBLE_MS;
  }

  function carryOut(press) {
    if (press.kind === "key") {
      const event = new KeyboardEvent("keydown", { key: press.value, bubbles: true, cancelable: true });
      (table() || document.body).dispatchEvent(event);
      return event.defaultPrevented;
    }
    const target = found(press);
    if (!target) return false;
    if (press.kind === "rank") target.checked = true; else target.click();
    return true;
  }

  function goOn() {
    if (table()?.querySelector(".note-bad")) drop();
    while (waiting.length && !state.sending) {
      const press = waiting.shift();
      if (!carryOut(press)) { waiting.unshift(press); drop(); }
    }
    tell();
  }

  function drop() {
    state.lost.push(...waiting.splice(0).map(wordOf));
  }

  /* --- one on its way, until it is answered --- */
  async function send(form, button) {
    const body = new URLSearchParams(new FormData(form, button));
    addTyped(form, body);
    Object.assign(state, { sending: true, saved: false, lost: [], doing: doOf(form) });
    state.sent += 1;
    form.setAttribute("aria-busy", "true");
    if (form.id === "entering") form.inert = true;
    tell();
    const answer = await answered(form, body);
    state.sending = false; state.away = false;
    show(form, answer);
    goOn();
  }

  /* What is typed of a hand goes along with whatever else is pressed, so that the next page can keep it. */
  function addTyped(form, body) {
    const typing = document.getElementById("entering");
    if (!typing || form === typing) return;
    for (const [name, value] of new FormData(typing)) {
      if (/^(bet|out|hand|ins|dbl)-|^insurance$|^hands$/.test(name) && value) body.append(name, value);
    }
  }

  async function answered(form, body) {
    for (;;) {
      try {
        const headers = { "HX-Request": "true", "HX-Target": "table", "HX-Current-URL": location.href };
        const answer = await fetch(form.getAttribute("hx-post"), {
          method: "POST", body, headers, credentials: "same-origin", signal: AbortSignal.timeout(ANSWER_MS),
        });
        // A server that is starting, or a database that is away, saves nothing: the same press is sent again.
        if (![502, 503, 504].includes(answer.status)) return { status: answer.status, at: answer.url, html: await answer.text() };
      } catch { /* no network, or the answer was lost: whether it was saved is asked by sending it again */ }
      state.away = true;
      tell();
      await new Promise((wake) => { setTimeout(wake, AGAIN_MS); addEventListener("online", wake, { once: true }); });
    }
  }

  function show(form, { status, html }) {
    if (status < 500 && !/<html/i.test(html)) {
      state.saved = status < 300;
      globalThis.htmx.swap("#table", html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
      // A refusal is seen wherever one pressed: on a long page it would stand out of sight.
      table()?.querySelector(".note-bad, .error")?.scrollIntoView({ block: "nearest" });
      document.dispatchEvent(new CustomEvent("cutline:answered"));
      return;
    }
    // A log-in page, a closed door, a fault: the page stays, with its key; what waits is not sent blindly after it.
    form.removeAttribute("aria-busy");
    form.inert = false;
    drop();
    document.dispatchEvent(new CustomEvent("cutline:say", { detail: status === 403 || status < 400 ? "forbidden" : "unsaved" }));
  }

  /* --- presses --- */
  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#table") || !form.hasAttribute("hx-post")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!state.sending) send(form, event.submitter);
  }, true);

  addEventListener("click", (event) => {
    if (!event.target.closest?.("#table")) return;
    // A label hands its click on to its field: the field's own is the press.
    if (event.target.closest("label") && !event.target.matches("input") && event.target.closest("label").querySelector("input")) {
      if (state.sending && event.target.closest("[data-rank]")) { hold(event, pressOf(event.target)); }
      return;
    }
    const press = pressOf(event.target);
    if (press && event.isTrusted && bounced(press)) { stop(event); return; }
    if (press && state.sending) hold(event, press);
  }, true);

  /* A page that came anew under the finger makes no click of what was begun on the one before. */
  let begun = null;
  addEventListener("pointerdown", (event) => {
    const here = event.isPrimary && event.button === 0 && event.target.closest?.("#table");
    begun = here ? { press: pressOf(event.target), on: event.target } : null;
  }, true);
  addEventListener("pointercancel", () => { begun = null; }, true);
  addEventListener("pointerup", (event) => {
    const { press, on } = begun || {};
    begun = null;
    if (!press || on.isConnected || !event.isTrusted || bounced(press)) return;
    keep(press);
    if (!state.sending) goOn();
  }, true);

  function hold(event, press) {
    stop(event);
    keep(press);
  }

  function keep(press) {
    state.lost = [];
    // What is on its way already is not meant twice; a form that has to be filled in belongs to the page that it is on.
    if (press.kind !== "do" || press.value === "undo" || press.value === "settle" && state.doing !== "settle") waiting.push(press);
    else if (press.value !== state.doing) state.lost.push(press.word);
    tell();
  }

  function keysOn() {
    try { return localStorage.getItem("keys") !== "off"; } catch { return true; }
  }

  function stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  addEventListener("keydown", (event) => {
    if (!table() || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, dialog, .ask-body")) return;
    if (!keysOn() || document.querySelector("details.ask[open]")) return;
    if (event.key.length > 1 && !["Enter", "Backspace"].includes(event.key)) return;
    if (event.repeat) { stop(event); return; }
    if (!state.sending) return;
    stop(event);
    waiting.push({ kind: "key", value: event.key, word: event.key });
    tell();
  }, true);

  /* --- the page that looks again by itself: never over a press, never over what has been typed since --- */
  addEventListener("input", () => { state.typed += 1; }, true);
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.target.closest?.("#table")) return;
    if (state.sending) { event.preventDefault(); return; }
    event.detail.xhr.seen = `${state.sent}.${state.typed}`;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { seen } = event.detail.xhr;
    const looked = event.detail.requestConfig?.verb === "get" && event.detail.requestConfig.elt.matches("[hx-trigger^=every]");
    if (looked && (state.sending || seen !== `${state.sent}.${state.typed}`)) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:load", tell);
  addEventListener("beforeunload", (event) => { if (state.sending) event.preventDefault(); });
})();
