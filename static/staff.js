/* The script of staff pages (after cutline.js): one press one command, keys, dialogs, suits, and htmx. data-keys,
   data-dialog, data-suits, forms with a key: docs/design.md. */
(() => {
  "use strict";
  const { all, store } = globalThis.cutline;

  function switchSuits() {
    store.set("suits", document.documentElement.classList.toggle("four") ? "four" : null);
  }

  /* --- one press, one command: a form is not sent again before its answer --- */
  function holdForm(form) {
    form.dataset.busy = "1";
    // Disable later, so that the pressed button's name and value are still sent.
    setTimeout(() => all("button:not([type=button])", form).forEach((button) => {
      if (!button.disabled) { button.disabled = true; button.dataset.held = "1"; button.setAttribute("aria-busy", "true"); }
    }), 0);
    // After a download the page stays; pressing again is harmless, since the key is the same.
    setTimeout(() => freeForm(form), 10000);
  }

  function freeForm(form) {
    delete form.dataset.busy;
    all("[data-held]", form).forEach((button) => {
      button.disabled = false; delete button.dataset.held; button.removeAttribute("aria-busy");
    });
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post") return;
    if (form.dataset.busy) { event.preventDefault(); event.stopPropagation(); return; }
    holdForm(form);
  }, true);
  addEventListener("pageshow", () => all("form[data-busy]").forEach(freeForm));
  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.target.closest?.("form");
    // A preview that a press of the same form has replaced does not free the form.
    if (form && !event.target.matches("[data-look]")) freeForm(form);
  });

  /* --- htmx: a refusal is a fragment with a sentence; after any other error say that the result is unknown --- */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    const fragment = xhr.status >= 400 && xhr.status < 500 && !/<html/i.test(xhr.responseText);
    if (fragment) { event.detail.shouldSwap = true; event.detail.isError = false; }
    else if (xhr.status === 403 && polls(event)) refuse(event.detail.requestConfig.elt);
    else if (xhr.status >= 400) say(xhr.status === 403 ? "forbidden" : onlyLooks(event) ? "unshown" : "unsaved");
  });
  // A request that only reads saves nothing, so its result is not in doubt.
  const onlyLooks = ({ detail: { requestConfig: asked } }) => asked?.verb === "get" || asked?.elt.matches("[data-look]");
  const polls = ({ detail: { requestConfig: asked } }) => asked?.verb === "get" && asked.elt.matches("[hx-trigger^=every]");

  /* A page whose poll is refused asks no more. It says why once it is loaded again: another dealer has the table, or a
     role is gone. Where something is typed, or where loading it again has not helped, its bar has the link. */
  function refuse(area) {
    const isWritten = all("input:not([type=hidden], .at, [data-keys-switch]), textarea").some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
    let before = location.href;
    try { before = sessionStorage.getItem("refused"); sessionStorage.setItem("refused", location.href); } catch { /* closed */ }
    if (!isWritten && before !== location.href) { location.reload(); return; }
    area.dataset.refused = "1";
    say("forbidden");
  }
  document.addEventListener("htmx:beforeRequest", (event) => { if (polls(event) && event.target.dataset.refused) event.preventDefault(); });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful && polls(event)) try { sessionStorage.removeItem("refused"); } catch { /* closed */ }
  });
  // A read carries typed fields in its address, which servers log: the secret of the forms stays out of it.
  document.addEventListener("htmx:configRequest", ({ detail }) => { if (detail.verb === "get") delete detail.parameters.csrfmiddlewaretoken; });
  // A part that polls keeps its unfolded parts unfolded; a press folds them up.
  const headOf = (fold) => fold.querySelector("summary").textContent.trim();
  document.addEventListener("htmx:beforeSwap", ({ detail: { xhr, target, requestConfig: asked } }) => {
    if (asked?.elt.matches("[hx-trigger^=every]")) xhr.unfolded = all("details[open]", target).map(headOf);
  });
  document.addEventListener("htmx:afterSwap", ({ target, detail: { xhr } }) => {
    all("details", target).forEach((fold) => { fold.open ||= Boolean(xhr?.unfolded?.includes(headOf(fold))); });
  });
  document.addEventListener("htmx:sendError", (event) => say(onlyLooks(event) ? "away" : "offline"));
  document.addEventListener("cutline:say", (event) => say(event.detail));
  document.addEventListener("cutline:answered", () => unsay("away", "offline", "unsaved", "unshown", "forbidden", "again"));
  // An answer to a read proves the network; only its own answer proves that a press was saved.
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.successful) unsay(...(onlyLooks(event) ? ["away", "unshown"] : ["away", "unshown", "offline", "unsaved"]));
  });

  function say(kind) {
    const place = document.getElementById("messages");
    const words = document.getElementById(`say-${kind}`);
    if (!place || !words || kind === "away" && place.dataset.said === "offline") return;
    place.replaceChildren(words.content.cloneNode(true));
    place.dataset.said = kind;
  }

  function unsay(...kinds) {
    const place = document.getElementById("messages");
    if (!place || !kinds.includes(place.dataset.said)) return;
    place.replaceChildren();
    delete place.dataset.said;
  }

  /* --- keys at the table: inside a page with data-keys --- */
  const keysOn = () => document.querySelector("[data-keys]") && store.get("keys") !== "off";

  function press(selector) {
    const target = document.querySelector(selector);
    if (!target || target.disabled || target.querySelector?.("input:disabled")) return false;
    // The click shows the reason; it presses nothing.
    if (target.getAttribute("aria-disabled") === "true") { target.click(); return false; }
    target.click();
    return true;
  }

  /* A number enters the bet of the next box without one; in results a letter enters the outcome of the last box. */
  const pressBet = (key) => press(`:is(.betrow, .result):has([data-bet-key]):not(:has([data-bet-key]:checked)) [data-bet-key="${key}"]`);
  const pressOutcome = (key) => press(`.result:is(:has([data-bet-key]:checked), :not(:has([data-bet-key]))):not(:has([data-bet-key="0"]:checked, [data-out-key]:checked)) [data-out-key="${key}"]`);

  /* Each of the 52 cards is a key. A typed rank waits for its suit, even while the page is replaced. */
  let rankTyped = "";
  function typeRank(face) {
    rankTyped = face && document.querySelector(`[data-card^="${face}"]:not([aria-disabled="true"])`) ? face : "";
    all("[data-card]").forEach((key) => key.classList.toggle("is-typed", key.dataset.card[0] === rankTyped));
    return Boolean(rankTyped);
  }

  function pressCard(key, letter) {
    if (!document.querySelector("[data-card]")) return false;
    if (rankTyped && /^[shdc]$/.test(letter)) { const face = rankTyped; typeRank(""); return press(`[data-card="${face}${letter}"]`); }
    if (rankTyped && key === "Backspace") { typeRank(""); return true; }
    const face = letter === "1" ? "T" : letter.toUpperCase();
    if (!/^[A2-9TJQK]$/.test(face)) return false;
    // A grey pad gives the reason at the rank already.
    return typeRank(face) || press(`[data-card^="${face}"]`);
  }

  // A typed rank is dropped with the presses that were taken back.
  document.addEventListener("cutline:back", () => typeRank(""));

  function pressKey(key) {
    if (/^\d$/.test(key) && pressBet(key)) return true;
    if (/^[a-z]$/i.test(key) && pressOutcome(key.toLowerCase())) return true;
    const letter = key.length === 1 ? key.toLowerCase() : key;
    if (pressCard(key, letter)) return true;
    const rank = document.querySelector("[data-rank] :checked, [data-rank]:checked");
    if (rank && /^[shdc]$/.test(letter) && press(`[data-suit="${letter}"]`)) return true;
    if (rank && key === "Backspace") { rank.checked = false; return true; }
    if (key === "0") return Boolean(rank || rankTyped);
    const face = letter === "1" ? "T" : letter.toUpperCase();
    if (/^[A2-9TJQK]$/.test(face) && press(`[data-rank="${face}"]`)) return true;
    return /^[\w]+$/.test(letter) && press(`[data-key="${letter}"]`);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !keysOn()) return;
    const typing = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog, .ask-body");
    if (typing || (event.key === "Enter" && event.target.closest("a, button, summary"))) return;
    if (document.querySelector("details.ask[open]")) return;  // a question is open: letters are its answer
    if (pressKey(event.key)) event.preventDefault();
  });

  /* --- dialogs: a link with data-dialog shows the #confirm of its page; without script it opens the page --- */
  async function openDialog(link) {
    try {
      const answer = await fetch(link.href, { credentials: "same-origin" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const form = page.getElementById("confirm");
      if (!answer.ok || !form) throw new Error("no form");
      const dialog = document.createElement("dialog");
      dialog.append(document.adoptNode(form));
      dialog.setAttribute("aria-labelledby", form.querySelector("h1, h2")?.id || "");
      dialog.addEventListener("close", () => dialog.remove());
      document.body.append(dialog);
      globalThis.htmx?.process(dialog);
      dialog.showModal();
    } catch { location.href = link.href; }
  }

  /* --- one listener for presses --- */
  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest(selector);
    if (at("[data-suits]")) switchSuits();
    else if (at("dialog [data-close]")) { event.preventDefault(); at("dialog").close(); }
    else if (at("a[data-dialog]") && !event.ctrlKey && !event.metaKey) { event.preventDefault(); openDialog(at("a[data-dialog]")); }
    all("details.ask[open], details.menu[open]").forEach((details) => {
      if (!details.contains(event.target) || at(".ask [data-close]")) details.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    all("details.ask[open], details.menu[open]").forEach((details) => { details.open = false; details.querySelector("summary").focus(); });
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-keys-switch]")) store.set("keys", event.target.checked ? null : "off");
  });

  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches("details.ask")) event.target.querySelector("textarea, input:not([type=hidden]), select, .btn-go")?.focus();
  }, true);

  /* --- at the start, and after each swap of htmx --- */
  function setSwitches(from) {
    all("[data-keys-switch]", from).forEach((box) => { box.checked = store.get("keys") !== "off"; });
  }
  setSwitches(document);
  all(".steplist [aria-current]").forEach((now) => { now.closest("ol").scrollTop = now.offsetTop - 96; });
  document.addEventListener("htmx:load", ({ detail: { elt } }) => {
    globalThis.cutline.wake(elt); setSwitches(elt);
    if (rankTyped) typeRank(rankTyped);
  });
})();
