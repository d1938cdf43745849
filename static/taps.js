/* The table's page: every press becomes an entry of the line (queue.js) and is shown at once (pending.js). Where the
   page does not know what comes next, the press waits. The line above the page says what is saved. */
(() => {
  "use strict";
  const BOUNCE_MS = 100;   // a finger that bounces: sooner than this nobody has seen the next box, and the tap was not meant
  const BACK_MS = 700;     // a finger goes on for so long after what it tapped was taken back
  const DECIDES = /^(hit|stand|double|split|surrender|look|close_insurance)\b/;
  const OWN = /^(csrfmiddlewaretoken|key|basis|do|mode|deal|shoe|seen|called|hole|at|(bet|was)-\d+)$/;
  const OFF = ':disabled, [aria-disabled="true"]';
  const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const table = () => document.getElementById("table");
  const queue = globalThis.cutlineQueue, { line, state } = queue;
  const drafts = globalThis.cutlineDrafts;
  const page = { typed: 0, last: null, knows: true, making: null, draft: null, later: null, muted: false, discards: "", told: "", before: "", toldOn: "", lost: "" };

  /* --- the line that tells the truth --- */
  const HALF = /^[a2-9tjqk1]$/i;
  // A card that is typed is its rank and its suit, and counts once.
  const isHalf = ({ press }) => press?.kind === "key" && HALF.test(press.value);

  function tell() {
    const place = document.querySelector("[data-sending]");
    if (!place) return;
    // The line itself stays from answer to answer; who has changed the hand comes with each.
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
    const out = state.out ? put(words.out, line.map(({ word }) => word)) : [], { other } = state, asks = Boolean(other) && page.discards === other.who;
    const others = other ? put((asks ? words.discardAsk : words.other).replaceAll("{who}", other.who).replaceAll("{table}", other.at), other.what) : [];
    const { whose, shoe, number } = table()?.dataset || {}, mark = `${whose}.${shoe}.${number}`;
    if (page.toldOn !== mark) Object.assign(page, { told: toldBefore(mark), before: "", toldOn: mark });
    const lost = [page.told, ...put(words.what, state.lost), ...put(words.whatPerhaps, state.perhaps)].filter(Boolean).join(" ");
    const said = [lost, ...out, ...others].filter(Boolean).join(" ");
    // Kept also where nothing is said any more, or a reload would say it again.
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

  /* Taps of another login are discarded by a second touch, on a key that names their owner. */
  function discardKeys(words, { who }, asks) {
    const row = Object.assign(document.createElement("div"), { className: "row" });
    const key = (name, text, then) => {
      const made = Object.assign(document.createElement("button"), { type: "button", className: name === "go" ? "btn btn-stop-go" : "btn", textContent: text.replaceAll("{who}", who) });
      made.dataset.discard = name;
      made.onclick = () => { page.discards = then; if (name === "go") queue.discardOther(); else tell(); };
      return made;
    };
    row.append(...asks ? [key("go", words.discardGo, ""), key("keep", words.discardKeep, "")] : [key("ask", words.discard, who)]);
    return row;
  }

  /* It stays until somebody says that it was seen, or the next hand is there: the finger is quicker than the eye. */
  function remember() {
    const { lost, perhaps } = state;
    if (lost.length || perhaps.length) Object.assign(page, { before: page.told, told: page.lost });
  }

  /* The form that was told as not saved was sent again, and has its answer: only what was told before it stays. */
  function mended() { page.told = page.before; }

  /* Also over a reload, or where the tablet has thrown the page away. */
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

  /* --- a link pressed while something waits: it says so, and is followed once all is saved --- */
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

  /* Nothing is left behind by it: it was pressed after the last tap, and that is saved. */
  function followLater() {
    if (!page.later || page.later.gone || waits() || state.busy) return;
    const link = linkTo(page.later.href), isSaved = !state.changed && !state.lost.length && !state.perhaps.length;
    page.later = link && isSaved ? null : { ...page.later, gone: true };
    tell();
    if (!page.later) link.click();
  }

  /* --- what was pressed, in words that hold on the next page as well --- */
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
    // Of several buttons of a form it is this one: one hand for the simulated players, or all of them.
    return { kind: "do", value: button.name === "do" ? button.value : doOf(button.form), word, says: button.name ? [button.name, button.value] : null };
  }

  const doOf = (form) => form.querySelector('input[name="do"]')?.value || "";
  const formOf = (what) => [...table().querySelectorAll("form")].find((each) => doOf(each) === what);

  function found(press) {
    const here = table();
    // What went wrong is asked about of each box, and of the hole card: on a page that came anew it may be of another.
    if (press.value === "wrong") return null;
    if (press.kind === "card") return here.querySelector(`[data-card="${press.value}"]:not(${OFF})`);
    const value = CSS.escape(press.value);
    if (press.kind === "tap") return here.querySelector(`:is([data-tap="${value}"], button[name="tap"][value="${value}"]):not(${OFF})`);
    // A button may stand outside its form; the cards and decisions of it are presses of their own.
    const [name, said] = press.says || ["", ""];
    const own = (each) => each.matches(`button:not([type=button], ${OFF}, [name=card], [name=tap])`) && each.name === name && each.value === said;
    return here.querySelector(`[data-do="${value}"]:not(${OFF})`) || [...formOf(press.value)?.elements || []].find(own) || null;
  }

  /* A finger that bounced: Stand for box 1, and box 2 is shown already. A card is never a bounce; two boxes may insure at once. */
  function bounced(press, event) {
    if (press.value !== "undo" && (press.kind !== "tap" || !DECIDES.test(press.value))) return false;
    const action = press.value.split(":")[0], whose = document.querySelector("#table .wanted .eyebrow")?.textContent;
    const before = page.last;
    // When the finger was there: a page that is busy comes to two taps at once that were far apart.
    page.last = { action, whose, at: event.timeStamp };
    if (!before || page.last.at - before.at >= BOUNCE_MS) return false;
    // The same key, or the one that came under the finger when the one before it was answered for.
    return before.action === action || before.whose !== whose;
  }

  /* --- a press becomes an entry --- */
  const handHere = () => globalThis.cutlinePending?.handOf(line) || null;

  function carried(form, button) {
    const fields = [...new FormData(form, button)].filter(([name, value]) => !OWN.test(name) && value !== "");
    return new Map(fields);
  }

  /* In the words of ahead.js; empty for what only the server can carry out. */
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

  /* What waited for its page keeps its key: made once more by another window of the tablet, it is the same press. */
  const newKey = () => page.making?.key || queue.newKey();

  /* A decision names its box: "Stand" alone does not say who is asked once more. */
  const boxed = (word, box) => box ? document.getElementById("sending").dataset.boxed.replace("{what}", word).replace("{n}", box) : word;

  function addTap(form, fields, onKey) {
    const hand = handHere(), key = newKey(), word = boxed(onKey, /^[a-z_]+:(\d+)/.exec(fields.get("tap"))?.[1]);
    // The card that is turned is the hole card where the hand says so, whatever the page was made from.
    if ((hand?.view ? hand.view.hole : form?.elements.hole) && fields.has("card")) fields.set("hole", "1");
    push({ key, word, said: saidOf(fields), body: body("tap", key, hand, fields), ...inHand(hand) });
  }

  function addUndo(word) {
    const hand = handHere(), key = newKey();
    push({ key, word, undo: true, body: body("undo", key, hand, []), ...inHand(hand) });
  }

  /* Settled as the last of the taps leaves the hand that are on their way with it. */
  function addSettle(word) {
    const hand = handHere(), key = newKey(), last = hand?.own.at(-1);
    const fields = [["basis", formIn("basis")], ...last ? [["after", last.key]] : []];
    push({ key, word, ends: true, what: "settle", body: body("settle", key, hand, fields) });
  }

  const formIn = (name) => table().querySelector(`input[name="${name}"]`)?.value || "";

  /* The first card says as well that there are no more bets. */
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

  /* Any other form is sent when nothing is before it any more, from the page as it is then, with what was typed. */
  function addForm(form, button, word) {
    const what = doOf(form);
    const typed = [...new FormData(form, button)].filter(([name]) => !OWN.test(name) || /^(at|(bet|was)-\d+)$/.test(name));
    // The same press twice is one; another of its kind, of another player for example, waits for the first.
    if (line.some((entry) => entry.what === what && alike(entry.typed, typed))) return;
    const key = newKey();
    if (line.length && page.making === null) { push({ key, word, what, typed, ends: true, on: handNow() }); return; }
    const fields = new FormData(form, button);
    addTyped(form, fields);
    push({ key, word, what, typed, ends: true, body: whole(fields, key) });
  }

  /* The hand put right: a second touch of its pad is none of the hand that comes. */
  function addAmend(form, button, word) {
    addForm(form, button, word);
    for (const each of form.elements) each.disabled = true;
  }

  /* Which box is lit says nothing of what was typed. */
  const alike = (one, other) => String((one || []).filter(([name]) => name !== "at")) === String(other.filter(([name]) => name !== "at"));

  /* What is typed of a hand goes along with whatever else is pressed, so that the next page can keep it. */
  function addTyped(form, fields) {
    const typing = document.getElementById("entering");
    if (!typing || form === typing) return;
    for (const [name, value] of new FormData(typing)) {
      if (/^(bet|was|out|hand|ins|dbl)-|^insurance$|^hands$/.test(name) && value) fields.append(name, value);
    }
  }

  function push(entry) {
    // What was entered is in the line now, or belongs to a page that this one takes the place of.
    if (entry.bets || entry.ends) try { sessionStorage.removeItem("entered"); } catch { /* closed */ }
    if (!page.making) page.later = null;
    queue.add({ ...entry, draft: page.draft, typedBy: page.typed }, page.making);
    if (!page.making) queue.go();
  }

  /* --- on the page that has come: what waited for it --- */
  const MAY_END = ({ ends, press }) => ends || press && (press.value === "Enter" || press.kind === "do" && press.value !== "undo");

  /* The hand that a press was meant for: the page at that moment, and whether what was before it in the line may end that. */
  function handNow() {
    const { shoe = "", deal = "", number = "", last = "" } = table().dataset;
    return { shoe, deal, number, last, ended: line.some(MAY_END) };
  }

  /* A form is of its hand. A tap is of its hand, or of the one after it if it was tapped behind the end of the first;
     and only where nobody else has tapped since. */
  function fits({ on, press, key }) {
    const now = handNow();
    if (on?.shoe !== now.shoe) return false;
    const same = on.number === now.number && (on.deal === now.deal || Boolean(press) && !on.deal);
    if (!press) return same;
    const next = on.ended && Number(on.number) + 1 === Number(now.number);
    return (same || next) && (!now.last || same && now.last === on.last || isOurs(now.last, key));
  }

  /* Tapped here; or in another window of the tablet, which has sent what waits in both. */
  const isOurs = (tap, key) => tap === key || queue.own.has(tap) || line.some((entry) => entry.key === tap);

  /* What another window has sent is in the hand already, with the rank that was typed before its suit. */
  const isKnown = ({ key }) => (table()?.dataset.known || "").split(" ").includes(key.slice(0, 8));

  /* An Enter for which there is no button takes nothing behind it back. */
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
    // What was tapped of bets and results since the press went is newer than what the answer was made from.
    typeAgain();
    draw();
    // On a phone the pad covers most of the felt: whoever plays now is moved above it.
    const here = table(), plays = here?.querySelector(".box.is-act") || here?.matches(":is([data-want=card], [data-want=hole])") && here.querySelector(".dealer");
    if (plays) plays.scrollIntoView({ block: "nearest" });
    // A refusal is seen wherever one pressed, from its first word: on a long page it would stand out of sight.
    const refusal = table()?.querySelector(".refused, .note-bad, .error");
    refusal?.scrollIntoView({ block: "nearest" });
    if (refusal?.offsetHeight > refusal?.closest(".says")?.clientHeight) refusal.scrollIntoView({ block: "start" });
    document.dispatchEvent(new CustomEvent("cutline:answered"));
  }

  /* The keys typed next are still of what was being written, and no taps. */
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
  // What was drawn ahead is not so, and nothing is sent again any more.
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

  /* What is tapped while the eye is not there yet was meant for what has been taken back, and is told with it. */
  function fellBehind(press, event) {
    if (!event.isTrusted || event.timeStamp - state.backAt >= BACK_MS || isOther(press)) return false;
    // Whoever taps on has not looked yet.
    state.backAt = event.timeStamp;
    loseOne(press);
    return true;
  }

  const isKept = () => (line.length || state.stale) && !page.knows && !page.making;

  addEventListener("click", (event) => {
    if (!event.target.closest?.("#table")) return;
    // A key of the keyboard, and a click made by a script, have no finger: their detail is 0.
    if (isTaken && event.detail) { stop(event); return; }
    const link = event.target.closest("a[href]:not(#not-saved a)");
    if (link) {
      if ((waits() || state.busy) && !event.ctrlKey && !event.metaKey && !event.shiftKey) { stop(event); follow(link); }
      return;
    }
    // A label hands its click on to its field: the field's own is the press.
    if (event.target.closest("label") && !event.target.matches("input") && event.target.closest("label").querySelector("input")) return;
    const press = pressOf(event.target);
    if (press && event.isTrusted && bounced(press, event)) { stop(event); return; }
    if (press && fellBehind(press, event)) { stop(event); return; }
    const key = event.target.closest("[data-tap], [data-do]");
    if (press && isKept() && !isOther(press)) hold(event, press);
    else if (press && key) { stop(event); act(null, key); }
  }, true);

  // A form with what was typed into it waits as a whole.
  const isOther = ({ kind, value }) => kind === "do" && !["undo", "settle", "bets", "results"].includes(value);

  /* A page that came anew under the finger makes no click of what was begun on the one before. */
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
    // Some browsers make a click of it all the same, on what lies there by now: that was not what was pressed.
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
    // It was meant for a hand as it was drawn, which is not so.
    if (state.dropped) { loseOne(press); return; }
    // Enter twice is one Enter: the second would be pressed on a page that nobody has seen.
    const { what, press: other } = line.at(-1) || {};
    if (press.value === "Enter" && (["settle", "results", "bets"].includes(what) || ["Enter", "settle", "results", "bets"].includes(other?.value))) {
      if (line.at(-1).typedBy !== page.typed) loseSince(line.at(-1));
      return;
    }
    // What is on its way already is not meant twice; what was changed since is not in it, and that is told.
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

  /* --- the page that looks again by itself: never over a press, never over what is being written --- */
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
  // What the tablet could not keep is lost with the page.
  addEventListener("beforeunload", (event) => { if (line.length && state.unkept) event.preventDefault(); });

  /* --- bets and results are entered box by box: the felt shows them as they are tapped, and the next box is lit --- */
  const said = (field) => field?.type === "radio" ? field.getAttribute("aria-label") || field.nextElementSibling?.textContent.trim() || "" : "";
  const chosen = (row, name) => row.querySelector(`[name^="${name}-"]:checked`);
  const typed = (row) => row.querySelector('[name^="bet-"][type=number]')?.value || "";

  function reflect(row) {
    const box = document.getElementById(`box-${row.dataset.box}`);
    const bet = box?.querySelector("[data-bet]"), out = box?.querySelector("[data-out]");
    if (bet && (chosen(row, "bet") || typed(row))) bet.textContent = said(chosen(row, "bet")) || typed(row);
    const came = chosen(row, "out");
    if (out && came) {
      out.textContent = said(came) || came.closest("label").textContent.trim();
      out.className = `pill out-${came.value.split("_")[0]}`;
    }
  }

  const rowsIn = (form) => [...form.querySelectorAll(".at + [data-box]")];

  function light(row) {
    const at = document.getElementById(`at-${row.dataset.box}`);
    if (at) at.checked = true;
  }

  document.addEventListener("change", (event) => {
    const form = event.target.form, row = event.target.closest?.("#entering [data-box]");
    if (!row || form?.id !== "entering") return;
    delete row.dataset.rest;
    reflect(row);
    const asked = form.querySelector('[name^="out-"]') ? "out" : "bet";
    // A split and an ace ask more of this box; a bet by results waits for what came of it.
    if (!event.target.name.startsWith(`${asked}-`) || event.target.type !== "radio" || event.target.value === "split") return;
    const rows = rowsIn(form), from = rows.indexOf(row);
    const next = [...rows.slice(from + 1), ...rows.slice(0, from)].find((each) => !chosen(each, asked));
    if (next && !form.querySelector('[name="insurance"]:checked:not([value=""])')) light(next);
  });

  addEventListener("click", (event) => {
    const key = event.target.closest?.("#table [data-rest]"), form = document.getElementById("entering");
    if (!key || !form) return;
    // What another of these keys has said of the others was no word on this box.
    const left = rowsIn(form).filter((row) => !chosen(row, "out") || row.dataset.rest);
    for (const row of left) {
      const field = row.querySelector(`[name^="out-"][value="${key.dataset.rest}"]`);
      if (field) { field.checked = true; row.dataset.rest = "1"; reflect(row); }
    }
    if (left.length) { page.typed += 1; form.dispatchEvent(new Event("change", { bubbles: true })); }
  });

  /* What is entered and not pressed yet is there again after a reload, if the page still asks for it. */
  const asked = (form) => [doOf(form), table().dataset.whose, table().dataset.shoe, table().dataset.number].join();

  function keepTyped() {
    const form = document.getElementById("entering");
    if (!form) return;
    const fields = [...new FormData(form)].filter(([name, value]) => value && /^(bet|out|hand|ins|dbl)-|^(insurance|at)$/.test(name));
    try { sessionStorage.setItem("entered", JSON.stringify({ asked: asked(form), fields })); } catch { /* closed */ }
  }

  function typeAgain() {
    const form = document.getElementById("entering");
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem("entered")); } catch { /* closed, or not ours */ }
    if (!form || kept?.asked !== asked(form)) return;
    for (const [name, value] of kept.fields) {
      const field = form.elements[name];
      if (!field || field.disabled) continue;
      if (field.value !== value) page.typed += 1;
      field.value = value;
    }
    reflectAll();
    if (page.typed) form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  document.addEventListener("change", (event) => { if (event.target.form?.id === "entering") keepTyped(); });

  const reflectAll = () => document.querySelectorAll("#entering [data-box]").forEach(reflect);
  document.addEventListener("htmx:load", reflectAll);

  queue.start({ make, show, fault, unshown, dropped, remember, mended, means, loseOne, changed: draw });
  draw();
  if (!line.length) typeAgain();
  queue.go();
})();
