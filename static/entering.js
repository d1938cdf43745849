/* Bets and results are entered box by box: the felt shows each tap, and the next box is lit. Entered values are kept
   over a reload and over a page that comes meanwhile. taps.js sends them. */
(() => {
  "use strict";
  const entering = () => document.getElementById("entering");
  const said = (field) => field?.type === "radio" ? field.getAttribute("aria-label") || field.nextElementSibling?.textContent.trim() || "" : "";
  const chosen = (row, name) => row.querySelector(`[name^="${name}-"]:checked`);
  const typed = (row) => row.querySelector('[name^="bet-"][type=number]')?.value || "";
  const rowOf = (target) => target.form?.id === "entering" ? target.closest("[data-box]") : null;
  const rowsIn = (form) => [...form.querySelectorAll(".at + [data-box]")];

  function reflect(row) {
    const box = document.getElementById(`box-${row.dataset.box}`);
    const bet = box?.querySelector("[data-bet]"), out = box?.querySelector("[data-out]");
    if (bet && (chosen(row, "bet") || typed(row))) bet.textContent = said(chosen(row, "bet")) || typed(row);
    const came = chosen(row, "out");
    if (out && came) {
      out.textContent = said(came) || came.closest("label").textContent.trim();
      out.className = `pill out-${came.value.split("_")[0]}`;
    } else if (out && row.closest("form").querySelector('[name^="out-"]:checked')) {
      out.textContent = ""; // the result of the last hand, beside those of this hand
    }
  }

  const reflectAll = () => document.querySelectorAll("#entering [data-box]").forEach(reflect);

  /* What a script enters counts as typed. */
  function changed(field) {
    for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind, { bubbles: true }));
  }

  /* The box after this one that lacks its bet or outcome. Where the last bets stand in every box, the next box. */
  function nextBox(row) {
    const form = row.closest("form"), rows = rowsIn(form), from = rows.indexOf(row);
    const asked = form.querySelector('[name^="out-"]') ? "out" : "bet";
    const lacking = [...rows.slice(from + 1), ...rows.slice(0, from)].find((each) => !chosen(each, asked));
    return { asked, next: lacking || (asked === "bet" ? rows[from + 1] : null) };
  }

  // A tap on the chip that is chosen already changes nothing, and goes on too.
  document.addEventListener("click", ({ target }) => {
    const row = target.type === "radio" ? rowOf(target) : null;
    if (!row) return;
    const { asked, next } = nextBox(row);
    // A split and an ace need more entries for this box; in results the bet waits for its outcome.
    if (!next || !target.name.startsWith(`${asked}-`) || target.value === "split") return;
    if (target.form.querySelector('[name="insurance"]:checked:not([value=""])')) return;
    const at = document.getElementById(`at-${next.dataset.box}`);
    if (!at) return;
    at.checked = true;
    changed(at);
  });

  document.addEventListener("change", ({ target }) => {
    const row = rowOf(target);
    if (row) {
      // It said that nobody has bet.
      document.querySelector('#table .refused:has([data-code="no_bets"])')?.remove();
      delete row.dataset.rest;
      reflectAll();
    }
    if ((target.form || target).id === "entering") keep();
  });

  addEventListener("click", (event) => {
    const key = event.target.closest?.("#table [data-rest]"), form = entering();
    if (!key || !form) return;
    // An outcome entered by such a key for all remaining boxes may be replaced.
    const left = rowsIn(form).filter((row) => !chosen(row, "out") || row.dataset.rest);
    for (const row of left) {
      const field = row.querySelector(`[name^="out-"][value="${key.dataset.rest}"]`);
      if (field) { field.checked = true; row.dataset.rest = "1"; reflect(row); }
    }
    if (left.length) changed(form);
  });

  /* --- entered values that were not sent are restored, if the page still asks for them --- */
  function asked(form) {
    const { whose, shoe, number } = document.getElementById("table").dataset;
    return [form.querySelector('input[name="do"]').value, whose, shoe, number].join();
  }

  function keep() {
    const form = entering();
    const fields = [...new FormData(form)].filter(([name, value]) => value && /^(bet|out|hand|ins|dbl)-|^(insurance|at)$/.test(name));
    const rest = rowsIn(form).filter((row) => row.dataset.rest).map((row) => row.dataset.box);
    try { sessionStorage.setItem("entered", JSON.stringify({ asked: asked(form), fields, rest })); } catch { /* closed */ }
  }

  function restore() {
    const form = entering();
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem("entered")); } catch { /* closed, or not ours */ }
    if (!form || kept?.asked !== asked(form)) return;
    let isOther = false;
    for (const [name, value] of kept.fields) {
      const field = form.elements[name];
      if (!field || field.disabled) continue;
      isOther ||= field.value !== value;
      field.value = value;
    }
    for (const row of rowsIn(form)) if (kept.rest?.includes(row.dataset.box)) row.dataset.rest = "1";
    reflectAll();
    if (isOther) changed(form);
  }

  function forget() {
    try { sessionStorage.removeItem("entered"); } catch { /* closed */ }
  }

  document.addEventListener("htmx:load", reflectAll);
  globalThis.cutlineEntering = { restore, forget };
})();
