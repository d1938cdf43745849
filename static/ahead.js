/* Plays a hand of blackjack ahead of the server: the next step and the legal choices after taps that are not saved
   yet. cutlineAhead(start, taps) takes the rules, bets and stacks of the page, and the taps as words
   (docs/adr/0024); returns null if it does not know. The server decides; tests compare this with the engine. */
(() => {
  "use strict";
  class Pause { constructor(kind, hole) { this.kind = kind; this.hole = Boolean(hole); } }
  class Unknown { }
  const POINTS = { A: 1, T: 10, J: 10, Q: 10, K: 10 };
  const value = (card) => POINTS[card[0]] || Number(card[0]);
  const isCard = (word) => /^[A2-9TJQK][shdc]$|^JK$/.test(word);
  const unknown = () => { throw new Unknown(); };

  /* --- a hand, a box --- */
  const handOf = (card, bet) => {
    const hand = { cards: [], hard: 0, ace: false, bet, extra: 0, state: "playing", split: false, aces: false };
    add(hand, card);
    return hand;
  };
  const totalOf = ({ hard, ace }) => ace && hard <= 11 ? hard + 10 : hard;
  function add(hand, card) {
    hand.cards.push(card);
    hand.hard += value(card);
    hand.ace ||= card[0] === "A";
    if (hand.hard > 21) hand.state = "bust";
  }
  const has = (box, chips) => box.stack === null || box.put - box.back + chips <= box.stack;
  const passes = (verify, ...given) => { try { verify(...given); return true; } catch (no) { if (no instanceof Unknown) return false; throw no; } };

  class Play {
    constructor({ rules, bets, stacks }, words) {
      Object.assign(this, { rules, words, at: 0, step: "deal", box: null, handAt: 0, dealer: [] });
      Object.assign(this, { natural: false, looked: false, found: null, played: false, third: false });
      this.boxes = Object.keys(bets).map(Number).sort((a, b) => a - b).map((seat) => (
        { seat, bet: bets[seat], stack: stacks?.[seat] ?? null, put: bets[seat], back: 0, insurance: 0, even: false, hands: [] }));
    }

    next(kind, fits, hole) {
      if (this.at >= this.words.length) throw new Pause(kind, hole);
      const word = this.words[this.at++];
      return fits(word) ? word : unknown();
    }

    draw() {
      let card = this.next("card", isCard);
      while (card === "JK") card = this.rules.joker ? this.next("card", isCard) : unknown();
      return card;
    }

    run() {
      this.deal();
      this.insure();
      this.look();
      if (!this.natural) {
        this.step = "play";
        for (const box of this.boxes) if (box.hands[0].state === "playing") this.playBox(box);
        this.playDealer();
      }
      this.box = null;
      this.step = "done";
      if (this.at < this.words.length) unknown();
    }

    deal() {
      for (this.box of this.boxes) this.box.hands.push(handOf(this.draw(), this.box.bet));
      this.box = null;
      this.dealer.push(this.draw());
      const natural = this.naturalState();
      for (this.box of this.boxes) {
        const hand = this.box.hands[0];
        add(hand, this.draw());
        if (hand.hard === 11 && hand.ace) hand.state = natural;
      }
      this.box = null;
      if (this.rules.hole_card) this.dealer.push("??");
    }

    naturalState() {
      const [low, high] = this.rules.paid_at_once, up = value(this.dealer[0]);
      return this.rules.natural_paid === "at_once" && (this.looked || low <= up && up <= high) ? "paid" : "natural";
    }

    /* --- insurance and the look --- */
    offers() {
      const found = [];
      for (const box of this.boxes) {
        const [low, high, step] = this.insuranceRange(box.bet);
        if (low <= high && passes(() => this.mayInsure(box, low))) {
          const most = box.stack === null ? high : Math.min(high, Math.floor((box.stack - box.put + box.back) / step) * step);
          found.push({ seat: box.seat, action: "insurance", min: low, max: most, step });
        }
        if (passes(() => this.mayEven(box))) found.push({ seat: box.seat, action: "even_money" });
      }
      return found;
    }

    insuranceRange(bet) {
      const { rules } = this, chip = rules.chip_chips, half = Math.floor(Math.floor(bet / 2) / chip) * chip;
      if (rules.insurance === "half" && rules.halves !== null) return [Math.max(half, chip), half, chip];
      if (rules.insurance === "half") return bet % 2 ? [chip, 0, chip] : [bet / 2, bet / 2, 1];
      const low = rules.insurance_from_half_minimum ? Math.ceil(rules.min_chips / 2) : chip;
      return [Math.ceil(low / chip) * chip, half, chip];
    }

    mayInsure(box, chips) {
      const [low, high, step] = this.insuranceRange(box.bet);
      if (this.dealer[0][0] !== "A" || box.insurance || box.even) unknown();
      if (box.hands[0].state === "natural" && !this.rules.natural_may_insure) unknown();
      if (!(chips >= low && chips <= high) || chips % step || !has(box, chips)) unknown();
    }

    mayEven(box) {
      if (!this.rules.even_money || this.dealer[0][0] !== "A" || box.hands[0].state !== "natural" || box.even) unknown();
    }

    insureOne(word) {
      const [action, seat, chips] = word.split(":"), box = this.boxes.find((each) => each.seat === Number(seat)) || unknown();
      if (action === "insurance") {
        this.mayInsure(box, Number(chips));
        box.insurance = Number(chips);
        box.put += box.insurance;
        return;
      }
      this.mayEven(box);
      box.even = true;
      box.hands[0].state = "even_money";
      if (this.rules.even_money_returns_insurance) { box.put -= box.insurance; box.insurance = 0; }
    }

    insure() {
      this.step = "insurance";
      while (this.offers().length) {
        const word = this.next("decision", (each) => each === "close_insurance" || /^(insurance|even_money):/.test(each));
        if (word === "close_insurance") return;
        this.insureOne(word);
      }
    }

    insuranceIsOver() {
      if (this.step === "insurance") return false;
      return this.rules.insurance_closes === "third_card" ? this.third : this.played || this.dealer[0][0] === "A";
    }

    look() {
      const up = this.dealer[0];
      if (!this.rules.looks_under.includes(value(up) === 10 ? "T" : up[0]) || !this.rules.looks_under) return;
      this.step = "look";
      this.found = this.next("look", (word) => word.startsWith("look:")) === "look:yes";
      this.natural = this.found;
      this.looked = true;
      if (this.natural) { this.turn(); return; }
      const natural = this.naturalState();
      for (const { hands: [hand] } of this.boxes) if (hand.state === "natural") hand.state = natural;
    }

    turn() {
      const card = this.next("card", isCard, true);
      this.dealer[1] = card;
      const natural = value(this.dealer[0]) + value(card) === 11 && [this.dealer[0], card].some((each) => each[0] === "A");
      if (this.found !== null && natural !== this.found) unknown();
    }

    /* --- the boxes --- */
    playBox(box) {
      const { rules } = this;
      this.box = box;
      for (let at = 0; at < box.hands.length; at += 1) {
        const hand = box.hands[at];
        this.handAt = at;
        if (hand.cards.length === 1) this.give(hand);
        while (hand.state === "playing") {
          if (rules.split_natural && hand.split && hand.cards.length === 2 && hand.hard === 11 && hand.ace) hand.state = this.naturalState();
          else if (!rules.draw_on_21 && totalOf(hand) === 21 || this.isFinishedAce(box, hand)) hand.state = "stood";
          else this.act(box, hand, this.next("decision", (word) => /^[a-z_]+:\d/.test(word)));
        }
      }
    }

    give(hand) {
      const card = this.draw();
      this.third = true;
      add(hand, card);
    }

    isFull(box) { return this.rules.max_hands !== null && box.hands.length >= this.rules.max_hands; }

    isFinishedAce(box, hand) {
      if (!hand.aces || this.rules.split_aces !== "one_card") return false;
      return !(this.rules.resplit_aces && hand.cards.length === 2 && hand.hard === 2 && !this.isFull(box));
    }

    act(box, hand, word) {
      const [action, seat, chips] = word.split(":");
      if (action === "insurance" || action === "even_money") {
        if (this.insuranceIsOver()) unknown();
        this.insureOne(word);
        return;
      }
      if (Number(seat) !== box.seat) unknown();
      if (action === "stand") hand.state = "stood";
      else if (action === "hit") { this.mayHit(hand); this.give(hand); }
      else if (action === "double") this.double(box, hand, chips === undefined ? hand.bet : Number(chips));
      else if (action === "split") this.split(box, hand);
      else if (action === "surrender") { this.maySurrender(hand); this.handBack(box, hand); hand.state = "surrendered"; }
      else unknown();
      this.played = true;
    }

    handBack(box, hand) {
      const { rules } = this, unit = 2 * rules.chip_chips;
      box.back += (rules.halves !== "house" ? Math.ceil(hand.bet / unit) : Math.floor(hand.bet / unit)) * rules.chip_chips;
    }

    mayHit(hand) { if (hand.aces && this.rules.split_aces === "one_card") unknown(); }

    leastDouble(bet) { return this.rules.double_amount === "up_to" ? this.rules.chip_chips : bet; }

    mayDouble(box, hand, chips) {
      const { rules } = this, counted = rules.double_soft_low ? hand.hard : totalOf(hand);
      if (hand.cards.length !== 2 || hand.aces && rules.split_aces === "one_card") unknown();
      if (hand.split && !rules.double_after_split || rules.double === "9-11" && !(counted >= 9 && counted <= 11)) unknown();
      if (!(chips >= this.leastDouble(hand.bet) && chips <= hand.bet) || chips % rules.chip_chips || !has(box, chips)) unknown();
    }

    double(box, hand, chips) {
      this.mayDouble(box, hand, chips);
      hand.extra = chips;
      box.put += chips;
      this.give(hand);
      if (hand.state === "playing") hand.state = "stood";
    }

    maySplit(box, hand) {
      const [first, second] = hand.cards, { rules } = this;
      if (hand.cards.length !== 2 || (rules.split === "rank" ? first[0] !== second[0] : value(first) !== value(second))) unknown();
      if (hand.aces && !rules.resplit_aces || this.isFull(box) || !has(box, hand.bet)) unknown();
    }

    split(box, hand) {
      this.maySplit(box, hand);
      const right = handOf(hand.cards.pop(), hand.bet);
      hand.hard -= right.hard;
      hand.split = right.split = true;
      hand.aces = right.aces = hand.ace = right.ace;
      box.hands.splice(this.handAt + 1, 0, right);
      box.put += hand.bet;
      this.give(hand);
      if (this.rules.split_cards !== "both") return;
      this.handAt += 1;
      this.give(right);
      this.handAt -= 1;
    }

    maySurrender(hand) {
      const { rules } = this;
      if (rules.surrender === "none" || hand.cards.length !== 2 || hand.aces) unknown();
      if (hand.split && !rules.surrender_after_split || rules.surrender === "not_against_ace" && this.dealer[0][0] === "A") unknown();
    }

    /* --- the dealer --- */
    dealerDraws() {
      if (this.rules.hole_card) return true;
      if (this.boxes.some(({ hands }) => hands.some(({ state }) => state === "stood" || state === "natural"))) return true;
      return !this.looked && this.boxes.some(({ insurance }) => insurance);
    }

    playDealer() {
      this.step = "dealer";
      this.box = null;
      if (!this.dealerDraws()) return;
      while (!this.insuranceIsOver() && /^(insurance|even_money):/.test(this.words[this.at] || "")) this.insureOne(this.words[this.at++]);
      if (!this.dealerDraws()) return;
      if (this.rules.hole_card) this.turn(); else this.dealer.push(this.draw());
      this.third = true;
      let hard = value(this.dealer[0]) + value(this.dealer[1]), ace = this.dealer.some((card) => card[0] === "A");
      this.natural = ace && hard === 11;
      if (this.natural || !this.boxes.some(({ hands }) => hands.some(({ state }) => state === "stood"))) return;
      let untilHard = false;
      for (;;) {
        const soft = ace && hard <= 11, total = soft ? hard + 10 : hard;
        if (soft && total === 17 && this.rules.soft17 !== "stand") untilHard = this.rules.soft17 === "until_hard";
        else if (total >= 17 && !(soft && untilHard)) return;
        const card = this.draw();
        this.dealer.push(card);
        hard += value(card);
        ace ||= card[0] === "A";
      }
    }

    /* --- what is legal --- */
    legal(kind) {
      if (this.step === "dealer" && kind === "card") return this.insuranceIsOver() ? [] : this.offers();
      if (kind !== "decision") return [];
      if (this.step === "insurance") return [...this.offers(), { seat: null, action: "close_insurance" }];
      const { box } = this, hand = box.hands[this.handAt], found = [{ seat: box.seat, action: "stand" }];
      if (passes(() => this.mayHit(hand))) found.push({ seat: box.seat, action: "hit" });
      const least = this.leastDouble(hand.bet), { chip_chips: chip } = this.rules;
      if (passes(() => this.mayDouble(box, hand, least))) {
        const held = box.stack === null ? hand.bet : Math.min(hand.bet, Math.floor((box.stack - box.put + box.back) / chip) * chip);
        found.push({ seat: box.seat, action: "double", min: least, max: least === hand.bet ? hand.bet : held, step: chip });
      }
      if (passes(() => this.maySplit(box, hand))) found.push({ seat: box.seat, action: "split", min: hand.bet, max: hand.bet, step: chip });
      if (passes(() => this.maySurrender(hand))) found.push({ seat: box.seat, action: "surrender" });
      return this.insuranceIsOver() ? found : [...found, ...this.offers()];
    }
  }

  const cardsTotal = (cards) => {
    const hard = cards.reduce((sum, card) => sum + value(card), 0);
    return totalOf({ hard, ace: cards.some((card) => card[0] === "A") });
  };

  /* The state after the words: {kind, step, seat, hand, hole, legal, boxes, dealer, dealerTotal, found}. */
  function look(start, taps) {
    const play = new Play(start, taps.flat());
    let need = { kind: "done", step: "done", seat: null, hand: null, hole: false };
    try { play.run(); } catch (stop) {
      if (!(stop instanceof Pause)) { if (stop instanceof Unknown) return null; throw stop; }
      const { box, step } = play, named = box && (step === "deal" || step === "play");
      need = { kind: stop.kind, step, seat: named ? box.seat : null, hand: step === "play" ? play.handAt : named ? 0 : null, hole: stop.hole };
    }
    const boxes = play.boxes.map(({ seat, bet, stack, put, back, insurance, hands }) => ({
      seat, bet, stack, put, back, insurance,
      hands: hands.map((hand) => ({ ...hand, total: totalOf(hand), soft: hand.ace && hand.hard <= 11 })),
    }));
    const dealer = [...play.dealer], known = dealer.filter((card) => card !== "??");
    return { ...need, legal: need.kind === "done" ? [] : play.legal(need.kind), boxes, dealer, dealerTotal: cardsTotal(known), found: play.found };
  }

  /* The words that a tap means now: a card while a box may hit is also the hit. */
  function meant(seen, word) {
    const hit = isCard(word) && seen?.kind === "decision" && seen.legal.find(({ action }) => action === "hit");
    return hit ? [`hit:${hit.seat}`, word] : [word];
  }

  globalThis.cutlineAhead = { look, meant };
})();
