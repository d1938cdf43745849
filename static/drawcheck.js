/* Repeats a draw in the browser from its posted data, and says whether every seat agrees: data-draw-check.
   It takes the same steps as the ten lines of Python on the page (docs: a draw that players can check). */
(() => {
  "use strict";
  const subtle = globalThis.crypto?.subtle;
  const utf8 = new TextEncoder();
  const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const wordsOf = (text) => text.split(" ").filter(Boolean);

  /* Text as Python's json.dumps writes it: every letter outside ASCII is escaped. */
  const quoted = (text) => JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

  async function hmac(key, message) {
    const made = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await subtle.sign("HMAC", made, message));
  }

  /* Numbers below k from the seed, each equally likely. */
  function streamOf(seed) {
    let next = 0n;
    const block = async () => {
      const counter = new DataView(new ArrayBuffer(8));
      counter.setBigUint64(0, next);
      next += 1n;
      return new DataView((await hmac(seed, counter.buffer)).buffer).getBigUint64(0);
    };
    return async (k) => {
      const range = 1n << 64n, limit = range - (range % BigInt(k));
      let number = await block();
      while (number >= limit) number = await block();
      return Number(number % BigInt(k));
    };
  }

  async function orderOf({ event, number, secret, cards, roster }) {
    const order = wordsOf(roster).sort();
    const message = `[${quoted(event)}, ${number}, [${order.map(quoted).join(", ")}], ${quoted(cards)}]`;
    const below = streamOf(await hmac(bytesOf(secret), utf8.encode(message)));
    for (let i = order.length - 1; i > 0; i -= 1) {
      const j = await below(i + 1);
      [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
  }

  /* The results: agree, seats (that differ), secret, insecure (no cryptography available). */
  async function check(posted, seated) {
    if (!subtle) return { state: "insecure", differ: [] };
    const print = hexOf(new Uint8Array(await subtle.digest("SHA-256", bytesOf(posted.secret))));
    if (print !== posted.commitment) return { state: "secret", differ: [] };
    const order = await orderOf(posted);
    const drawn = new Map(wordsOf(posted.open).map((seat, at) => [seat, order[at]]));
    const differ = [...new Set([...drawn.keys(), ...seated.keys()])].filter((seat) => drawn.get(seat) !== seated.get(seat));
    if (order.length !== drawn.size && !differ.length) differ.push(...drawn.keys());
    return { state: differ.length ? "seats" : "agree", differ };
  }

  document.addEventListener("click", async (event) => {
    const place = event.target.closest("[data-draw-check] [data-check]")?.closest("[data-draw-check]");
    if (!place) return;
    const rows = [...document.querySelectorAll("[data-seat]")];
    const { state, differ } = await check(place.dataset, new Map(rows.map((row) => [row.dataset.seat, row.dataset.code])));
    place.querySelectorAll("[data-said]").forEach((said) => { said.hidden = said.dataset.said !== state; });
    place.querySelector("[data-differ]").textContent = differ.join(", ");
    rows.forEach((row) => row.classList.toggle("is-lit", differ.includes(row.dataset.seat)));
    place.dataset.state = state;
  });
})();
