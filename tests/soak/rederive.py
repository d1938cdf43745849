#!/usr/bin/env python3
"""Re-derives finished simulated *wonder*-format events from the database, apart from the product's engines, and compares: every stack, button, shoe,
draw, cut, play-off, sudden death, place, prize, chip, cent, journal. The settlement of a hand is taken as recorded (`checks/vectors` is for that).

usage (in the project's root, after `make setup`):
    .venv/bin/python ../shared/checks/rederive.py --sim 42:7 --sim 20:5:sheet=banco:stacks=reset      simulate (entrants:seed[:setting=value]) and check
    .venv/bin/python ../shared/checks/rederive.py --batch small                                      a fixed list
    .venv/bin/python ../shared/checks/rederive.py SLUG...                                            events that are there
Exit 0: no difference. Rows are read by plain SQL.
"""
import hashlib
import hmac
import importlib
import json
import os
import sys
import time
from collections import Counter, defaultdict
from fractions import Fraction

BURNED, BEHIND = 1, 52


# ---------------------------------------------------------------------------------------------- chance
def canon(value):
    return json.dumps(value, sort_keys=True)


class Gen:
    def __init__(self, seed):
        self.seed, self.n = seed, 0

    def below(self, k):
        top = 2 ** 64 - 2 ** 64 % k
        while True:
            b = int.from_bytes(hmac.new(self.seed, self.n.to_bytes(8, "big"), hashlib.sha256).digest()[:8], "big")
            self.n += 1
            if b < top:
                return b % k


def mixed(items, seed):
    out, g = list(items), Gen(seed)
    for i in range(len(out) - 1, 0, -1):
        j = g.below(i + 1)
        out[i], out[j] = out[j], out[i]
    return out


def draw_seed(secret, event, number, roster, cards, *more):
    return hmac.new(secret, canon([event, number, sorted(roster), cards, *more]).encode(), hashlib.sha256).digest()


def fresh_shoe(decks, joker):
    one = [r + s for s in "shdc" for r in "A23456789TJQK"]
    return one * decks + (["JK"] if joker else [])


# ---------------------------------------------------------------------------------------------- reading
def rows(sql, *args):
    from django.db import connection
    with connection.cursor() as c:
        c.execute(sql, args)
        names = [d[0] for d in c.description]
        out = []
        for r in c.fetchall():
            d = dict(zip(names, r))
            out.append(d)
        return out


def js(x):
    return json.loads(x) if isinstance(x, (str, bytes)) else x


class Data:
    def __init__(self, slug):
        e = rows("SELECT * FROM tournament_event WHERE slug=%s OR code=%s ORDER BY id DESC LIMIT 1", slug, slug)
        if not e:
            sys.exit(f"no event {slug}")
        self.event = e[0]
        self.set = js(self.event["settings_json"])
        i = self.event["id"]
        self.entries = rows("SELECT * FROM tournament_entry WHERE event_id=%s ORDER BY number", i)
        self.code = {x["id"]: x["code"] for x in self.entries}
        self.rounds = rows("SELECT r.*, coalesce((SELECT jsonb_build_object('ruling', jsonb_build_object('advance', t.advance))"
                           " FROM tournament_tieruling t WHERE t.round_id=r.id AND NOT t.lifted ORDER BY t.seq DESC LIMIT 1), '{}')"
                           " AS stakes FROM tournament_round r WHERE r.event_id=%s ORDER BY r.id", i)
        self.stacks = rows("SELECT s.*, CASE WHEN s.outcome='' THEN NULL WHEN s.state='disqualified' THEN 0 ELSE s.chips-coalesce(("
                           "SELECT sum(l.amount_chips) FROM tournament_chipentry l JOIN tournament_chiptransaction t ON t.id=l.transaction_id"
                           " WHERE l.stack_id=s.id AND l.amount_chips<0 AND t.kind IN ('carry', 'return')"
                           " AND NOT EXISTS (SELECT 1 FROM tournament_chiptransaction b WHERE b.reverses_id=t.id)"
                           " AND t.id>(SELECT max(o.transaction_id) FROM tournament_chipentry o JOIN tournament_chiptransaction p"
                           " ON p.id=o.transaction_id WHERE o.stack_id=s.id AND o.amount_chips>0 AND p.kind IN ('issue', 'carry'))"
                           "), 0) END AS closed_chips FROM tournament_stack s JOIN tournament_round r ON r.id=s.round_id"
                           " WHERE r.event_id=%s ORDER BY s.id", i)
        self.draws = rows("SELECT d.*, s.secret FROM tournament_draw d LEFT JOIN tournament_drawsecret s ON s.draw_id=d.id"
                          " WHERE d.event_id=%s ORDER BY d.number", i)
        self.tables = rows("SELECT * FROM tables_table WHERE event_id=%s ORDER BY number", i)
        self.tno = {t["id"]: t["number"] for t in self.tables}
        self.seats = rows("SELECT s.* FROM tables_seat s JOIN tournament_round r ON r.id=s.round_id WHERE r.event_id=%s"
                          " ORDER BY s.id", i)
        self.shoes = rows("SELECT s.* FROM tables_shoe s JOIN tournament_round r ON r.id=s.round_id WHERE r.event_id=%s"
                          " ORDER BY s.id", i)
        self.deals = rows("SELECT d.* FROM tables_deal d JOIN tables_shoe s ON s.id=d.shoe_id JOIN tournament_round r"
                          " ON r.id=s.round_id WHERE r.event_id=%s ORDER BY d.closed_at, d.id", i)
        self.counts = rows("SELECT c.* FROM tables_countsheet c JOIN tables_shoe s ON s.id=c.shoe_id JOIN tournament_round r"
                           " ON r.id=s.round_id WHERE r.event_id=%s AND c.status='live' ORDER BY c.id", i)
        self.chips = rows("SELECT e.*, t.kind, t.source, t.id AS tx FROM tournament_chipentry e JOIN tournament_chiptransaction t"
                          " ON t.id=e.transaction_id WHERE t.event_id=%s ORDER BY e.id", i)
        self.money = rows("SELECT e.*, t.kind, t.entry_id, t.amount_cents AS total, t.id AS tx, t.reverses_id FROM tournament_moneyentry e"
                          " JOIN tournament_moneytransaction t ON t.id=e.transaction_id WHERE t.event_id=%s ORDER BY e.id", i)
        self.moneytx = rows("SELECT * FROM tournament_moneytransaction WHERE event_id=%s ORDER BY id", i)
        self.structures = rows("SELECT * FROM tournament_payoutstructure WHERE event_id=%s ORDER BY version", i)
        self.postings = rows("SELECT * FROM tournament_posting WHERE event_id=%s ORDER BY id", i)
        self.payments = rows("SELECT * FROM tournament_payment WHERE event_id=%s ORDER BY id", i)
        self.journal = rows("SELECT * FROM tournament_journalentry WHERE event_id=%s ORDER BY seq", i)
        self.head = rows("SELECT * FROM tournament_journalhead WHERE event_id=%s", i)[0]
        for d in self.draws:
            for k in ("roster", "open_seats", "result"):
                d[k] = js(d[k])
        for d in self.deals:
            for k in ("bets", "stacks", "entries", "record", "answer"):
                d[k] = js(d[k])
        for r in self.rounds:
            r["stakes"] = js(r["stakes"])


