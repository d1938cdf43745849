/* A key of the table's page that cannot be pressed now says why when it is touched: over the line that says what is
   wanted, so that nothing moves, until something else is touched. It comes before taps.js: the touch is no press. */
(() => {
  "use strict";
  const OFF = '#table [aria-disabled="true"]';
  const wordsOf = (key) => document.getElementById(key.getAttribute("aria-describedby") || "")?.textContent || "";

  function clear() {
    document.querySelector("#table .whynot")?.remove();
  }

  function tell(key) {
    const place = document.querySelector("#table .pad-head"), status = document.getElementById("table-says"), words = wordsOf(key);
    if (!words || !place) return;
    place.append(Object.assign(document.createElement("p"), { className: "whynot", textContent: words }));
    if (status) status.textContent = words;
  }

  /* The pad that puts right what was touched on the felt is in sight, wherever on a long page that was. */
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
