"""The steps of a night as people take them: each with an own login, in an own browser, by keys and taps."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, expect

# A slow machine is no failure: steps wait for what they expect, and this long at most.
PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)

WINS = "win"
LOSES = "lose"
PUSHES = "push"


class Visitor:
    """Somebody with a browser of their own; what the browser complains about is kept in ``errors``."""

    def __init__(self, browser: Browser, address: str, **context: Any) -> None:
        self.context = browser.new_context(base_url=address, **context)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(f"{self.page.url}: {error}"))
        self.page.on("console", self._console)

    def _console(self, message: Any) -> None:
        # A page that is left takes its open poll back, which htmx tells as these two and with no other.
        if message.type == "error" and not message.text.startswith(("htmx:sendAbort", "htmx:afterRequest")):
            self.errors.append(f"{self.page.url}: {message.text}")

    def goto(self, path: str) -> None:
        """Open a page. One that loads itself again at this moment ends the first try, never the second."""
        try:
            self.page.goto(path)
        except Error as gone:
            if not re.search("ERR_ABORTED|interrupted by another navigation", gone.message):
                raise
            self.page.wait_for_load_state()
            self.page.goto(path)

    def press(self, name: str | re.Pattern[str], *, within: Locator | None = None) -> None:
        (within or self.page).get_by_role("button", name=name, exact=isinstance(name, str)).click()

    def follow(self, name: str | re.Pattern[str], *, within: Locator | None = None) -> None:
        (within or self.page).get_by_role("link", name=name, exact=isinstance(name, str)).first.click()

    def reads(self, words: str | re.Pattern[str]) -> None:
        expect(self.page.get_by_text(words).first).to_be_visible()

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)


class Staff(Visitor):
    """Somebody who works here, logged in; ``slug`` is the event of the night once there is one."""

    slug = ""

    def __init__(self, browser: Browser, address: str, name: str, password: str, **context: Any) -> None:
        super().__init__(browser, address, **context)
        self.name = name
        self.goto("/login")
        self.fill("Name", name)
        self.fill("Password", password)
        self.press("Log in")
        expect(self.page).not_to_have_url(re.compile("/login"))

    def at(self, tail: str = "") -> None:
        self.goto(f"/staff/{self.slug}/{tail}")

    def next_step(self, title: str | re.Pattern[str], action: str | None = None) -> None:
        """'Tonight' says that this is next; with ``action``, go there."""
        self.at()
        expect(self.page.locator("#next-title")).to_have_text(title)
        if action:
            self.follow(action)


# -- Before play ------------------------------------------------------------------------------------------


def hire(asks: Staff, confirms: Staff | None, owner: Visitor, name: str, role: str, password: str) -> None:
    """Add a login with a role: one person asks, another confirms, and the owner sets the password.

    ``confirms`` is None for the second login of a new house, which needs no confirmation.
    """
    asks.goto("/house/staff/")
    asks.fill("User name", name)
    asks.page.get_by_role("checkbox", name=re.compile(f"^{role.title()}:")).check()
    asks.fill("Reason", "works tonight")
    asks.press("Ask a second person")
    if confirms is not None:
        asks.reads("You asked for this.")
        confirms.goto("/house/requests/")
        confirms.press("Confirm")
        confirms.reads(f"{asks.name} can now hand over the link")
        asks.goto("/house/staff/")
    asks.press("Create the link")
    expect(asks.page.locator("#link-title")).to_have_text(f"The link for {name}")
    owner.goto(asks.page.locator(".next .code").inner_text())
    owner.fill("New password", password)
    owner.fill("The same password again", password)
    owner.press("Set it")
    owner.reads("Your password is set. Log in with it.")


def set_up(director: Staff, name: str) -> str:
    """Make an event, look at its settings, post the rules: its slug."""
    director.goto("/house/events/new/")
    director.fill("Name", name)
    director.press("Make the event")
    expect(director.page.get_by_role("heading", name="Set-up", exact=True)).to_be_visible()
    director.slug = director.page.url.split("/staff/")[1].split("/")[0]
    director.press("Save and check before posting")
    director.press("Post and open the desk")
    director.reads("The rules are posted and the desk is open.")
    return director.slug


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        if page.evaluate("s => document.activeElement?.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def buy_in(cashier: Staff, name: str, code: str) -> None:
    """Sell an entry to somebody new, by keyboard alone; the desk is open on the screen."""
    page, keys = cashier.page, cashier.page.keyboard
    expect(page.locator("#q")).to_be_focused()
    keys.type(name)
    keys.press("Enter")
    expect(page).to_have_url(re.compile(r"\?q="))
    expect(page.locator("#id_given_name")).to_have_value(name.split(maxsplit=1)[0])
    tab_to(page, "#id_identity_number")
    keys.type(f"P-{name}")
    keys.press("Enter")
    expect(page.locator("#id_identity_checked")).to_be_focused()
    keys.press("Space")
    keys.press("Enter")
    expect(page.locator("#sold-title")).to_have_text(f"{code} · {name}")


# -- The draw ----------------------------------------------------------------------------------------------


def draw(types: Staff, confirms: Staff, cards: str, *, by_tap: bool = False) -> None:
    """Lock the roster, cut five cards, type them, let the other one confirm: the seats are drawn."""
    confirms.at("draw/")
    confirms.press("Lock the roster")
    # The other one looks when it is done: one of the step before would be loaded anew while it is typed in.
    expect(confirms.page.locator("#lock-title")).to_have_count(0)
    expect(confirms.page.locator(".phases [aria-current]")).to_have_text("Five cards, cut in public")
    drawn = confirms.page.locator("h1").inner_text()
    types.at("draw/")
    if by_tap:
        for card in cards.split():
            types.page.locator(f'[data-rank="{card[0]}"]').click()
            types.page.locator(f'[data-suit="{card[1].lower()}"]').click()
            expect(types.page.locator("#id_cards")).to_have_value(re.compile(f"{card}$"))
    else:
        types.fill("The five cards", cards)
    types.press("These are the cards")
    types.reads("You typed these cards.")
    expect(types.page.get_by_role("button", name="Confirm and draw the seats")).to_have_count(0)
    # The pages of both look again by themselves and go a step on; opened at that moment one is aborted.
    confirms.press("Confirm and draw the seats")
    # Draws before this one are drawn, and have a chart: it is this one that is waited for.
    for who in (confirms, types):
        expect(who.page.locator("#last-title")).to_have_text(re.compile(f"^{drawn}: "))
    expect(confirms.page.get_by_role("link", name="Seating chart").first).to_be_visible()


# -- At a table ---------------------------------------------------------------------------------------------


def rows(who: Staff) -> dict[int, Locator]:
    """The boxes that somebody sits at, on a page of results."""
    found = who.page.locator("fieldset.result")
    expect(found.first).to_be_visible()
    return {int(each.locator(".no").inner_text()): each for each in found.all()}


def number_in(text: str) -> int:
    return int(re.sub(r"[^0-9]", "", text.split("·", maxsplit=1)[0]))


def stacks(who: Staff, table: int) -> dict[int, int]:
    """The chips before each box as the table's page shows them."""
    who.at(f"tables/{table}/?mode=results")
    return {box: number_in(row.locator("p.small").inner_text()) for box, row in rows(who).items()}


