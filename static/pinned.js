/* The card of the pinned player: its text for screen readers, and the call to the table.
   Needs cutline.js, which pins the player (data-you, .is-you). */
(() => {
  "use strict";
  const { all } = globalThis.cutline;
  const card = document.querySelector("[data-you]");
  const button = card?.querySelector("[data-call-me]"), called = card?.querySelector("[data-called]");
  const hear = document.querySelector("[data-hear]");
  if (!card || !button || !called || !hear) return;
  const TOLD = ["chances", "needs", "handsLeft", "prizeLeast", "prizeMost", "call", "hand", "gapState", "chanceState"];
  let last = {}, sound = null;

  /* Fill a sentence of the page with the values of a row. */
  const fill = (sentence, row) => sentence.replace(/\{(\w+)\}/g, (_, name) => row.dataset[name] || "");

  /* Update the card. A player in a play-off has two rows; the first is that of the current stage. */
  function look() {
    const row = document.querySelector(".standings .is-you");
    for (const name of TOLD) {
      if (row?.dataset[name]) card.dataset[name] = row.dataset[name];
      else if (row || card.dataset.you !== "server") delete card.dataset[name];
    }
    // There are no calls once places are decided.
    button.hidden = !globalThis.AudioContext || Boolean(row?.matches(".is-place"));
    const now = row ? { entry: row.dataset.entry, hand: row.dataset.hand, call: row.dataset.call } : {};
    const same = Boolean(now.entry) && now.entry === last.entry;
    // Read out one sentence for each settled hand of this table, and nothing of other tables.
    if (same && now.hand && now.hand !== last.hand && now.hand !== "0") hear.textContent = fill(row.dataset.gap ? hear.dataset.hear : hear.dataset.hearAlone, row);
    if (same && now.call && now.call !== last.call) summon(row);
    // A player who has played a hand has arrived.
    else if (!now.call || !same || now.hand !== last.hand) called.hidden = true;
    last = now;
  }

  function summon(row) {
    called.textContent = fill(called.dataset.called, row);
    called.hidden = false;
    if (!sound) return;
    tones(3);
    navigator.vibrate?.([300, 150, 300, 150, 300]);
  }

  /* Play two notes so many times; made here, so no file is loaded. */
  function tones(times) {
    sound.resume();
    for (let at = 0; at < 2 * times; at += 1) {
      const note = sound.createOscillator(), loud = sound.createGain(), from = sound.currentTime + at * 0.28;
      note.frequency.value = at % 2 ? 880 : 660;
      loud.gain.setValueAtTime(0.0001, from);
      loud.gain.exponentialRampToValueAtTime(0.4, from + 0.03);
      loud.gain.exponentialRampToValueAtTime(0.0001, from + 0.25);
      note.connect(loud).connect(sound.destination);
      note.start(from);
      note.stop(from + 0.27);
    }
  }

  /* Browsers allow sound only after a tap, so the player turns it on each time the page is opened. */
  button.addEventListener("click", () => {
    if (sound) { sound.close(); sound = null; }
    else {
      sound = new AudioContext();
      tones(1);
      navigator.vibrate?.(200);
    }
    button.setAttribute("aria-pressed", String(Boolean(sound)));
  });

  document.addEventListener("cutline:rows", look);
  all("form[data-find]").forEach((form) => form.addEventListener("submit", () => setTimeout(look)));
  card.querySelector("[data-unpin]").addEventListener("click", () => setTimeout(look));
  globalThis.cutline.waitsForCall = () => Boolean(sound);
  look();
})();
