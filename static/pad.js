/* The pad of the table's page: a grey key shows its reason when it is touched, over the line of the next step, so that
   nothing moves, until something else is touched; Enter in a typed amount goes on to the next box; the box or the card
   that is asked for comes into view. Loaded before taps.js: such a touch or key is no press. */
(() => {
  "use strict";
  const OFF = '#table [aria-disabled="true"]';
  const wordsOf = (key) => document.getElementById(key.getAttribute("aria-describedby") || "")?.textContent || "";

  /* Make a key grey and link it to its reason, or free it. */
  function grey(key, isOff, what, code) {
    for (const [name, value] of [["aria-disabled", "true"], ["aria-describedby", `why-${what}`], ["data-code", code]]) {
      if (isOff) key.setAttribute(name, value); else key.removeAttribute(name);
    }
  }
  globalThis.cutlineGrey = grey;

  function clear() {
    document.querySelector("#table .whynot")?.remove();
  }

  function tell(key) {
    const place = document.querySelector("#table .pad-head"), status = document.getElementById("table-says"), words = wordsOf(key);
    if (!words || !place) return;
    place.append(Object.assign(document.createElement("p"), { className: "whynot", textContent: words }));
    if (status) status.textContent = words;
  }

  /* Results can be settled once every box has its bet and outcome; show the missing boxes at once, even without a
     network. */
  const isIn = (row, name) => [...row.querySelectorAll(`[name^="${name}-"]`)].some(({ type, checked, value }) => type === "radio" ? checked : value);
  const lacks = (row) => !isIn(row, "out") || Boolean(row.querySelector('[name^="bet-"]')) && !isIn(row, "bet");

  function greySettle() {
    const words = document.querySelector("#table .pad-results #why-settle"), key = words?.parentElement.querySelector("button");
    if (!key) return;
    const missing = [...document.querySelectorAll("#entering .at + [data-box]")].filter(lacks).map(({ dataset }) => dataset.box);
    words.textContent = missing.length ? words.dataset.missing.replace("{n}", missing.join(", ")) : "";
    grey(key, missing.length > 0, "settle", "results_missing");
  }

  document.addEventListener("change", greySettle);
  document.addEventListener("input", greySettle);
  document.addEventListener("htmx:load", greySettle);

  /* Enter in a typed amount presses no key: the default key of its form would be a card. After a bet it goes on to the
     next box without one; once all have one, the next Enter deals. */
  addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.key !== "Enter" || !field.matches?.("#table .input.num")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    field.blur();
    const rows = [...document.querySelectorAll("#entering .at + .betrow")], from = rows.indexOf(field.closest(".betrow"));
    const next = [...rows.slice(from + 1), ...rows.slice(0, from)].find((row) => !isIn(row, "bet"));
    if (from < 0 || !next) return;
    next.previousElementSibling.checked = true;
    next.querySelector("[type=number]").focus();
  }, true);

  /* On a phone the pad covers most of the felt: move the box whose bet or result is asked for above it, unless the page
     asks first which players are here. */
  function reveal() {
    const at = document.querySelector("#entering .at:checked");
    if (at && !document.querySelector("#table .unseen-boxes")) document.getElementById(`box-${at.value}`)?.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("change", () => setTimeout(reveal));
  document.addEventListener("htmx:load", reveal);
  reveal();

  /* Scroll the pad that corrects a touched card into view, however long the page is. */
  let asked = "";
  document.addEventListener("htmx:load", () => {
    const target = document.querySelector("#amending [name=amend]")?.value || "";
    if (target && target !== asked) document.querySelector("#table > .pad-amend").scrollIntoView({ block: "nearest" });
    asked = target;
  });

  addEventListener("pointerdown", clear, true);
  addEventListener("click", (event) => {
    const key = event.target.closest?.(OFF);
    clear();
    if (!key) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    tell(key);
  }, true);
})();