def results(who: Staff, table: int, nets: Mapping[int, int]) -> None:
    """Enter a hand by its results: what each box won or lost (0: a push for 200)."""
    who.at(f"tables/{table}/?mode=results")
    hand = number_in(who.page.get_by_role("button", name=re.compile(r"^Settle hand \d+$")).inner_text())
    for box, row in rows(who).items():
        word, bet = outcome(nets[box])
        who.page.locator(f"#box-{box}").click()
        row.locator(f'label:has(input[name="bet-{box}"][value="{bet}"])').click()
        row.locator(f'label:has(input[name="out-{box}"][value="{word}"])').click()
    said = who.page.locator("#nets li")
    expect(said).to_have_count(len(nets))
    who.press(f"Settle hand {hand}")
    expect(who.page.get_by_role("button", name=f"Settle hand {hand}", exact=True)).to_have_count(0)


def outcome(net_chips: int) -> tuple[str, int]:
    """The word and the bet for what a box should come out with."""
    if net_chips == 0:
        return PUSHES, 200
    word = WINS if net_chips > 0 else LOSES
    bet = abs(net_chips)
    return (word, bet) if bet <= 1_000 else (f"{word}_doubled", bet // 2)


def cards(who: Staff, table: int, boxes: int, faces: str, *, stand: int) -> None:
    """Enter a whole hand from the keyboard: 200 each, the cards in dealing order, ``stand`` times stand."""
    who.at(f"tables/{table}/?mode=cards")
    keys = who.page.keyboard
    keys.type("2" * boxes)
    keys.press("Enter")
    asks(who, "Card for box 1")
    dealt, hole = faces.split("|")
    for face in dealt.split():
        keys.type(face)
    who.reads("Checked: no blackjack")
    keys.press("n")
    asks(who, "Box 1 to act")
    keys.type("s" * stand)
    expect(who.page.get_by_role("heading", name="Turn the hole card")).to_be_visible()
    keys.type(hole.strip())
    settle = who.page.get_by_role("button", name="Settle hand 1", exact=True)
    expect(settle).to_be_enabled()
    keys.press("Enter")
    who.reads("Hand 2")


def asks(who: Staff, words: str) -> None:
    """The side of the table's page asks for this next."""
    expect(who.page.locator(".wanted .eyebrow")).to_have_text(words)


def cut_card_out(who: Staff, table: int) -> None:
    who.at(f"tables/{table}/")
    who.page.locator("summary", has_text="Cut card out").click()
    who.page.locator("details.ask[open] input[name=reason]").fill("a short night")
    who.press("Cut card out")
    expect(who.page.get_by_role("link", name="Count the chips")).to_be_visible()


def count(who: Staff, table: int, chips: Mapping[int, int], *, second: bool) -> None:
    """One person counts every box; ``second``: after somebody else."""
    who.at(f"tables/{table}/count/")
    for box, held in chips.items():
        who.fill(f"Chips of box {box}", str(held))
    who.press("Save the second count" if second else "Save the first count")
    who.reads("Both counts agree: the table is counted." if second else "Now a second person counts")


def table_over(keeper: Staff, other: Staff, table: int, chips: Mapping[int, int]) -> None:
    """The cut card comes out and two people count the same."""
    cut_card_out(keeper, table)
    count(keeper, table, chips, second=False)
    count(other, table, chips, second=True)


def close_round(director: Staff, title: str) -> None:
    """Look at the ranking, press close, confirm in the dialog; ``title``: how that of the stage begins."""
    director.next_step(f"Close {'the ' * (not title.startswith('round'))}{title}", "Check and close")
    director.follow(re.compile(f"^Close (the )?{title}"))
    dialog = director.page.get_by_role("dialog")
    director.press(re.compile(f"^Close (the )?{title}", re.IGNORECASE), within=dialog)
    # The dialog itself says what is closed next: what is read is a sentence of the page after it.
    director.reads(re.compile(f"^(the )?{title}.* is closed\\.$", re.IGNORECASE))
    expect(dialog).to_have_count(0)


# -- Prizes -------------------------------------------------------------------------------------------------


def post_payouts(manager: Staff, *shares: str) -> None:
    """Build a structure of shares, look at what it pays, post it."""
    manager.at(f"payouts/?places={len(shares)}&kind=shares")
    for place, share in enumerate(shares, start=1):
        manager.page.locator(f"[name=a{place}]").fill(share)
    manager.press("Check before posting")
    manager.press("Post it")
    manager.reads("The payout structure is posted, version 1.")


def pay(cashier: Staff, codes: list[str]) -> None:
    """Pay these prizes, identity checked."""
    for code in codes:
        cashier.at("pay/")
        cashier.follow(f"Pay {code}")
        cashier.page.get_by_role("checkbox", name=re.compile("^Identity checked")).check()
        cashier.press(re.compile(r"^Pay \$"))
        cashier.reads(re.compile(f"^{code} is paid"))
