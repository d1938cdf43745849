/* Draws taps that are not saved yet on the felt and the pad as if they were: cards and turns, from cutlineAhead. The
   words and the keys are in the page's <template id="ahead">; the server's answer replaces all of it. */
(() => {
  "use strict";
  // If another script is missing, nothing is drawn ahead and every tap waits for its answer.
  if (!globalThis.cutlineAhead || !globalThis.cutlineGrey) return;
  const AMOUNTS_MOST = 10;
  const table = () => document.getElementById("table");
  const words = () => document.getElementById("ahead");
  const put = (text, given) => Object.entries(given).reduce((said, [name, value]) => said.replace(`%(${name})s`, value), text);
  const say = (name, given = {}) => put(words().getAttribute(`data-${name}`) || "", given);
  const figure = (chips) => String(chips).replace(/\B(?=(\d{3})+$)/g, say("thousand").replace(/\d/g, ""));
  const part = (name) => [...words().content.querySelector(`[data-part="${name}"]`).cloneNode(true).children];

  /* The hand on the page and the taps since: {start, taps, seen, deal, begun}; null without a hand. */
  function handOf(line) {
    const { dataset: here } = table() || { dataset: {} };
    if (!here.ahead || !words()) return null;
    const start = { ...JSON.parse(here.ahead), ...JSON.parse(document.querySelector("#table > [data-rules]").dataset.rules) };
    if (here.deal) {
      const own = line.filter((entry) => entry.seen !== undefined && (entry.deal ? entry.deal === here.deal : entry.begun && entry.begun === here.first));
      const unsaved = own.filter(({ seen }) => seen >= Number(here.seen));
      return fold({ start, deal: here.deal, begun: "", seen: Number(here.seen), taps: [...start.taps], own: unsaved });
    }
    const begin = line.find(({ bets, shoe }) => bets && shoe === here.shoe);
    if (!begin) return null;
    const own = line.filter((entry) => entry === begin || entry.begun === begin.key);
    return fold({ start: { ...start, bets: begin.bets }, deal: "", begun: begin.key, seen: 0, taps: [], own });
  }

  function fold(hand) {
    const saved = cutlineAhead.look(hand.start, hand.taps);
    for (const { undo, said } of hand.own) {
      hand.seen += 1;
      if (undo) hand.taps.pop();
      else hand.taps.push(said ? cutlineAhead.meant(cutlineAhead.look(hand.start, hand.taps), said) : ["?"]);
    }
    const seen = hand.own.length ? cutlineAhead.look(hand.start, hand.taps) : saved;
    return { ...hand, saved, view: seen };
  }

  /* --- the felt --- */
  const RED = { h: "♥", d: "♦", s: "♠", c: "♣" };
  function cardOf(code, size, isNew) {
    if (code === "??") {
      const [back] = part("back");
      if (size) back.classList.add(`card-${size}`);
      return back;
    }
    const path = words().content.querySelector(`[data-letter="${code[1]}"] path`)?.getAttribute("d") || "";
    const label = code[0] === "T" ? "10" : code[0], name = document.querySelector(`[data-card="${code}"]`)?.getAttribute("aria-label") || label + (RED[code[1]] || "");
    const made = document.createElement("span");
    const face = `<text x="13" y="22"${label === "10" ? ' class="card-ten"' : ""}>${label}</text><path d="${path}" transform="translate(5.8 26) scale(.6)"/><path d="${path}" transform="translate(19 38) scale(1.08)"/>`;
    made.innerHTML = `<svg class="card card-${code[1]}${size ? ` card-${size}` : ""}${isNew ? " is-pending" : ""}" viewBox="0 0 48 68" role="img"><rect class="card-paper" x=".5" y=".5" width="47" height="67" rx="5.5"/>${face}</svg>`;
    made.firstChild.setAttribute("aria-label", name);
    return made.firstChild;
  }

  function span(name, text) {
    const made = document.createElement("span");
    made.className = name;
    made.textContent = text;
    return made;
  }

  function drawBox(box, view, before) {
    const place = document.getElementById(`box-${box.seat}`);
    if (!place) return;
    const acts = view.seat === box.seat && view.kind !== "done", many = box.hands.length > 1;
    const cards = box.hands.map(({ cards: each }) => each.length).join(), was = before?.hands.map(({ cards: each }) => each.length).join();
    place.classList.toggle("is-act", acts);
    if (cards !== was || many) {
      place.querySelector(".box-hands").replaceChildren(...box.hands.map((hand, at) => {
        const outer = span(`box-hand${many && acts && at === view.hand ? " is-act" : ""}`, ""), inner = span("hand", "");
        const known = many && before?.hands.length !== box.hands.length ? 0 : before?.hands[at]?.cards.length || 0;
        inner.append(...hand.cards.map((code, n) => cardOf(code, many || hand.cards.length > 4 ? "sm" : "", n >= known)));
        outer.append(inner, ...many ? [span("", String(hand.total) + (hand.state === "bust" ? ` ${say("is-bust").toLowerCase()}` : ""))] : []);
        return outer;
      }));
      drawTotal(place, box, many);
    }
    drawFoot(place, box, acts, many);
  }

  function drawTotal(place, box, many) {
    place.querySelector(".total")?.remove();
    if (!many && box.hands.length) place.querySelector(".box-head").append(span("total", box.hands[0].total));
  }

  function drawFoot(place, box, acts, many) {
    const state = !many && !acts && box.hands[0]?.state || "", label = say(`is-${state}`) || (box.insurance ? say("insured", { chips: figure(box.insurance) }) : "");
    const foot = place.querySelector(".box-foot"), pill = foot.querySelector(".pill");
    place.classList.toggle("is-bust", state === "bust");
    foot.querySelector(".bet").textContent = figure(box.put - box.insurance);
    foot.querySelector(":scope > .hush")?.remove();
    if (acts) foot.insertBefore(span("hush", say("to-act")), pill);
    if (!label) { pill?.remove(); return; }
    if (pill) { pill.textContent = label; pill.className = "pill"; pill.removeAttribute("data-out"); } else foot.append(span("pill", label));
  }

  function drawDealer(view, before) {
    const place = document.querySelector("#table .dealer"), known = before ? before.dealer.length : 0;
    place.querySelector(".hand").replaceChildren(...view.dealer.map((code, at) => cardOf(code, "lg", at >= known || code !== before.dealer[at])));
    if (view.dealer.length) place.lastElementChild.textContent = dealerWords(view);
  }

  function dealerWords({ dealer, dealerTotal, found }) {
    const known = dealer.filter((card) => card !== "??");
    if (known.length < 2) return say(found === null ? "shows" : found ? "shows-natural" : "shows-none", { rank: say(`rank-${dealer[0][0].toLowerCase()}`) || dealer[0][0].replace("T", "10") });
    if (known.length === 2 && dealerTotal === 21) return say("dealer-natural");
    return say(dealerTotal > 21 ? "dealer-busts" : "dealer-has", { n: dealerTotal });
  }

  const nameAt = (seat) => document.querySelector(`#box-${seat} .who-sits`)?.textContent || "";

  /* --- the next step, in the words of the server --- */
  function wanted(view) {
    const number = table().dataset.number;
    if (view.kind === "done") return { eyebrow: say("done", { n: number }), title: dealerWords(view) };
    if (view.kind === "look") return { eyebrow: dealerWords(view), title: say("look") };
    if (view.step === "insurance") return { eyebrow: say("ace"), title: say("insurance") };
    if (view.seat === null) return { eyebrow: say("dealer"), title: say(view.hole ? "turn" : "card-dealer") };
    const box = view.boxes.find(({ seat }) => seat === view.seat), hand = box.hands[view.hand || 0];
    const which = box.hands.length > 1 ? say("which-hand", { n: (view.hand || 0) + 1, all: box.hands.length }) : "";
    const total = !hand?.cards.length ? "" : hand.soft && view.kind === "decision" ? say("soft", { n: hand.total }) : hand.total;
    return {
      eyebrow: say(view.kind === "card" ? "card-box" : "act-box", { n: view.seat }) + which,
      title: nameAt(view.seat) + (total === "" ? "" : ` · ${total}`),
      detail: say("detail", { bet: figure(hand ? hand.bet + hand.extra : box.bet), stack: figure(box.stack) }),
    };
  }

  function drawWanted(view) {
    const place = document.querySelector("#table .wanted"), { eyebrow, title, detail } = wanted(view);
    const first = document.createElement("p");
    first.append(span("eyebrow", eyebrow), ...detail ? [span("detail small muted", ` · ${detail}`)] : []);
    const heading = document.createElement("h2");
    heading.textContent = title;
    place.replaceChildren(first, heading);
    const said = document.getElementById("table-says");
    if (said) said.textContent = `${eyebrow} ${title}`;
  }

  /* --- the pad --- */
  function acts(view) {
    if (view.kind === "look") return part("look");
    if (view.step === "insurance") return part("insurance");
    return part("play").map((key) => {
      const action = key.dataset.tap, found = view.legal.find((each) => each.action === action && each.seat === view.seat);
      key.dataset.tap = `${action}:${view.seat}`;
      key.disabled = !found || found.max < view.boxes.find(({ seat }) => seat === view.seat).hands[view.hand].bet;
      if (found && action === "stand") key.classList.add("btn-go");
      if (found && action === "double") key.firstElementChild.textContent += ` ${figure(found.max)}`;
      return key;
    });
  }

  const amountsOf = ({ min, max, step }) => Array.from({ length: Math.max(0, Math.floor((max - min) / step) + 1) }, (_, at) => min + at * step);

  function offerOf(box, legal) {
    const [row] = part("offer"), [legend, no, pill, key, even] = row.children, name = nameAt(box.seat);
    legend.textContent = say("box-name", { n: box.seat, name });
    const insures = legal.find(({ seat, action }) => seat === box.seat && action === "insurance");
    no.textContent = box.seat;
    pill.textContent = box.hands[0].state === "even_money" ? say("is-even_money") : box.insurance ? say("insured", { chips: figure(box.insurance) }) : "";
    if (!pill.textContent) pill.remove();
    even.dataset.tap = `even_money:${box.seat}`;
    if (!legal.some(({ seat, action }) => seat === box.seat && action === "even_money")) even.remove();
    key.replaceWith(...(insures ? amountsOf(insures) : []).map((chips) => {
      const made = key.cloneNode();
      made.dataset.tap = `insurance:${box.seat}:${chips}`;
      made.textContent = figure(chips);
      made.setAttribute("aria-label", say("insures", { n: box.seat, chips: figure(chips) }));
      return made;
    }));
    return row;
  }

  /* Replace the keys of the pad; the hidden fields of its forms stay. */
  function drawPad(view) {
    const pad = document.querySelector("#table .pad"), form = pad.querySelector(".pad-acts");
    form.replaceChildren(...form.querySelectorAll("input[type=hidden]"), ...acts(view));
    const cards = pad.querySelector(".pad-cards"), insures = view.step === "insurance";
    const hits = view.legal.some(({ action, seat }) => action === "hit" && seat === view.seat);
    cards.querySelectorAll(".offers").forEach((rows) => rows.remove());
    for (const child of cards.children) child.hidden = insures;
    if (insures) {
      const rows = Object.assign(document.createElement("div"), { className: "offers" });
      rows.append(...view.boxes.map((box) => offerOf(box, view.legal)));
      cards.append(rows);
    }
    const isOff = view.kind !== "card" && !hits, why = document.getElementById("why-card");
    cards.querySelectorAll('[data-card], [value="joker"]').forEach((key) => globalThis.cutlineGrey(key, isOff, "card", "not_now"));
    if (why) why.textContent = isOff ? say("why-card", { now: nowOf(view) }) : "";
  }

  function nowOf(view) {
    const { eyebrow, title } = wanted(view);
    return view.kind === "done" || view.seat !== null ? eyebrow : title;
  }

  function drawFooter(view, hasTaps) {
    const foot = document.querySelector("#table .pad-foot"), go = foot.querySelector(".pad-go");
    const [undo] = part("undo"), [settle] = part("settle");
    undo.disabled = !hasTaps;
    settle.textContent = put(settle.textContent, { n: table().dataset.number });
    const isOpen = view.kind !== "done", why = span("hush", isOpen ? say("why-settle", { now: nowOf(view) }) : "");
    globalThis.cutlineGrey(settle, isOpen, "settle", "deal_not_done");
    settle.classList.toggle("btn-go", !isOpen);
    why.id = "why-settle";
    foot.firstElementChild.replaceWith(undo);
    if (!go) return;
    const outer = span("pad-go", "");
    outer.append(settle, why);
    go.replaceWith(outer);
  }

  /* Draw the waiting taps. Returns whether the page can go on by itself, offering what is legal after them. */
  function draw(line) {
    const hand = handOf(line);
    if (!hand?.own.length) return !line.length;
    const { view, saved } = hand;
    if (!view || view.legal.some((each) => each.action === "insurance" && view.step === "insurance" && amountsOf(each).length > AMOUNTS_MOST)) return false;
    // A hand begun only on this tablet has no cards on the felt yet.
    const before = hand.deal ? saved : null;
    for (const box of view.boxes) drawBox(box, view, before?.boxes.find(({ seat }) => seat === box.seat));
    document.querySelectorAll("#table .box-tap").forEach((label) => label.remove());
    drawDealer(view, before);
    drawWanted(view);
    drawPad(view);
    drawFooter(view, hand.taps.length > 0);
    return line.every(({ body, ends }) => body && !ends);
  }

  /* Set the kept pad of the previous page to the state that this page would have sent. */
  function freePad() {
    const place = table()?.querySelector(".pad-cards"), pad = place?.querySelector("#cardpad[data-once]");
    if (!pad) return;
    const { form, off, hidden } = place.dataset;
    pad.hidden = hidden !== undefined;
    for (const key of pad.querySelectorAll("[data-card]")) {
      key.setAttribute("form", form);
      // After a hand was put right, taps.js has disabled the pad.
      key.disabled = false;
      globalThis.cutlineGrey(key, off !== undefined, "card", "not_now");
      key.removeAttribute("aria-busy");
      delete key.dataset.held;
    }
    if (pad.contains(document.activeElement)) document.activeElement.blur();
  }

  globalThis.cutlinePending = { draw, handOf, freePad };
})();
