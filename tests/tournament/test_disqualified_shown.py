"""What a disqualification would change is shown before it is confirmed, and comes true (T26, T35)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tables.services.disqualified import Effects, disqualification_preview
from tests.cast import playing, worlds
from tests.cast.at_desk import Somebody, done, refused_in_place, staff
from tests.cast.disqualified import NETS, close, gone_in_round_2, play_off, sudden_death
from tests.cast.factories import UserFactory, new_key
from tests.cast.payments import pay
from tournament.engine.steps.places import money_ties_open
from tournament.models import Event, Request, Round
from tournament.selectors.prizes import paid_of, prizes_at, prizes_for
from tournament.selectors.stage_ranking import stage_ranking
from tournament.selectors.stages import state_of
from tournament.services import entries
from tournament.services.reconcile import reconcile
from tournament.services.requests import request_decide

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

FIVE = {"kind": "fixed", "amounts": [20_000, 12_000, 8_000, 6_000, 4_000]}


def asked(event: Event, code: str) -> Request:
    made = entries.entry_disqualify_request(
        entry_id=event.entries.get(code=code).pk, reason="marked cards", key=new_key(), actor=UserFactory()
    )
    return Request.objects.get(pk=made["request"])


def confirm(request: Request) -> None:
    request_decide(request_id=request.pk, approve=True, key=new_key(), actor=UserFactory())


def ranks(stage: Round | None) -> dict[str, tuple[Any, ...]]:
    rows = stage_ranking(Round.objects.get(pk=stage.pk)).rows if stage else ()
    return {row.code: (row.place, row.tied, str(row.state)) for row in rows}


@worlds.kept
def partly_paid() -> Event:
    event = playing.finished(6, structure=FIVE, **playing.promised(*FIVE["amounts"]))
    pay(event, "E003")
    pay(event, "E004")
    return event


@worlds.kept
def unclaimed() -> Event:
    return playing.finished(5, structure=FIVE)


@worlds.kept
def tie_to_come() -> Event:
    """E005 and E006 are level for the places behind the money; one ahead of them opens it to them."""
    nets = {"E001": 2000, "E002": 2000, "E003": 800, "E004": 600, "E005": 400, "E006": 400}
    event, stage = sudden_death(nets)
    playing.win(stage, E002=200)
    close(stage)
    event.refresh_from_db()
    return event


SCENES: dict[str, tuple[Callable[[], Event], str]] = {
    "after payments, the winner": (partly_paid, "E001"),
    "nobody is left for the last place": (unclaimed, "E004"),
    "a tie for money comes of it": (tie_to_come, "E003"),
    "in a play-off": (lambda: play_off()[0], "E003"),
    "in a sudden death": (lambda: sudden_death(NETS)[0], "E003"),
    "ahead of a sudden death": (lambda: sudden_death(NETS)[0], "E001"),
    "who withdrew": (gone_in_round_2, "E004"),
}


@pytest.mark.parametrize("scene", SCENES)
def test_T26_what_is_shown_before_a_disqualification_comes_true(scene: str):
    make, code = SCENES[scene]
    event = make()
    request = asked(event, code)
    stage = event.rounds.exclude(status="closed").order_by("-pk").first()
    places_then, ranks_then = dict(event.entries.values_list("code", "place")), ranks(stage)
    effects = disqualification_preview(request)
    assert isinstance(effects, Effects)
    confirm(request)
    event.refresh_from_db()
    lines = {each.entry.code: each for each in effects.lines}
    assert effects.lines[0].entry.code == code
    assert effects.decided == (event.status == "finished")
    prizes, paid = prizes_for(event), paid_of(event)
    for entry in event.entries.all() if effects.decided else ():
        line = lines.get(entry.code)
        assert entry.place == (line.after.place.number if line else places_then[entry.code])
        if line is not None:
            assert line.after.prize_cents == prizes[entry.code]
            assert line.left_cents == max(0, prizes[entry.code] - paid.get(entry.code, 0))
    after = {each.entry.code: each.after.rank for each in effects.lines if each.after.rank}
    shown = {row: (rank.number, rank.tied, rank.word) for row, rank in after.items()}
    assert ranks(stage) == {row: shown.get(row, then) for row, then in ranks_then.items()}
    assert effects.unclaimed == prizes_at(event).unclaimed
    assert bool(effects.begun) == (scene == "a tie for money comes of it")
    assert not effects.begun or money_ties_open(state_of(event))
    assert reconcile(event) == []


def rows_of(page: str) -> dict[str, list[str]]:
    """The cells of the table by entry, their words alone."""
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    found = {}
    for row in body.split("</tr>")[:-1]:
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
        words = [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", each)).strip() for each in cells]
        code = re.search(r"E\d{3}", words[0])
        assert code is not None
        found[code.group()] = words[1:]
    return found


def form_basis(somebody: Somebody, path: str) -> str:
    found = re.search(r'name="basis" value="([^"]+)"', somebody.get(path).content.decode())
    assert found is not None
    return found.group(1)


def test_T26_the_page_of_the_request_says_who_moves_up_and_what_is_still_to_be_paid():
    event = partly_paid()
    request, director = asked(event, "E001"), Somebody("director")
    path = staff(event, f"requests/{request.pk}/disqualification/")
    waiting = director.get(staff(event, "requests/")).content.decode()
    assert path in waiting and 'value="approve"' not in waiting
    floor = Somebody("floor").get(path)
    assert floor.status_code == 200 and 'name="answer"' not in floor.content.decode()
    rows = rows_of(director.get(path).content.decode())
    assert rows["E001"] == ["1 → 6", "$200.00 → $0.00", "$0.00", "$0.00"]
    assert rows["E003"] == ["3 → 2", "$80.00 → $120.00", "$80.00", "$40.00"]
    assert rows["E006"] == ["6 → 5", "$0.00 → $40.00", "$0.00", "$40.00"]
    seen = {"answer": "approve", "basis": form_basis(director, path)}
    pay(event, "E002")  # with another effect than the page showed, the answer is refused
    text = refused_in_place(director.press(path, **seen), code="stale", status=409)
    assert rows_of(text)["E002"] == ["2 → 1", "$120.00 → $200.00", "$120.00", "$80.00"]
    assert event.entries.get(code="E001").status == "live"
    done(director.press(path, answer="approve"))
    assert 'value="approve"' not in director.get(path).content.decode()
