/* The table's page: every press becomes an entry of the line (queue.js) and is shown at once (pending.js). Where the
   page does not know what comes next, the press waits. The line above the page says what is saved. */
(() => {
  "use strict";
  const BOUNCE_MS = 100;   // a finger that bounces: nobody sees the next box sooner, so the second tap was not meant
  const BACK_MS = 700;     // a finger taps on for so long after its taps were taken back
  const DECIDES = /^(hit|stand|double|split|surrender|look|close_insurance)\b/;
  const OWN = /^(csrfmiddlewaretoken|key|basis|do|mode|deal|shoe|seen|called|hole|at|(bet|was)-\d+)$/;
  const OFF = ':disabled, [aria-disabled="true"]';
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const table = () => document.getElementById("table");
  const queue = globalThis.cutlineQueue, { line, state } = queue;
  const drafts = globalThis.cutlineDrafts, entering = globalThis.cutlineEntering;
  const page = { typed: 0, last: null, knows: true, making: null, draft: null, later: null, muted: false, discards: "", told: "", before: "", toldOn: "", lost: "" };

  /* --- what is saved and what is not --- */
  const HALF = /^[a2-9tjqk1]$/i;
  // A typed card is two keys, rank and suit, and counts once.
  const isHalf = ({ press }) => press?.kind === "key" && HALF.test(press.value);

  function tell() {
    const place = document.querySelector("[data-sending]");
    if (!place) return;
    // The line is kept from answer to answer; each answer brings who has changed the hand.
    const words = { ...place.dataset, ...document.getElementById("hand-news")?.dataset };
    const count = line.filter((entry) => !isHalf(entry)).length;
    const which = line.length ? state.away ? "away" : "busy" : state.changed ? "changed" : state.lost.length ? "lost" : state.perhaps.length ? "perhaps" : words.news ? "news" : state.saved ? "saved" : "";
    const held = line.filter(({ body }) => !body).map(({ word }) => word).join(" ");
    const text = state.waited && words[`${which}Waited`] || words[which] || "";
    place.textContent = text.replace("{n}", which === "saved" ? state.waited : count) + (held ? ` · ${held}` : "");
    place.classList.toggle("is-old", ["away", "lost", "perhaps", "changed"].includes(which));
    place.classList.toggle("is-off", !which);
    tellLost(words);
    tellLater(words);
  }

  function tellLost(words) {
    const place = document.getElementById("not-saved");
    if (!place) return;
    const put = (text, some) => some.length ? [text.replace("{what}", some.join(" "))] : [];
    const out = state.out ? put(words.out, line.map(({ word }) => word)) : [], { other } = state, asks = Boolean(other) && page.discards === other.whose;
    const others = other ? put((asks ? words.discardAsk : other.isOwn ? words.own : words.other).replaceAll("{who}", other.who).replaceAll("{table}", other.at), other.what) : [];
    const { whose, shoe, number } = table()?.dataset || {}, mark = `${whose}.${shoe}.${number}`;
    if (page.toldOn !== mark) Object.assign(page, { told: toldBefore(mark), before: "", toldOn: mark });
    const lost = [page.told, ...put(words.what, state.lost), ...put(words.whatPerhaps, state.perhaps)].filter(Boolean).join(" ");
    const said = [lost, ...out, ...others].filter(Boolean).join(" ");
    // Store an empty text too, or a reload would show the old one.
    if (page.lost !== lost) try { page.lost = lost; sessionStorage.setItem("told", JSON.stringify({ mark, lost })); } catch { /* closed */ }
    if ((place.dataset.said || "") === said) return;
    place.dataset.said = said;
    const note = Object.assign(document.createElement("div"), { className: "note note-bad", textContent: said });
    if (out.length) note.append(" ", Object.assign(document.createElement("a"), { href: state.out, textContent: words.login }));
    if (lost) {
      const away = Object.assign(document.createElement("button"), { type: "button", className: "seen", onclick: seen });
      away.setAttribute("aria-label", words.seen);
      note.append(away);
    }
    if (others.length) { note.classList.add("note-asks"); note.append(discardKeys(words, other, asks)); }
    place.replaceChildren(...said ? [note] : []);
  }

  /* Discarding the taps of another login or table takes a second touch, on a key that names their owner. */
  function discardKeys(words, { who, whose }, asks) {
    const row = Object.assign(document.createElement("div"), { className: "row" });
    const key = (name, text, then) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: name === "go" ? "btn btn-stop-go" : "btn", textContent: text.replaceAll("{who}", who) });
      made.dataset.discard = name;
      made.onclick = () => { page.discards = then; if (name === "go") queue.discardOther(); else tell(); };
      return made;
    };
    row.append(...asks ? [key("go", words.discardGo, ""), key("keep", words.discardKeep, "")] : [key("ask", words.discard, whose)]);
    return row;
  }

  /* The note stays until somebody confirms it or the next hand begins: a finger is quicker than the eye. */
  function remember() {
    const { lost, perhaps } = state;
    if (lost.length || perhaps.length) Object.assign(page, { before: page.told, told: page.lost });
  }

  /* The form that was not saved has been sent again and answered: drop its note, keep the earlier ones. */
  function mended() { page.told = page.before; }

  /* The note from before a reload. */
  function toldBefore(mark) {
    try {
      const kept = JSON.parse(sessionStorage.getItem("told"));
      return kept?.mark === mark ? kept.lost : "";
    } catch { return ""; }
  }

  function seen() {
    page.told = page.before = "";
    Object.assign(state, { lost: [], perhaps: [] });
    tell();
  }

  /* --- a link that is pressed while presses wait is followed once all are saved --- */
  const waits = () => line.length || state.stale;
  const linkTo = (href) => table()?.querySelector(`a[href="${CSS.escape(href)}"]`);

  function tellLater(words) {
    const place = document.getElementById("opens-later"), { later } = page;
    if (!place) return;
    const said = later ? (later.gone ? words.gone : words.later).replace("{what}", later.word) : "";
    if (place.textContent === said) return;
    place.replaceChildren(...said ? [Object.assign(document.createElement("div"), { className: "note note-due", textContent: said })] : []);
  }

  function follow(link) {
    page.later = waits() || state.busy ? { href: link.getAttribute("href"), word: link.textContent.trim() } : null;
    if (page.later) tell(); else link.click();
  }

  /* Follow the link: it was pressed after the last tap, and that tap is saved. */
  function followLater() {
    if (!page.later || page.later.gone || waits() || state.busy) return;
    const link = linkTo(page.later.href), isSaved = !state.changed && !state.lost.length && !state.perhaps.length;
    page.later = link && isSaved ? null : { ...page.later, gone: true };
    tell();
    if (!page.later) link.click();
  }

  /* --- a press in words that also find it on the next page --- */
  const cardWord = (card) => `${card[0] === "T" ? "10" : card[0]}${SIGNS[card[1]] || ""}`;
  const wordOn = (button) => (button.firstElementChild?.matches("span") ? button.firstElementChild : button.firstChild)?.textContent.trim() || button.textContent.trim();

  function pressOf(target) {
    const button = target.closest("button:not([type=button]), [data-tap], [data-do]");
    if (!button || button.matches(OFF) && !button.dataset.held) return null;
    const word = wordOn(button);
    if (button.dataset.tap) return { kind: "tap", value: button.dataset.tap, word };
    if (button.dataset.do) return { kind: "do", value: button.dataset.do, word };
    if (!button.form) return null;
    if (button.dataset.card) return { kind: "card", value: button.dataset.card, word: cardWord(button.dataset.card) };
    if (button.name === "tap") return { kind: "tap", value: button.value, word };
    // A form may have several buttons: one hand for the simulated players, or all hands.
    return { kind: "do", value: button.name === "do" ? button.value : doOf(button.form), word, says: button.name ? [button.name, button.value] : null };
  }

  const doOf = (form) => form.querySelector('input[name="do"]')?.value || "";
  const formOf = (what) => [...table().querySelectorAll("form")].find((each) => doOf(each) === what);

  function found(press) {
    const here = table();
    // The page asks for each box, and for the hole card, what went wrong: a new page may ask about another box.
    if (press.value === "wrong") return null;
    if (press.kind === "card") return here.querySelector(`[data-card="${press.value}"]:not(${OFF})`);
    const value = CSS.escape(press.value);
    if (press.kind === "tap") return here.querySelector(`:is([data-tap="${value}"], button[name="tap"][value="${value}"]):not(${OFF})`);
    // A button may stand outside its form. Cards and decisions are presses of their own.
    const [name, said] = press.says || ["", ""];
    const own = (each) => each.matches(`button:not([type=button], ${OFF}, [name=card], [name=tap])`) && each.name === name && each.value === said;
    return here.querySelector(`[data-do="${value}"]:not(${OFF})`) || [...formOf(press.value)?.elements || []].find(own) || null;
  }

  /* Whether a finger bounced: Stand for box 1, while box 2 is shown already. A card never bounces; two boxes may insure at once. */
  function bounced(press, event) {
    if (press.value !== "undo" && (press.kind !== "tap" || !DECIDES.test(press.value))) return false;
    const action = press.value.split(":")[0], whose = document.querySelector("#table .wanted .eyebrow")?.textContent;
    const before = page.last;
    // The time of the touch: a busy page handles two taps at once that were far apart.
    page.last = { action, whose, at: event.timeStamp };
    if (!before || page.last.at - before.at >= BOUNCE_MS) return false;
    // The same key, or the key that came under the finger with the next box.
    return before.action === action || before.whose !== whose;
  }

  /* --- a press becomes an entry --- */
  const handHere = () => globalThis.cutlinePending?.handOf(line) || null;

  function carried(form, button) {
    const fields = [...new FormData(form, button)].filter(([name, value]) => !OWN.test(name) && value !== "");
    return new Map(fields);
  }

  /* The press in the words of ahead.js; empty if only the server can carry it out. */
  function saidOf(fields) {
    if (fields.has("burned") || fields.has("mishap")) return "";
    if (fields.has("card")) return fields.get("card");
    const value = fields.get("tap") || "", [action, seat] = value.split(":");
    if (value === "joker") return "JK";
    if (value.endsWith(":typed")) return `${action}:${seat}:${(fields.get(`${action}-amount-${seat}`) || "").replace(/\D/g, "")}`;
    return action === "not_dealt" ? "" : value;
  }

  function body(what, key, hand, fields) {
    const { dataset: here } = table(), made = new URLSearchParams({ do: what, key, mode: "cards", shoe: here.shoe || "" });
    made.set("deal", hand ? hand.deal : here.deal || "");
    if (hand?.begun) made.set("begun", hand.begun); else made.set("called", here.called || "");
    made.set("seen", hand ? hand.seen : here.seen || 0);
    for (const [name, value] of fields) made.append(name, value);
    return String(made);
  }

  const inHand = (hand) => ({ seen: hand ? hand.seen : Number(table().dataset.seen || 0), deal: hand ? hand.deal : table().dataset.deal || "", begun: hand?.begun || "" });

  /* A press that waited for its page keeps its key, so that a press from two windows counts once. */
  const newKey = () => page.making?.key || queue.newKey();

  /* A decision names its box: "Stand" alone does not say whose decision was lost. */
  const boxed = (word, box) => box ? document.getElementById("sending").dataset.boxed.replace("{what}", word).replace("{n}", box) : word;

  function addTap(form, fields, onKey) {
    const hand = handHere(), key = newKey(), word = boxed(onKey, /^[a-z_]+:(\d+)/.exec(fields.get("tap"))?.[1]);
    // Whether the card is the hole card depends on the hand as drawn ahead, not on the page.
    if ((hand?.view ? hand.view.hole : form?.elements.hole) && fields.has("card")) fields.set("hole", "1");
    push({ key, word, said: saidOf(fields), body: body("tap", key, hand, fields), ...inHand(hand) });
  }

  function addUndo(word) {
    const hand = handHere(), key = newKey();
    push({ key, word, undo: true, body: body("undo", key, hand, []), ...inHand(hand) });
  }

  /* The hand is settled after the last of the taps that are sent with this press. */
  function addSettle(word) {
    const hand = handHere(), key = newKey(), last = hand?.own.at(-1);
    const fields = [["basis", formIn("basis")], ...last ? [["after", last.key]] : []];
    push({ key, word, ends: true, what: "settle", body: body("settle", key, hand, fields) });
  }

  const formIn = (name) => table().querySelector(`input[name="${name}"]`)?.value || "";

  /* The first card also calls the bets. */
  function addBegin(form, button, word) {
    const key = newKey(), fields = new FormData(form, button), bets = {};
    for (const [name, value] of fields) if (/^bet-\d+$/.test(name) && Number(value)) bets[name.slice(4)] = Number(value);
    push({ key, word, bets, shoe: fields.get("shoe"), seen: 0, begun: "", deal: "", said: saidOf(carried(form, button)), body: whole(fields, key) });
  }

  function whole(fields, key) {
    fields.set("key", key);
    fields.delete("csrfmiddlewaretoken");
    return String(new URLSearchParams(fields));
  }

  /* Any other form waits until no press is before it, and is then sent from the new page with the typed values. */
  function addForm(form, button, word) {
    const what = doOf(form);
    const typed = [...new FormData(form, button)].filter(([name]) => !OWN.test(name) || /^(at|(bet|was)-\d+)$/.test(name));
    // The same press twice counts once; the same form for another player waits for the first.
    if (line.some((entry) => entry.what === what && alike(entry.typed, typed))) return;
    const key = newKey();
    if (line.length && page.making === null) { push({ key, word, what, typed, ends: true, on: handNow() }); return; }
    const fields = new FormData(form, button);
    addTyped(form, fields);
    push({ key, word, what, typed, ends: true, body: whole(fields, key) });
  }

  /* A correction of the open hand; its pad is dead at once, so that no second touch taps the hand that comes. */
  function addAmend(form, button, word) {
    addForm(form, button, word);
    for (const each of form.elements) each.disabled = true;
  }

  /* Compare the typed values, without the box that is lit. */
  const alike = (one, other) => String((one || []).filter(([name]) => name !== "at")) === String(other.filter(([name]) => name !== "at"));

  /* Send the typed values of a hand with every other press, so that the next page can keep them. */
  function addTyped(form, fields) {
    const typing = document.getElementById("entering");
    if (!typing || form === typing) return;
    for (const [name, value] of new FormData(typing)) {
      if (/^(bet|was|out|hand|ins|dbl)-|^insurance$|^hands$/.test(name) && value) fields.append(name, value);
    }
  }

  function push(entry) {
    // The entered values are in the line now, or belong to an earlier page.
    if (entry.bets || entry.ends) entering.forget();
    if (!page.making) page.later = null;
    queue.add({ ...entry, draft: page.draft, typedBy: page.typed }, page.making);
    if (!page.making) queue.go();
  }

  /* --- a new page has come: the presses that waited for it --- */
  const MAY_END = ({ ends, press }) => ends || press && (press.value === "Enter" || press.kind === "do" && press.value !== "undo");

  /* The hand of a press: the page at that moment, and whether a press before it in the line may end that hand. */
  function handNow() {
    const { shoe = "", deal = "", number = "", last = "" } = table().dataset;
    return { shoe, deal, number, last, ended: line.some(MAY_END) };
  }

  /* A form fits its own hand only. A tap fits its hand, or the next one if it came after the press that ends the first,
     and only where nobody else has tapped since. */
  function fits({ on, press, key }) {
    const now = handNow();
    if (on?.shoe !== now.shoe) return false;
    const same = on.number === now.number && (on.deal === now.deal || Boolean(press) && !on.deal);
    if (!press) return same;
    const next = on.ended && Number(on.number) + 1 === Number(now.number);
    return (same || next) && (!now.last || same && now.last === on.last || isOurs(now.last, key));
  }

  /* Whether the last tap is of this window, or of another window that has sent the taps waiting in both. */
  const isOurs = (tap, key) => tap === key || queue.own.has(tap) || line.some((entry) => entry.key === tap);

  /* Whether another window has sent this press: then it is in the hand, as is the rank typed before its suit. */
  const isKnown = ({ key }) => (table()?.dataset.known || "").split(" ").includes(key.slice(0, 8));

  /* An Enter without a button takes no later press back. */
  const means = ({ press }) => press?.value !== "Enter";

  function make(entry) {
    if (isKnown(entry) || isHalf(entry) && line[0] && isKnown(line[0])) return true;
    if (!fits(entry)) return false;
    page.making = entry;
    try { return entry.press ? carryOut(entry.press) : resend(entry); } finally { page.making = null; }
  }

  function carryOut(press) {
    if (press.kind === "key") {
      const event = new KeyboardEvent("keydown", { key: press.value, bubbles: true, cancelable: true });
      (table() || document.body).dispatchEvent(event);
      return event.defaultPrevented;
    }
    const target = found(press);
    if (!target) return false;
    target.click();
    return true;
  }

  function resend(entry) {
    const form = formOf(entry.what);
    if (!form) return false;
    const fields = new FormData(form);
    for (const name of new Set(entry.typed.map(([each]) => each))) fields.delete(name);
    for (const [name, value] of entry.typed) fields.append(name, value);
    addTyped(form, fields);
    page.draft = entry.draft;
    push({ key: entry.key, word: entry.word, what: entry.what, typed: entry.typed, ends: true, body: whole(fields, entry.key) });
    return true;
  }

  /* --- the page that answers --- */
  function show(html) {
    const written = drafts.kept();
    globalThis.htmx.swap("#table", html, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
    globalThis.cutlinePending?.freePad();
    keepWriting(written);
    drafts.restore(state.written.splice(0));
    // Bets and results that were tapped since the press are newer than the answer.
    entering.restore();
    draw();
    // On a phone the pad covers most of the felt: move the box that plays above it.
    const here = table(), plays = here?.querySelector(".box.is-act") || here?.matches(":is([data-want=card], [data-want=hole])") && here.querySelector(".dealer");
    if (plays) plays.scrollIntoView({ block: "nearest" });
    // Show a refusal from its first word: on a long page it could be out of sight.
    const refusal = table()?.querySelector(".refused, .note-bad, .error");
    refusal?.scrollIntoView({ block: "nearest" });
    if (refusal?.offsetHeight > refusal?.closest(".says")?.clientHeight) refusal.scrollIntoView({ block: "start" });
    document.dispatchEvent(new CustomEvent("cutline:answered"));
  }

  /* Restore the drafts. Keys that were meant for a form that is gone are no taps. */
  function keepWriting(written) {
    const left = drafts.restore(written);
    left.forEach(loseOne);
    page.muted ||= left.some(({ focus, asks }) => focus || asks);
  }

  function draw() {
    const draws = globalThis.cutlinePending;
    page.knows = !state.stale && (table() && draws ? draws.draw(line) : !line.length);
    tell();
    followLater();
  }

  const say = (kind) => document.dispatchEvent(new CustomEvent("cutline:say", { detail: kind }));
  const fault = (status, saved) => say(status === 403 || status < 400 && saved === null ? "forbidden" : "again");
  const unshown = () => { tell(); say("unshown"); };
  // The hand drawn ahead is wrong, and nothing is sent again.
  const dropped = () => { document.dispatchEvent(new CustomEvent("cutline:answered")); draw(); };

  /* --- presses --- */
  function act(form, button) {
    const what = button?.dataset.do || (form ? doOf(form) : "tap"), word = button ? pressOf(button)?.word || wordOn(button) : "";
    page.draft = form ? drafts.sent(form, button) : null;
    if (what === "undo") return addUndo(word);
    if (what === "settle") return addSettle(word);
    if (button?.dataset.tap) return addTap(null, new Map([["tap", button.dataset.tap]]), word);
    if (what === "amend") return addAmend(form, button, word);
    const taps = ["card", "tap"].includes(button?.name), fields = form && taps ? carried(form, button) : null;
    if (taps && what === "bets" && !handHere()) return addBegin(form, button, word);
    if (taps && what !== "rebet" || what === "tap") return addTap(form, fields || carried(form, button), word);
    return addForm(form, button, word);
  }

  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#table") || !form.hasAttribute("hx-post")) return;
    stop(event);
    act(form, event.submitter);
  }, true);

  /* A tap right after taps were taken back was meant for the old page: report it as lost with them. */
  function fellBehind(press, event) {
    if (!event.isTrusted || event.timeStamp - state.backAt >= BACK_MS || isOther(press)) return false;
    // A person who taps on has not looked yet.
    state.backAt = event.timeStamp;
    loseOne(press);
    return true;
  }

  const isKept = () => (line.length || state.stale) && !page.knows && !page.making;

  addEventListener("click", (event) => {
    if (!event.target.closest?.("#table")) return;
    // A click by the keyboard or by a script has detail 0.
    if (isTaken && event.detail) { stop(event); return; }
    const link = event.target.closest("a[href]:not(#not-saved a)");
    if (link) {
      if ((waits() || state.busy) && !event.ctrlKey && !event.metaKey && !event.shiftKey) { stop(event); follow(link); }
      return;
    }
    // A label passes its click on to its field, and that click is the press.
    if (event.target.closest("label") && !event.target.matches("input") && event.target.closest("label").querySelector("input")) return;
    const press = pressOf(event.target);
    if (press && event.isTrusted && bounced(press, event)) { stop(event); return; }
    if (press && fellBehind(press, event)) { stop(event); return; }
    const key = event.target.closest("[data-tap], [data-do]");
    if (press && isKept() && !isOther(press)) hold(event, press);
    else if (press && key) { stop(event); act(null, key); }
  }, true);

  // A form waits as a whole, with its typed values.
  const isOther = ({ kind, value }) => kind === "do" && !["undo", "settle", "bets", "results"].includes(value);

  /* A touch that began on the page before makes no click on the new page. */
  let begun = null, isTaken = false;
  addEventListener("pointerdown", (event) => {
    page.muted = isTaken = false;
    const here = event.isPrimary && event.button === 0 && event.target.closest?.("#table");
    begun = here ? { press: pressOf(event.target), from: event.target, at: table(), on: handNow(), href: event.target.closest("a[href]:not(#not-saved a)")?.getAttribute("href") } : null;
  }, true);
  addEventListener("pointercancel", () => { begun = null; }, true);
  addEventListener("pointerup", (event) => {
    const { press, from, at, on, href } = begun || {}, isHere = from?.isConnected && at === table();
    begun = null;
    // Some browsers still click what lies there by now: that was not pressed.
    isTaken = Boolean((press || href) && !isHere);
    if (href && !isHere && event.isTrusted && linkTo(href)) { follow(linkTo(href)); return; }
    if (!press || isHere || !event.isTrusted || bounced(press, event)) return;
    if (fellBehind(press, event)) return;
    if (isKept()) keep(press, on); else if (!fits({ press, on }) || !carryOut(press)) loseOne(press);
  }, true);

  function hold(event, press) {
    stop(event);
    keep(press);
  }

  function loseOne({ word }) {
    state.lost.push(word);
    tell();
  }

  const loseSince = ({ word }) => loseOne({ word: (document.querySelector("[data-sending]")?.dataset.since || "{what}").replace("{what}", word) });

  function keep(press, on = handNow()) {
    // The press was meant for a hand that was drawn wrong.
    if (state.dropped) { loseOne(press); return; }
    // Two Enters count once: nobody has seen the page that the second one would press.
    const { what, press: other } = line.at(-1) || {};
    if (press.value === "Enter" && (["settle", "results", "bets"].includes(what) || ["Enter", "settle", "results", "bets"].includes(other?.value))) {
      if (line.at(-1).typedBy !== page.typed) loseSince(line.at(-1));
      return;
    }
    // A press that is on its way counts once. Values changed since are not in it: report them as lost.
    const first = press.kind === "do" && press.value !== "undo" && line.find((entry) => entry.what === press.value || entry.press?.value === press.value);
    if (first) { if (first.typedBy !== page.typed) loseSince(press); return; }
    page.later = null;
    queue.add({ word: press.word, press, on, typedBy: page.typed });
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
    if (event.key === "Escape") page.muted = false;
    if (page.muted && (event.key.length === 1 || ["Enter", "Backspace"].includes(event.key))) { stop(event); return; }
    if (!keysOn() || document.querySelector("details.ask[open]")) return;
    if (event.key.length > 1 && !["Enter", "Backspace"].includes(event.key)) return;
    if (event.repeat) { stop(event); return; }
    if (event.isTrusted && event.timeStamp - state.backAt < BACK_MS) { stop(event); state.backAt = event.timeStamp; loseOne({ word: event.key }); return; }
    if (!isKept()) return;
    stop(event);
    keep({ kind: "key", value: event.key, word: event.key });
  }, true);

  /* --- polling: an answer never replaces a page with waiting presses or with text being written --- */
  addEventListener("input", () => { page.typed += 1; }, true);
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.target.closest?.("#table")) return;
    if (line.length || state.stale) { event.preventDefault(); return; }
    event.detail.xhr.seen = `${state.count}.${page.typed}`;
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { seen } = event.detail.xhr;
    const looked = event.detail.requestConfig?.verb === "get" && event.detail.requestConfig.elt.matches("[hx-trigger^=every]");
    const covers = event.detail.target.id === "table" && drafts.kept().some(({ insures, focus }) => !insures || focus);
    if (looked && (covers || line.length || state.stale || seen !== `${state.count}.${page.typed}`)) event.detail.shouldSwap = false;
  });
  document.addEventListener("htmx:load", tell);
  // Presses that could not be stored are lost with the page.
  addEventListener("beforeunload", (event) => { if (line.length && state.unkept) event.preventDefault(); });

  queue.start({ make, show, fault, unshown, dropped, remember, mended, means, loseOne, changed: draw });
  draw();
  if (!line.length) entering.restore();
  queue.go();
})();