# ---------------------------------------------------------------------------------------------- checking
class Check:
    def __init__(self, slug, oracle):
        self.d = Data(slug)
        self.o = oracle
        self.slug = slug
        self.diffs = []
        self.n = Counter()
        self.notes = []
        self.name = f"{self.d.event['code']}({len(self.d.entries)})"
        s = self.d.set
        self.min = s["bet_min_chips"]
        self.carried = s["stacks"] == "carried"

    def say(self, what, *facts):
        self.diffs.append((what, " ".join(str(f) for f in facts)))

    def same(self, what, theirs, mine, *facts):
        self.n["compared"] += 1
        if theirs != mine:
            self.say(what, *facts, f"theirs={theirs!r} mine={mine!r}")
            return False
        return True

    # -- hands of one stage ------------------------------------------------------------------------
    def prepare(self):
        d = self.d
        self.stack = defaultdict(dict)       # round → code → row
        for x in d.stacks:
            self.stack[x["round_id"]][d.code[x["entry_id"]]] = x
        self.seat = defaultdict(lambda: defaultdict(dict))   # round → table id → box → code
        for x in d.seats:
            if x["vacated_at"] is None:
                self.seat[x["round_id"]][x["table_id"]][x["box"]] = d.code[x["entry_id"]]
        self.shoes = defaultdict(list)
        for x in d.shoes:
            self.shoes[x["round_id"]].append(x)
        self.deals = defaultdict(list)
        by_shoe = {x["id"]: x for x in d.shoes}
        for x in d.deals:
            if x["status"] == "settled":
                self.deals[by_shoe[x["shoe_id"]]["round_id"]].append(x)
        self.by_shoe = by_shoe
        self.draw = {x["id"]: x for x in d.draws}
        self.rulings = defaultdict(lambda: defaultdict(int))  # round → code → chips by count or penalty
        rid = {x["id"]: (x["round_id"], d.code[x["entry_id"]]) for x in d.stacks}
        self.stack_of = rid
        for leg in d.chips:
            if leg["stack_id"] and (leg["source"].startswith("count:") or leg["source"].startswith("penalty:")):
                r, c = rid[leg["stack_id"]]
                self.rulings[r][c] += leg["amount_chips"]

    def button_start(self, round_, shoe):
        draw = self.draw.get(round_["draw_id"])
        boxes = sorted(self.seat[round_["id"]][shoe["table_id"]])
        if not draw or not draw["revealed_secret"] or not boxes:
            return None
        secret = bytes.fromhex(draw["revealed_secret"])
        table = self.d.tno[shoe["table_id"]]
        more = ["button", table] if shoe["number"] == 1 else ["button", table, shoe["number"]]
        if shoe["number"] > 1:
            boxes = self.occupied(round_["id"], shoe["table_id"])
        if not boxes:
            return None
        seed = draw_seed(secret, self.d.event["code"], draw["number"], draw["roster"], draw["cards"], *more)
        return boxes[Gen(seed).below(len(boxes))]

    def occupied(self, rid, table):
        return sorted(b for b, c in self.seat[rid][table].items() if c in self.live[rid] and self.chips[rid][c] >= self.min)

    @staticmethod
    def next_box(box, boxes):
        if not boxes:
            return None
        later = [b for b in boxes if box is not None and b > box]
        return later[0] if later else boxes[0]

    def hand(self, round_, deal):
        """One settled hand: legality, settlement, button, cards. Moves self.chips."""
        d, rid = self.d, round_["id"]
        shoe = self.by_shoe[deal["shoe_id"]]
        st = self.shoe_state.setdefault(shoe["id"], None)
        at = f"{round_['kind']} {round_['number']} t{d.tno[shoe['table_id']]} shoe {shoe['number']} hand {deal['number']}"
        where = self.seat[rid][shoe["table_id"]]
        if st is None:
            first = self.button_start(round_, shoe)
            cards = None
            if shoe["seed"] is not None:
                joker = d.set["sheet"] == "wiesbaden"
                cards = mixed(fresh_shoe(shoe["decks"], joker), bytes(shoe["seed"]))
            st = self.shoe_state[shoe["id"]] = dict(pos=BURNED, button=first, number=0, cards=cards, seen=Counter(), line={})
            self.same("T10 decks", shoe["decks"], d.set["decks"], at)
        st["number"] += 1
        # number
        self.same("hand number", deal["number"], st["number"], at) if not self.has_odd else None
        # button
        occ = self.occupied(rid, shoe["table_id"])
        if st["button"] not in occ:
            st["button"] = self.next_box(st["button"], occ)
        self.same("T14 button", deal["button_box"], st["button"], at)
        rec, ans = deal["record"], deal["answer"]
        bets = {int(b): v for b, v in rec["bets"].items()}
        self.same("bets row", {int(b): v for b, v in deal["bets"].items()}, bets, at)
        # who sits there
        for b, eid in deal["entries"].items():
            self.same("who sits", d.code.get(eid), where.get(int(b)), at, "box", b)
        L = dict(min=d.set["bet_min_chips"], max=d.set["bet_max_chips"], step=d.set["bet_step_chips"], chip=d.set["chip_value_chips"])
        for b, v in bets.items():
            c = where.get(b)
            if c is None or c not in self.live[rid]:
                self.say("T12/T15 bet by nobody", at, "box", b, c)
                continue
            if not (L["min"] <= v <= L["max"] and v % L["step"] == 0) or v > self.chips[rid][c]:
                self.say("T12 bet", at, c, v, "of", self.chips[rid][c])
            self.same("stack before", rec.get("stacks", {}).get(str(b)), self.chips[rid][c], at, c)
        for b in occ:
            if b not in bets:
                self.n["able but no bet"] += 1
        if rec.get("side_bets"):
            self.say("T12 side bet", at)
        # settlement by the oracle
        fields = {k: rec[k] for k in ("rules", "decks", "bets", "cards", "decisions", "stacks", "limits", "options",
                                      "side_bets", "line_chips") if k in rec}
        self.same("T16 sheet", rec.get("rules"), d.set["sheet"], at)
        if "limits" in rec:
            self.same("T12 limits", rec["limits"], L, at)
        fields["limits"] = L
        self.same("T10 decks of record", rec.get("decks", d.set["decks"]), d.set["decks"], at)
        fields["decks"] = d.set["decks"]
        fields["options"] = {k: v for k, v in (rec.get("options") or {}).items()}
        if "cards" in rec:
            mine = self.o.answer(fields) if self.o else ans
            self.n["hands"] += 1
            if "error" in mine:
                self.say("hand refused by the oracle", at, mine["error"])
                net = {int(b): v for b, v in ans["net"].items()}
            else:
                for k in ("net", "hands", "dealer"):
                    self.same(f"hand {k}", ans.get(k), mine[k], at)
                self.same("hand insurance", ans.get("insurance") or None, mine.get("insurance"), at)
                self.same("hand line chip", ans.get("line_chip") or None, mine.get("line_chip"), at)
                net = {int(b): v for b, v in mine["net"].items()}
            # row 23: what lies on the line
            if d.set["sheet"] == "banco":
                exp = {str(b): st["line"][b] for b in bets if st["line"].get(b)}
                self.same("row 23 line chips", {k: v for k, v in (rec.get("line_chips") or {}).items() if v}, exp, at)
                new = {int(b): v for b, v in (mine.get("line_chip") or {}).items()}
                for b in bets:
                    st["line"].pop(b, None)
                st["line"].update(new)
        else:
            net = {int(b): v for b, v in ans["net"].items()}
        # cards
        if "cards" in rec:
            n = len(rec["cards"])
            if st["cards"] is not None:
                cut = len(st["cards"]) - BEHIND
                if st["pos"] >= cut:
                    self.say("T11 dealt past the cut card", at, st["pos"], cut)
                self.same("cards of the shoe", rec["cards"], st["cards"][st["pos"]:st["pos"] + n], at)
            st["pos"] += n
            st["seen"].update(rec["cards"])
        for b, v in net.items():
            c = where.get(b)
            if c is not None:
                self.chips[rid][c] += v
                if self.chips[rid][c] < 0:
                    self.say("stack below 0", at, c, self.chips[rid][c])
                if self.chips[rid][c] % L["chip"]:
                    self.say("not whole chips", at, c, self.chips[rid][c])
        # T14: moves to the next occupied box each hand
        st["button"] = self.next_box(st["button"], self.occupied(rid, shoe["table_id"]))

    def shoes_end(self, round_):
        rid = round_["id"]
        for shoe in self.shoes[rid]:
            st = self.shoe_state.get(shoe["id"])
            dealt = st["pos"] if st else BURNED
            at = f"{round_['kind']} {round_['number']} t{self.d.tno[shoe['table_id']]} shoe {shoe['number']}"
            self.same("cards dealt", shoe["cards_dealt"], dealt, at)
            if st and st["cards"] is not None:
                cut = len(st["cards"]) - BEHIND
                self.same("shoe size", len(st["cards"]), 52 * self.d.set["decks"] + (self.d.set["sheet"] == "wiesbaden"), at)
                over = [c for c, k in st["seen"].items() if k > (1 if c == "JK" else self.d.set["decks"])]
                if over:
                    self.say("A8 over the shoe", at, over)
                if round_["kind"] == "round" and dealt < cut and self.occupied(rid, shoe["table_id"]):
                    if not shoe["ended_reason"]:
                        self.say("T11 shoe ended before the cut card", at, dealt, cut)
            if round_["kind"] == "round":
                if not self.d.head:
                    pass
                sheets = [c for c in self.d.counts if c["shoe_id"] == shoe["id"]]
                self.same("T18 two counts", len(sheets), 2, at)
                for c in sheets:
                    mine = {str(b): self.chips[rid][code] for b, code in self.seat[rid][shoe["table_id"]].items()
                            if code in self.live[rid]}
                    self.same("T18 counted", js(c["chips"]), mine, at)

    # -- ranks -------------------------------------------------------------------------------------
    @staticmethod
    def ranked(chips, last=()):
        """code → (place, tied): most chips first, ties share the lower number, `last` behind everybody."""
        key = {c: (c in last, 0 if c in last else -v) for c, v in chips.items()}
        out = {}
        for c in chips:
            out[c] = (1 + sum(key[o] < key[c] for o in chips), sum(key[o] == key[c] for o in chips) > 1)
        return out

    def cut(self, chips, last, seats):
        """(in, tied, seats contested) by T20, T23, T24."""
        able = {c: v for c, v in chips.items() if c not in last and (not self.carried or v >= self.min)}
        if len(able) <= seats:
            return set(able), set(), 0
        line = sorted(able.values(), reverse=True)[seats - 1]
        over = {c for c, v in able.items() if v > line}
        level = {c for c, v in able.items() if v == line}
        if len(over) + len(level) == seats:
            return over | level, set(), 0
        return over, level, seats - len(over)

    # -- draws -------------------------------------------------------------------------------------
    def seats_expected(self, n, tables=None):
        usable = [(t["number"], [b for b in range(1, 8) if b not in (t["boxes_out"] or []) and b <= self.d.set["boxes_per_table"]])
                  for t in self.d.tables if t["in_use"]]
        usable = [(t, b) for t, b in usable if b]
        sizes = {len(b) for _, b in usable}
        if len(sizes) != 1:
            return None                      # boxes out of use: judged elsewhere
        per = sizes.pop()
        want = self.d.set["tables_count"] or -(-n // per)
        want = min(want, n)
        chosen = usable[:want]
        order = sorted(((b, t) for t, boxes in chosen for b in boxes))
        return [[t, b] for b, t in order][:n]

    def check_draw(self, round_, players):
        d = self.d
        draw = self.draw.get(round_["draw_id"])
        at = f"draw of {round_['kind']} {round_['number']}.{round_['sequence']}"
        if draw is None:
            self.say("no draw", at)
            return
        self.same("draw status", draw["status"], "drawn", at)
        secret = bytes(draw["secret"])
        self.same("draw commitment", draw["commitment"], hashlib.sha256(secret).hexdigest(), at)
        self.same("draw revealed", draw["revealed_secret"], secret.hex(), at)
        self.same("draw roster", draw["roster"], sorted(players), at)
        exp = self.seats_expected(len(players))
        if exp is not None and not self.has_odd:
            self.same("draw open seats", draw["open_seats"], exp, at)
        order = mixed(sorted(players), draw_seed(secret, d.event["code"], draw["number"], players, draw["cards"]))
        mine = [[c, *s] for c, s in zip(order, draw["open_seats"])]
        self.same("draw result", draw["result"], mine, at)
        if d.set["public_input"]:
            cs = draw["cards"].split()
            if len(cs) != 5 or len(set(cs)) != 5:
                self.say("draw cards", at, draw["cards"])
        else:
            self.same("draw cards", draw["cards"], "", at)
        sat = sorted([c, d.tno[t], b] for t, boxes in self.seat[round_["id"]].items() for b, c in boxes.items())
        if not self.has_odd:
            self.same("seats as drawn", sat, sorted(mine), at)
        per = Counter(t for t, _ in draw["open_seats"])
        if per and max(per.values()) - min(per.values()) > 1:
            self.say("T4 tables differ by more than one", at, dict(per))
        post = [p for p in d.postings if p["kind"] == "draw" and p["number"] == draw["number"]]
        if self.same("draw posted once", len(post), 1, at):
            b = js(post[0]["body"])
            for k, v in (("secret", secret.hex()), ("commitment", draw["commitment"]), ("roster", draw["roster"]),
                         ("open_seats", draw["open_seats"]), ("cards", draw["cards"]), ("result", draw["result"])):
                self.same("draw posting " + k, b.get(k), v, at)
            for t, boxes in self.seat[round_["id"]].items():
                drawn_boxes = sorted(s[2] for s in draw["result"] if s[1] == d.tno[t])
                seed = draw_seed(secret, d.event["code"], draw["number"], draw["roster"], draw["cards"], "button", d.tno[t])
                self.same("T14 posted button", b["buttons"].get(str(d.tno[t])), drawn_boxes[Gen(seed).below(len(drawn_boxes))], at)
        rules = [p for p in d.postings if p["kind"] == "rules"]
        if rules:
            self.same("commitment posted", js(rules[-1]["body"])["commitments"][draw["number"] - 1], draw["commitment"], at)

    # -- the event ---------------------------------------------------------------------------------
    def run(self):
        d = self.d
        self.prepare()
        self.chips = defaultdict(dict)
        self.live = defaultdict(set)
        self.shoe_state = {}
        self.issued = 0
        # an event where a person did something by hand: some exact comparisons do not apply
        self.has_odd = any(s["vacated_at"] is not None for s in d.seats) or any(x["status"] in ("void", "reversed") for x in d.deals)
        if d.event["status"] not in ("paid", "finished"):
            self.say("not finished", d.event["status"])
        main = [r for r in d.rounds if r["kind"] == "round"]
        death = [r for r in d.rounds if r["kind"] == "sudden_death"]
        offs = defaultdict(list)
        for r in d.rounds:
            if r["kind"] == "play_off":
                offs[r["parent_id"]].append(r)
        gone = {e["code"]: e["status"] for e in d.entries}
        players = {e["code"] for e in d.entries if e["status"] not in ("withdrawn", "no_show", "waiting")}
        number = 0
        closed = []               # [(chips by code, advanced)] of the main rounds
        expected_rounds = d.set["rounds"]
        while True:
            number += 1
            if number > expected_rounds or (number > 1 and len(players) < 2):
                break
            if number > len(main):
                self.say("T20 a round was not played", number, len(players), "players")
                break
            r = main[number - 1]
            rid = r["id"]
            self.same("round number", r["number"], number)
            self.same("round closed", r["status"], "closed", r["number"])
            self.same("T20/T21 who plays", sorted(self.stack[rid]), sorted(players), "round", number)
            self.check_draw(r, sorted(players))
            # start
            for c in players:
                if number == 1 or not self.carried:
                    start = d.set["starting_chips"]
                    self.issued += start
                else:
                    start = closed[-1][0][c]
                self.chips[rid][c] = start
                if c in self.stack[rid]:
                    self.same("T3/T22 start", self.stack[rid][c]["start_chips"], start, c, "round", number)
            self.live[rid] = set(players)
            for deal in self.deals[rid]:
                self.hand(r, deal)
            for c, v in self.rulings[rid].items():
                self.chips[rid][c] += v
            self.shoes_end(r)
            last = {c for c in players if gone[c] == "disqualified"}
            place = self.ranked(self.chips[rid], last)
            for c in players:
                x = self.stack[rid].get(c)
                if x:
                    self.same("T20 rank", (x["place"], x["place_tied"]), place[c], c, "round", number)
                    self.same("closed stack", x["closed_chips"], self.chips[rid][c], c, "round", number)
            if number == expected_rounds:
                closed.append((dict(self.chips[rid]), set()))
                for c in players:
                    if c in self.stack[rid]:
                        self.same("outcome", self.stack[rid][c]["outcome"], "ranked", c)
                if offs[rid]:
                    self.say("T23 a play-off in the last round")
                break
            seats = d.set["cut_after_round_1"] if number == 1 else d.set["cut_after_round_2"]
            self.same("cut", r["cut_to"], seats, "round", number)
            into, tied, contested = self.cut(self.chips[rid], last, seats)
            self.n["cuts"] += 1
            if tied:
                self.n["ties at the cut"] += 1
                self.n[f"tie of {len(tied)} for {contested}"] += 1
                method = d.set["tie_at_cut"]
                if method == "play_off":
                    if self.same("T23 one play-off", len(offs[rid]), 1, "round", number):
                        into |= self.play_off(offs[rid][0], tied, contested)
                elif method == "all_advance":
                    self.same("T23 no play-off", len(offs[rid]), 0)
                    into |= tied
                else:
                    self.same("T23 no play-off", len(offs[rid]), 0)
                    won = set((r["stakes"].get("ruling") or {}).get("advance", []))
                    if not won <= tied or len(won) != contested:
                        self.say("T23 ruling", sorted(won), "of", sorted(tied), contested)
                    into |= won
            else:
                self.same("T23 no play-off", len(offs[rid]), 0, "round", number)
            theirs = {c for c, x in self.stack[rid].items() if x["outcome"] == "advanced"}
            self.same("T20 who advances", sorted(theirs), sorted(into), "round", number)
            closed.append((dict(self.chips[rid]), into))
            players = into
        self.same("rounds played", len(main), len(closed))
        # results posted
        for i, (chips, into) in enumerate(closed):
            post = [p for p in d.postings if p["kind"] == "result" and p["number"] == i + 1]
            if self.same("result posted", len(post), 1, i + 1):
                body = js(post[0]["body"])
                place = self.ranked(chips, {c for c in chips if gone[c] == "disqualified"})
                want = sorted([place[c][0], c, chips[c]] for c in chips)
                self.same("posted standings", sorted(x[:3] for x in body["standings"]), want, "round", i + 1)
        # places before sudden death
        final, chips_of = {}, {}
        base = 0
        rank_in = []
        for chips, into in reversed(closed):
            here = {c: v for c, v in chips.items() if c not in final}
            ahead = {c: v for c, v in here.items() if c in into}
            for tier in (ahead, {c: v for c, v in here.items() if c not in ahead}):
                base = len(final)
                pl = self.ranked(tier, {c for c in tier if gone[c] == "disqualified"})
                for c, (p, t) in pl.items():
                    rank_in.append((c, base + p, t))
                for c, p, t in rank_in:
                    final[c] = p
                    chips_of[c] = chips[c] if c in tier else chips_of[c]
                rank_in = []
        # payouts
        prizes = self.payouts(main)
        if prizes is not None:
            groups = self.money_ties(final, prizes, gone)
            if groups:
                self.n["money ties"] += len(groups)
                self.n["events with sudden death"] += 1
                if len(groups) > 1:
                    self.n["events with several tie groups"] += 1
            self.same("T33 sudden death", len(death), 1 if groups else 0, "groups", groups)
            if groups and len(death) == 1:
                self.sudden_death(death[0], groups, final)
            else:
                for r in death:
                    self.say("T33 sudden death without a tie", r["id"])
        else:
            self.say("no payouts")
        for e in d.entries:
            c = e["code"]
            if c not in final:
                continue
            self.same("T20/T33 place", e["place"], final[c], c)
            self.same("place tied", e["place_tied"], sum(p == final[c] for p in final.values()) > 1, c)
            self.same("final chips", e["final_chips"], chips_of[c], c)
        if prizes is not None:
            self.pay(final, prizes, gone)
        self.ledger()
        self.money()
        self.journal()
        return self.diffs

    # -- play-off ----------------------------------------------------------------------------------
    def levels(self, round_, decide):
        """Plays the hands of a tie stage; calls decide() whenever every table that can play is level."""
        rid = round_["id"]
        since = Counter()
        tables = sorted(self.seat[rid])
        over = False
        for deal in self.deals[rid]:
            if over:
                self.say("a hand after the tie was decided", round_["kind"], round_["number"], deal["number"])
                continue
            t = self.by_shoe[deal["shoe_id"]]["table_id"]
            can = [x for x in tables if self.occupied(rid, x)]
            self.hand(round_, deal)
            since[t] += 1
            can = [x for x in tables if self.occupied(rid, x)]
            if can and max(since.values()) > min(since[x] for x in can):
                continue
            since = Counter()
            over = decide()
            self.n["looks"] += 1
        if not over:
            over = decide()          # nobody there could bet
        if not over:
            self.say("the tie is not decided", round_["kind"], round_["number"])

    def stage_start(self, round_, players, each):
        rid = round_["id"]
        self.same("who plays", sorted(self.stack[rid]), sorted(players), round_["kind"], round_["number"])
        self.check_draw(round_, sorted(players))
        for c in players:
            self.chips[rid][c] = each
            self.issued += each
            if c in self.stack[rid]:
                self.same("fresh stack", self.stack[rid][c]["start_chips"], each, c, round_["kind"])
        self.live[rid] = set(players)

    def play_off(self, round_, tied, contested):
        rid, each = round_["id"], self.d.set["play_off_chips"]
        self.stage_start(round_, tied, each)
        into, left = set(), contested
        state = {"left": contested}

        def decide():
            here = self.live[rid]
            seats = state["left"]
            chips = {c: self.chips[rid][c] for c in here}
            line = sorted(chips.values(), reverse=True)[seats - 1]
            over = {c for c in here if chips[c] > line}
            level = {c for c in here if chips[c] == line}
            if len(over) + len(level) <= seats:
                over, level = over | level, set()
            under = here - over - level
            into.update(over)
            for c in over | under:
                self.same("play-off result", (self.stack[rid][c]["outcome"], self.stack[rid][c]["closed_chips"]),
                          ("advanced" if c in over else "cut", chips[c]), c)
            state["left"] = seats - len(over)
            self.live[rid] = level
            if level and line < self.min:
                for c in level:
                    self.chips[rid][c] = each
                    self.issued += each
                self.n["play-off fresh stacks"] += 1
            return not level

        self.n["play-offs"] += 1
        self.levels(round_, decide)
        self.shoes_end(round_)
        self.same("play-off winners", len(into), contested)
        self.same("play-off closed", round_["status"], "closed")
        return into

    # -- sudden death ------------------------------------------------------------------------------
    @staticmethod
    def money_ties(final, prizes, gone):
        groups = []
        for p in sorted(set(final.values())):
            who = sorted(c for c, x in final.items() if x == p and gone[c] != "disqualified")
            pay = [prizes[i - 1] if i <= len(prizes) else 0 for i in range(p, p + len(who))]
            if len(set(pay)) > 1:
                groups.append((tuple(range(p, p + len(who))), tuple(who), tuple(pay)))
        return groups

    def sudden_death(self, round_, groups, final):
        rid, each = round_["id"], self.d.set["sudden_death_chips"]
        self.stage_start(round_, {c for g in groups for c in g[1]}, each)
        state = {"groups": list(groups)}

        def decide():
            left = []
            for places, who, pay in state["groups"]:
                chips = {c: self.chips[rid][c] for c in who}
                by = defaultdict(list)
                for c, v in chips.items():
                    by[v].append(c)
                ties = [v for v, cs in by.items() if len(cs) > 1]
                # T33: they play on while level stacks lie over places that pay differently.
                pos, open_money = 0, False
                for v in sorted(by, reverse=True):
                    part = pay[pos:pos + len(by[v])]
                    open_money |= len(set(part)) > 1
                    pos += len(by[v])
                if any(v >= self.min for v in ties) and open_money:
                    left.append((places, who, pay))
                    continue
                pos = 0
                for v in sorted(by, reverse=True):
                    cs = sorted(by[v])
                    pl, py = places[pos:pos + len(cs)], pay[pos:pos + len(cs)]
                    pos += len(cs)
                    if len(set(py)) > 1:
                        left.append((pl, tuple(cs), py))
                        for c in cs:
                            self.chips[rid][c] = each
                            self.issued += each
                        self.n["sudden death fresh stacks"] += 1
                    else:
                        for c in cs:
                            final[c] = pl[0]
                            self.live[rid].discard(c)
                            x = self.stack[rid][c]
                            self.same("sudden death place", (x["place"], x["closed_chips"], x["outcome"]), (pl[0], v, "ranked"), c)
            state["groups"] = left
            return not left

        self.levels(round_, decide)
        self.shoes_end(round_)
        self.same("sudden death closed", round_["status"], "closed")

    # -- prizes ------------------------------------------------------------------------------------
    def payouts(self, main):
        d = self.d
        live = [s for s in d.structures if s["status"] == "live"]
        if not self.same("T31 one structure in force", len(live), 1):
            return None
        s = live[0]
        kept = [t for t in d.moneytx if t["kind"] == "buy_in" and not any(x["reverses_id"] == t["id"] for x in d.moneytx)]
        pool = max(sum(t["amount_cents"] - d.set["fee_cents"] for t in kept), d.set["guarantee_cents"])
        self.same("T32 pool", s["pool_cents"], pool)
        st = js(s["structure"])
        prizes = js(s["prizes_cents"])
        if st["kind"] == "shares":
            unit = d.set["prize_unit_cents"]
            exact = [Fraction(a, 10000) * pool for a in st["amounts"]]
            units = [int(x // unit) for x in exact]
            rest = [x / unit - u for x, u in zip(exact, units)]
            over = pool // unit - sum(units)
            for i in sorted(range(len(units)), key=lambda i: (-rest[i], i))[:over]:
                units[i] += 1
            mine = [u * unit for u in units]
            mine[0] += pool % unit
            self.same("T32 prizes", prizes, mine)
            self.same("T32 prizes add up", sum(prizes), pool)
        else:
            self.same("T32 fixed", prizes, st["amounts"])
        if len(prizes) < 2:
            self.say("T30 fewer than two places paid", prizes)
        if any(a < b for a, b in zip(prizes, prizes[1:])):
            self.say("T32 rising prizes", prizes)
        # T31: after round 1 is closed, before a hand after it, frozen
        post = next(p for p in d.postings if p["id"] == s["posting_id"])
        body = js(post["body"])
        self.same("T31 posting", (body["prizes_cents"], body["pool"]["cents"], body["version"]), (prizes, pool, s["version"]))
        self.same("posting hash", post["hash"], hashlib.sha256(canon(body).encode()).hexdigest())
        closes = [j["seq"] for j in d.journal if j["kind"] == "round.close" and js(j["result"]).get("round") == main[0]["id"]]
        posts = [j["seq"] for j in d.journal if j["kind"] in ("payouts.post",)]
        after = [j["seq"] for j in d.journal if j["kind"] in ("deal.record", "deal.settle")
                 and self.round_of_deal(js(j["result"]).get("deal")) not in {main[0]["id"]} | self.offs_of(main[0]["id"])]
        if closes and posts and not closes[0] < posts[0]:
            self.say("T31 posted before round 1 was closed", posts[0], closes[0])
        if posts and after and not posts[0] < min(after):
            self.say("T31 a hand before the structure", posts[0], min(after))
        if len(main) > 1 and not posts:
            self.say("T31 nothing posted")
        return prizes

    def offs_of(self, rid):
        return {r["id"] for r in self.d.rounds if r["parent_id"] == rid}

    def round_of_deal(self, pk):
        if not hasattr(self, "_rod"):
            self._rod = {x["id"]: self.by_shoe[x["shoe_id"]]["round_id"] for x in self.d.deals}
        return self._rod.get(pk)

    def pay(self, final, prizes, gone):
        d = self.d
        owed = {}
        for p in sorted(set(final.values())):
            who = sorted(c for c, x in final.items() if x == p and gone[c] != "disqualified")
            if not who:
                continue
            total = sum(prizes[i - 1] if i <= len(prizes) else 0 for i in range(p, p + len(who)))
            each, more = divmod(total, len(who))
            for i, c in enumerate(who):
                owed[c] = each + (i < more)
        paid = {d.code[x["entry_id"]]: x["amount_cents"] for x in d.payments}
        self.same("T35 prizes paid", dict(sorted(paid.items())), {c: v for c, v in sorted(owed.items()) if v})
        for x in d.payments:
            self.same("T35 place paid", x["place"], final[d.code[x["entry_id"]]])
        if d.event["status"] == "paid" and not any(v == "disqualified" for v in gone.values()):
            self.same("T32 all prizes paid", sum(paid.values()), sum(prizes))

    # -- ledgers -----------------------------------------------------------------------------------
    def ledger(self):
        d = self.d
        total = Counter()
        per_tx, per_stack = Counter(), Counter()
        for leg in d.chips:
            total[leg["account"]] += leg["amount_chips"]
            per_tx[leg["tx"]] += leg["amount_chips"]
            if leg["stack_id"]:
                per_stack[leg["stack_id"]] += leg["amount_chips"]
        bad = [t for t, v in per_tx.items() if v]
        self.same("chips: a transaction is off", bad[:3], [])
        self.same("chips issued", -total["issued"], self.issued) if not self.has_odd else None
        self.same("chips: issued = stacks + bank + returned", -total["issued"], total["stack"] + total["bank"] + total["returned"])
        for x in d.stacks:
            self.same("stack = its ledger", x["chips"], per_stack[x["id"]], self.stack_of[x["id"]])
        if d.event["status"] in ("paid", "finished"):
            self.same("chips left in front at the end", sum(x["chips"] for x in d.stacks), 0)

    def money(self):
        d = self.d
        acc, per = Counter(), Counter()
        for leg in d.money:
            acc[leg["account"]] += leg["amount_cents"]
            per[leg["tx"]] += leg["amount_cents"]
        self.same("money: a transaction is off", [t for t, v in per.items() if v][:3], [])
        ins = sum(t["amount_cents"] for t in d.moneytx if t["kind"] == "buy_in")
        out = sum(t["amount_cents"] for t in d.moneytx if t["kind"] != "buy_in")
        self.same("money: desk", acc["desk"], ins - out)
        kept = [t for t in d.moneytx if t["kind"] == "buy_in" and not any(x["reverses_id"] == t["id"] for x in d.moneytx)]
        fees = len(kept) * d.set["fee_cents"]
        self.same("money: fee", -acc["fee"], fees)
        self.same("money: entries", len([t for t in d.moneytx if t["kind"] == "buy_in"]), len(d.entries))
        for t in d.moneytx:
            if t["kind"] == "buy_in":
                self.same("T2 amount", t["amount_cents"], d.set["buy_in_cents"])
        prizes = sum(t["amount_cents"] for t in d.moneytx if t["kind"] == "prize")
        pool = sum(t["amount_cents"] for t in kept) - fees
        self.same("money: pool and house", (-acc["pool"], acc["house"]), (max(0, pool - prizes), max(0, prizes - pool)))

    def journal(self):
        prev = "0" * 64
        from datetime import timezone
        for i, j in enumerate(self.d.journal, 1):
            row = dict(seq=j["seq"], event=j["event_id"], key=j["key"], actor=j["actor_id"], approver=j["approver_id"],
                       kind=j["kind"], body=js(j["body"]), result=js(j["result"]),
                       at=j["at"].astimezone(timezone.utc).isoformat(timespec="microseconds"))
            mine = hashlib.sha256((prev + canon(row)).encode()).hexdigest()
            if j["seq"] != i or j["prev_hash"] != prev or j["hash"] != mine:
                self.say("journal chain", j["seq"])
                return
            prev = mine
        self.same("journal head", (self.d.head["seq"], self.d.head["hash"]), (len(self.d.journal), prev))


# ---------------------------------------------------------------------------------------------- which events
def small():
    return ["2:1", "3:2", "7:3", "13:4", "20:5:stacks=reset", "42:7", "24:6:sheet=eca", "24:6:sheet=banco", "24:6:sheet=ggpoker",
            "24:6:sheet=wiesbaden"]


def full():
    out = []
    for n in range(2, 61):                                   # every size, sheet wonder, decks and stacks by turns
        out.append(f"{n}:{1000 + n}:decks={6 if n % 2 else 8}:stacks={'carried' if n % 3 else 'reset'}")
    sheets = (("eca", 6), ("banco", 6), ("ggpoker", 6), ("wiesbaden", 6), ("ggpoker", 8), ("wiesbaden", 8), ("ggpoker", 4), ("wiesbaden", 4))
    for k, (sheet, decks) in enumerate(sheets):
        for i, n in enumerate((2, 5, 9, 14, 21, 30, 44)):
            out.append(f"{n}:{2000 + 10 * k + i}:sheet={sheet}:decks={decks}:stacks={'carried' if (k + i) % 2 else 'reset'}")
    out += ["100:3001", "100:3002:decks=8:stacks=reset", "200:3003", "200:3004:decks=8:stacks=reset"]
    return out + stress()


def stress():
    """Small stacks, small cuts, odd money: ties and busts on purpose."""
    out = []
    for i in range(12):
        out.append(f"{14 + i}:{4000 + i}:starting_chips=400:play_off_chips=400:sudden_death_chips=400")
    for i in range(10):
        out.append(f"{9 + i}:{4100 + i}:cut_after_round_1={4 + i % 4}:cut_after_round_2=3:starting_chips=1000:play_off_chips=200:sudden_death_chips=200:stacks=reset")
    for i in range(6):
        out.append(f"{16 + i}:{4200 + i}:tie_at_cut={'all_advance' if i % 2 else 'director'}:starting_chips=600")
    for i in range(8):
        out.append(f"{10 + 2 * i}:{4300 + i}:buy_in_cents={9999 - 7 * i}:fee_cents={1234 + i}:prize_unit_cents={(1, 100, 500, 700)[i % 4]}:guarantee_cents={(0, 500001, 0, 123457)[i % 4]}")
    for i in range(4):
        out.append(f"{12 + i}:{4400 + i}:tables_count=3:boxes_per_table=6:public_input=False")
    for i in range(6):
        out.append(f"{20 + i}:{4500 + i}:cut_after_round_1=20:cut_after_round_2=10:starting_chips=200:sudden_death_chips=200:play_off_chips=200")
    return out


def typed(text):
    if text in ("True", "False"):
        return text == "True"
    return int(text) if text.lstrip("-").isdigit() else text


def simulate(spec):
    event_simulate = None
    for module in ("tables.services.nights", "tables.services.simulation", "tables.services.rehearsal"):
        try:
            event_simulate = getattr(importlib.import_module(module), "event_simulate", None) or event_simulate
        except ImportError:
            continue
    if event_simulate is None:
        sys.exit("event_simulate is in none of the modules where it was; simulate by command and give the slugs")
    n, seed, *rest = spec.split(":")
    settings = {"sheet": "wonder", "decks": 6, "stacks": "carried"}
    settings.update({k: typed(v) for k, v in (x.split("=") for x in rest)})
    return event_simulate(entrants=int(n), seed=int(seed), settings=settings)


def main(argv):
    slugs, specs, verbose, out = [], [], False, None
    it = iter(argv)
    for a in it:
        if a == "--sim":
            specs.append(next(it))
        elif a == "--batch":
            which = next(it, "")
            if which not in ("small", "full", "stress"):
                sys.exit(__doc__)
            specs += {"small": small, "full": full, "stress": stress}[which]()
        elif a == "--json":
            out = next(it)
        elif a == "-v":
            verbose = True
        elif a == "--keep-going":
            pass
        elif a.startswith("-"):
            print(__doc__)
            return 2
        else:
            slugs.append(a)
    if not slugs and not specs:
        print(__doc__)
        return 2
    sys.path.insert(0, os.getcwd())
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    django.setup()
    all_diffs, total, events = [], Counter(), 0
    kinds = Counter()
    for what in slugs + [("sim", s) for s in specs]:
        t0 = time.time()
        if isinstance(what, tuple):
            label = what[1]
            try:
                made = simulate(label)
            except Exception as e:                       # a simulation that does not come to its end is a difference
                events += 1
                all_diffs.append((label, "simulation failed", f"{type(e).__name__}: {str(e)[:200]}"))
                kinds["simulation failed"] += 1
                print(f"{label}: FAILED {type(e).__name__}: {str(e)[:200]}", flush=True)
                continue
            slug = made["event"]
        else:
            label = slug = what
        t1 = time.time()
        c = Check(slug, None)
        try:
            diffs = c.run()
        except Exception as e:
            import traceback
            traceback.print_exc()
            diffs = c.diffs + [("checker stopped", f"{type(e).__name__}: {e}")]
        events += 1
        total.update(c.n)
        if verbose:
            for note in c.notes:
                print("    note", note, flush=True)
        all_diffs += [(label, *x) for x in diffs]
        kinds.update(x[0] for x in diffs)
        if verbose or diffs:
            print(f"{label}: {len(diffs)} differences, {c.n['hands']} hands, {c.n['compared']} comparisons,"
                  f" {t1 - t0:.1f} s made, {time.time() - t1:.1f} s checked", flush=True)
            for x in diffs[:5]:
                print("   ", x[0], "|", x[1][:300], flush=True)
    print(f"{events} events, {total['hands']} hands, {total['compared']} comparisons, {len(all_diffs)} differences")
    print("  " + ", ".join(f"{k}: {v}" for k, v in sorted(total.items()) if k not in ("hands", "compared")))
    if all_diffs:
        print("  by kind: " + ", ".join(f"{k}: {v}" for k, v in kinds.most_common()))
        for x in all_diffs[:20]:
            print("  ", *x)
    if out:
        json.dump(all_diffs, open(out, "w"), indent=1)
    return 1 if all_diffs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
