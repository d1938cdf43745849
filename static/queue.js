/* Presses of the table's page wait in a line until each has its answer; the tablet stores them over a reload and a
   log-in. Each is sent as its form would send it alone, with its own key, so none is lost and none counts twice.
   Waiting presses are sent together, in their order; if one is refused, those after it are taken back too. */
(() => {
  "use strict";
  const AGAIN_MS = 1500;
  const ANSWER_MS = 15000;
  const FAULTS_MOST = 3;
  const AT_ONCE = 40;
  const ASKED = ["seating_closes", "amend_drops", "chips_due"];
  const KEPT_MS = 2 * 60 * 60 * 1000;
  const line = [];         // {id, key, word, body, ...}; a press without a body waits for the page that it needs
  const own = new Set();   // the keys of the presses of this line that the server has carried out
  // stale: the page is older than the saved state; dropped: taps drawn on it were taken back; waited: how many taps
  // were on the tablet as the page was loaded.
  const state = { busy: false, away: false, saved: false, changed: false, gone: false, unkept: false, stale: false, dropped: false, waited: 0, other: null, renewed: false, out: "",
    lost: [], perhaps: [], written: [], back: "", backAt: -Infinity, faults: 0, count: 0 };
  const table = () => document.getElementById("table");
  let hooks = {};

  /* --- stored on the tablet: each press under its own name, so that two windows do not overwrite each other --- */
  const prefix = () => `taps.${table()?.dataset.whose || ""}.`;
  // Text about a person is stored only until the window is closed.
  const isWritten = ({ body, typed }) => /(^|&)reason=[^&]/.test(body || "") || Boolean(typed?.some(([name, value]) => name === "reason" && value));
  const shelfOf = (entry) => isWritten(entry) ? sessionStorage : localStorage;
  const shelved = new Set();
  function store(entry) {
    try {
      shelfOf(entry).setItem(prefix() + entry.id, JSON.stringify(entry));
      shelved.add(entry.id);
    } catch { state.unkept = true; }
  }

  /* Whether another window of the tablet has removed this press: its answer is shown there. */
  function isElsewhere(entry) {
    try { return shelved.has(entry.id) && shelfOf(entry).getItem(prefix() + entry.id) === null; } catch { return false; }
  }

  function forget(entry) {
    try { shelfOf(entry).removeItem(prefix() + entry.id); } catch { /* closed */ }
  }

  function load() {
    if (!table()) return;
    let kept = [];
    try {
      kept = [localStorage, sessionStorage].flatMap((shelf) => Object.keys(shelf).filter((name) => name.startsWith(prefix())).map((name) => ({ name, shelf })));
    } catch { return; }
    kept.sort((one, other) => one.name < other.name ? -1 : 1);
    for (const { name, shelf } of kept) {
      try { line.push(JSON.parse(shelf.getItem(name))); } catch { shelf.removeItem(name); }
    }
    // They may have been sent before the page was reloaded.
    line.forEach((entry) => {
      entry.doubt = Boolean(entry.body);
      shelved.add(entry.id);
    });
    state.count = line.length;
    // If the tablet was put away, tell its owner and send none of the old presses.
    if (line.length && isOld(line[0].id)) { lose(); state.backAt = -Infinity; }
    state.waited = line.length;
    state.other = waitsForOther();
  }

  const isOld = (id) => Date.now() - Number(id.split(".")[0]) > KEPT_MS;

  /* The taps that wait on this tablet, for each login and table: [{login, whose, who, at, what, kept}], each in the order of
     its taps. Left out: taps that are too old to be sent, and taps of an earlier release, which name neither. */
  function waiting() {
    const found = new Map();
    for (const shelf of [localStorage, sessionStorage]) {
      for (const name of Object.keys(shelf).sort()) {
        const [kind, login, where, ...id] = name.split(".");
        if (kind !== "taps" || isOld(id.join("."))) continue;
        try {
          const { who, at, word } = JSON.parse(shelf.getItem(name)), whose = `${login}.${where}`;
          if (!who || !at) continue;
          if (!found.has(whose)) found.set(whose, { login, whose, who, at, what: [], kept: [] });
          found.get(whose).what.push(word);
          found.get(whose).kept.push({ shelf, name });
        } catch { /* not ours */ }
      }
    }
    return [...found.values()];
  }

  /* The taps of another login or for another table, or null: this page names them, and does not send them. */
  function waitsForOther() {
    const { whose } = table().dataset, other = waiting().find((each) => each.whose !== whose);
    return other ? { ...other, isOwn: other.login === whose.split(".")[0] } : null;
  }

  // Another window of the tablet has sent or discarded some.
  addEventListener("storage", () => { if (state.other) { state.other = waitsForOther(); hooks.changed(); } });

  /* Forget exactly the taps that were named. */
  function discardOther() {
    state.other?.kept.forEach(({ shelf, name }) => shelf.removeItem(name));
    state.other = waitsForOther();
    hooks.changed();
  }

  function newKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = bytes[6] & 15 | 64;
    bytes[8] = bytes[8] & 63 | 128;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  /* Add a press at the end; one made from a press that waited for its page takes the place of that one. */
  let made = 0;
  function add(entry, instead) {
    made += 1;
    const at = `${String(Date.now()).padStart(14, "0")}.${String(made).padStart(6, "0")}`;
    const whole = { ...entry, who: table().dataset.who, at: document.querySelector("#table h1").textContent, key: entry.key || newKey(), id: instead ? `${instead.id}.${made}` : at };
    if (instead) line.unshift(whole); else line.push(whole);
    hooks.remember();
    Object.assign(state, { lost: [], perhaps: [], written: [], changed: false, saved: false, waited: 0, other: null, count: state.count + 1 });
    store(whole);
    hooks.changed();
    return whole;
  }

  function take(count) {
    const taken = line.splice(0, count);
    taken.forEach(forget);
    return taken;
  }

  /* Report all waiting presses as lost. Those without an answer may be saved after all, unless isSure: a refusal proves they are not. */
  function lose(first = [], isSure = false) {
    hooks.remember();
    state.backAt = performance.now();
    document.dispatchEvent(new CustomEvent("cutline:back"));
    const here = line.filter((entry) => !isElsewhere(entry));
    take(line.length);
    const all = [...first, ...here].filter(({ word }) => word), words = (some) => some.map(({ word, draft }) => draft?.text ? `${word} “${draft.text}”` : word);
    state.perhaps = words(all.filter(({ doubt }) => doubt && !isSure));
    const sure = all.filter(({ doubt }) => !doubt || isSure);
    state.lost = words(sure);
    if (all.some(isBack)) hooks.mended();
    state.back = sure.length === 1 && !state.perhaps.length ? formOf(sure[0]) : "";
    // Typed text is put back into its form, so that one touch sends it again.
    state.written = sure.flatMap(({ draft }) => draft || []);
  }

  /* Whether this press sends the lost form again: for the same player, if it names one. */
  const chosen = (draft) => draft.fields.filter(({ name }) => name === "stack").map(({ value }) => value);
  const formOf = ({ draft, what }) => draft ? `${draft.mark} ${chosen(draft)}` : what || "";
  const isBack = (entry) => Boolean(state.back) && formOf(entry) === state.back;

  /* Drop presses that another window has answered: sending them again could save what was reported as not saved. */
  function dropElsewhere() {
    const here = line.filter((entry) => !isElsewhere(entry));
    if (here.length === line.length) return;
    line.splice(0, line.length, ...here);
    state.stale = true;
  }

  /* --- send one request after another, until the line is empty and the page up to date --- */
  async function go() {
    if (state.busy) return;
    state.busy = true;
    while ((line.length || state.stale) && !state.gone) {
      dropElsewhere();
      // Taps on a stale page wait for the new page.
      if (state.stale) await lookAgain();
      else if (line[0].body) {
        hooks.changed();
        const unmade = line.findIndex(({ body }) => !body), ready = unmade < 0 ? line.length : unmade;
        await answer(line.slice(0, Math.min(ready, AT_ONCE)));
      } else {
        // This tap waited for its page, which is here now; it may lack the key, or show another hand.
        const [first] = take(1);
        if (!hooks.make(first)) { if (hooks.means(first)) lose([first]); else hooks.loseOne(first); hooks.changed(); }
      }
    }
    state.busy = false;
    hooks.changed();
  }

  async function answer(batch) {
    const came = await ask(batch);
    if (!came) { doubt(batch); state.away = true; hooks.changed(); await again(); return; }
    state.away = false;
    const { status, html, saved, refused, to, isPage } = came;
    if (to) { leave(to); return; }
    if (status === 403 && saved === null && await isRenewed()) return;
    if (saved !== null) state.renewed = false;
    if (saved) state.faults = 0;
    const done = take(saved || 0);
    done.forEach(({ key }) => own.add(key));
    if (done.some(isBack)) { state.back = ""; hooks.mended(); }
    if (saved === null || !isPage || status >= 500) { await fault(status, saved, batch); return; }
    state.faults = 0;
    if (status >= 400) {
      // The new page asks about this very press and keeps its text, so do not report it as lost.
      if (ASKED.includes(refused) && line[0]?.what) take(1);
      lose([], true);
      state.changed = refused === "stale";
    }
    state.saved = status < 400;
    arrived(html);
  }

  function arrived(html) {
    // The answer left out a part that this page no longer has, since another page came in between.
    state.stale = [...html.matchAll(/id="([\w-]+)" hx-preserve/g)].some(([, id]) => !document.getElementById(id));
    state.dropped = false;
    if (!state.stale) hooks.show(html);
  }

  /* A login that is refused, or a fault: remove what is saved, send the rest again; after some attempts report it as not saved. */
  async function fault(status, saved, batch) {
    doubt(saved === null ? batch : batch.slice(saved, saved + 1));
    if (saved) { state.stale = true; hooks.changed(); } else state.faults += 1;
    if (!line.length) { state.saved = true; return; }
    if (state.faults < FAULTS_MOST) { hooks.fault(status, saved); await again(); return; }
    lose();
    Object.assign(state, { faults: 0, stale: true, dropped: true });
    hooks.dropped();
  }

  const doubt = (batch) => batch.forEach((entry) => { entry.doubt = true; });

  /* Leave the page, unless presses could not be stored and would be lost with it: then say so. */
  function leave(to) {
    state.gone = true;
    if (state.unkept && line.length) { state.out = to; hooks.changed(); } else location.assign(to);
  }

  addEventListener("pageshow", ({ persisted }) => { if (persisted && table()) { state.gone = false; go(); } });

  /* After a 403: somebody has logged in in another window. The same person goes on with the new form's secret; for
     another person the taps stay stored until their owner is back. Returns whether that was the cause. */
  async function isRenewed() {
    const page = state.renewed ? null : await ask(null);
    const there = page?.isPage && new DOMParser().parseFromString(page.html, "text/html").getElementById("table");
    if (!there) return false;
    state.renewed = true;
    if (there.dataset.whose === table().dataset.whose) {
      const secret = there.querySelector("[name=csrfmiddlewaretoken]")?.value;
      document.querySelectorAll("#table [name=csrfmiddlewaretoken]").forEach((field) => { field.value = secret || field.value; });
      return Boolean(secret);
    }
    Object.assign(state, { lost: [], perhaps: [] });
    if (state.unkept) lose(); else line.length = 0;
    arrived(page.html);
    load();
    if (state.unkept) state.other = null;
    hooks.changed();
    return true;
  }

  /* Load the present page; until it arrives, no presses are made on the old one. */
  async function lookAgain() {
    const came = await ask(null);
    if (came?.to) leave(came.to);
    else if (came?.isPage && came.status < 400) { state.away = false; arrived(came.html); }
    // Asking again would be refused again, with a line in the security log each time.
    else if (came?.status === 403) { state.gone = true; hooks.fault(403, null); }
    else { state.away = !came; hooks.unshown(); await again(); }
  }

  const again = () => new Promise((wake) => { setTimeout(wake, AGAIN_MS); addEventListener("online", wake, { once: true }); });

  /* Send presses, or without any load the page. Returns {status, html, isPage, saved, refused, to}; null without an answer. */
  async function ask(batch) {
    const body = new URLSearchParams({ csrfmiddlewaretoken: document.querySelector("#table [name=csrfmiddlewaretoken]")?.value || "" });
    if (batch) {
      body.set("whose", table().dataset.whose);
      // Name the parts that never change, so that they are not sent again; pending.js must be there to adapt a kept pad.
      if (globalThis.cutlinePending) body.set("once", [...table().querySelectorAll("[data-once]")].map(({ id }) => id).join(" "));
    }
    batch?.forEach((entry) => body.append("press", entry.body));
    const headers = { "HX-Request": "true", "HX-Target": "table", "HX-Current-URL": location.href };
    const asked = batch ? { method: "POST", body } : { cache: "no-store" };
    try {
      const came = await fetch(location.pathname, { ...asked, headers, credentials: "same-origin", signal: AbortSignal.timeout(ANSWER_MS) });
      const [saved, refused, to] = ["Cutline-Saved", "Cutline-Refused", "HX-Redirect"].map((name) => came.headers.get(name));
      // A starting server or an unreachable database saves nothing: send the same presses again.
      if ([502, 503, 504].includes(came.status) && !Number(saved)) return null;
      const html = await came.text();
      return { status: came.status, html, isPage: html.includes('id="table"'), saved: saved === null ? null : Number(saved), refused, to };
    } catch { return null; /* no network, or a lost answer: sending it again shows whether it was saved */ }
  }

  globalThis.cutlineQueue = { line, state, own, newKey, add, take, go, waiting, discardOther, start(given) { hooks = given; load(); } };
})();
