"""The public pages: for anybody, cached, small, without a session, readable without script."""

from __future__ import annotations

import gzip
import html
import io
import re
from contextlib import redirect_stdout
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from pages.public.reads.kept_said import Kept
from pages.public.reads.public import event_with_standings
from pages.public.reads.shown import shown
from tables.services.draws import draw_cards, draw_confirm, draw_lock
from tables.services.seating import tables_ensure
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key, round_seat
from tests.cast.pages import address, hands_played
from tests.cast.payments import disqualify
from tests.cast.playing import event_with, finished, post, round_1_closed, win
from tournament.models import Entry, Event, House, JournalEntry, Player, StandingsSnapshot
from tournament.services.events import event_call_off
from tournament.services.payouts import payouts_supersede_request
from tournament.services.requests import request_decide
from tournament.services.standings import standings_outdate, standings_recompute

pytestmark = pytest.mark.django_db

PAGES = ["leaderboard", "standings", "seats", "rules", "rules_poster", "prizes", "results", "draws"]
PAGES += ["tv", "tv_slides"]
STATIC = Path(__file__).parents[3] / "static"


def text_of(response) -> str:
    """What a person reads: without tags, spaces made one."""
    without = re.sub(r"<(script|style|template).*?</\1>|<[^>]+>", " ", response.content.decode(), flags=re.S)
    return " ".join(html.unescape(without).split())


def tags(content: str, mark: str) -> list[dict[str, str]]:
    """The attributes of every element that has this one."""
    found = re.findall(rf"<[a-z]+ [^>]*{mark}[^>]*>", content)
    return [dict(re.findall(r'([a-z-]+)="([^"]*)"', each)) for each in found]


def notes(response) -> list[str]:
    """The codes of the notes of a page."""
    return re.findall(r'class="note[^>]* data-code="([^"]+)"', response.content.decode())


@pytest.fixture
def event():
    """Five entries in round 1, hands played, the snapshot up to date."""
    made = event_with(5, cut_after_round_1=3, cut_after_round_2=2)
    round_ = round_seat(made)
    win(round_, E001=1_000, E002=600, E003=400, E004=200, E005=-200)
    standings_recompute(event_id=made.pk)
    made.refresh_from_db()
    return made


@pytest.fixture
def drawn(django_capture_on_commit_callbacks):
    """An event whose first draw has been made, with five public cards."""
    first, second = UserFactory(roles=["floor"]), UserFactory(roles=["director"])
    made = event_with(9)
    tables_ensure(event_id=made.pk, key=new_key(), actor=first)
    locked = draw_lock(event_id=made.pk, key=new_key(), actor=first)
    draw_cards(draw_id=locked["draw"], cards="KH 4D 7S AC 2D", key=new_key(), actor=first)
    with django_capture_on_commit_callbacks(execute=True):
        draw_confirm(draw_id=locked["draw"], key=new_key(), actor=second)
    made.refresh_from_db()
    return made


# What holds for every page ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_no_session_no_cookie_and_caches_may_keep_it(client, event, name):
    response = client.get(address(name, event))
    assert response.status_code == 200
    assert "Cookie" not in response.get("Vary", "")
    assert not response.cookies
    # A browser asks each time; nginx keeps it to the end of the second in which it was asked for.
    assert response["Cache-Control"] == "public, max-age=0"
    assert "noindex" in response["X-Robots-Tag"]


def test_a_person_who_is_logged_in_gets_the_same_page(client, event):
    anonymous = client.get(address("leaderboard", event))
    client.force_login(UserFactory(roles=["director"]))
    known = client.get(address("leaderboard", event))
    assert known.content == anonymous.content
    assert "Cookie" not in known.get("Vary", "")


@pytest.mark.parametrize("name", PAGES)
def test_unchanged_is_304_and_head_works(client, event, name):
    first = client.get(address(name, event))
    again = client.get(address(name, event), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert "public" in again["Cache-Control"]
    weak = client.get(address(name, event), headers={"If-None-Match": f"W/{first['ETag']}"})
    assert weak.status_code == 304
    head = client.head(address(name, event))
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", first["ETag"])


@pytest.mark.parametrize("name", PAGES)
def test_nothing_can_be_sent_to_a_public_page(client, event, name):
    assert client.post(address(name, event)).status_code == 405


@pytest.mark.parametrize("name", PAGES)
def test_a_draft_and_an_unknown_address_are_not_there(client, name):
    draft = EventFactory(opened=False)
    for slug in (draft.slug, "no-such-event"):
        response = client.get(reverse(f"tournament:{name}", args=[slug]))
        assert response.status_code == 404
        assert b"nothing at this address" in response.content


@pytest.mark.parametrize("name", PAGES)
def test_faults_no_page_tells_more_of_a_person_than_public_name_and_code(client, name):
    made = event_with(1)
    player = PlayerFactory(given_name="Hildegard", family_name="Bellwether", identity_digest="d1gest")
    entry = EntryFactory(event=made, player=player)
    round_seat(made)
    standings_recompute(event_id=made.pk)
    content = client.get(address(name, made)).content.decode()
    for private in ("Bellwether", "d1gest", entry.view_token):
        assert private not in content


@pytest.mark.parametrize("name", [*PAGES, "draw"])
def test_no_inline_script_or_style(client, drawn, name):
    more = [1] if name == "draw" else []
    content = client.get(address(name, drawn, *more)).content.decode()
    assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|<style", content)


# The house ----------------------------------------------------------------------------------------------


def test_events_are_listed_without_drafts_and_simulations(client, event):
    EventFactory(name="Drawer", opened=False)
    EventFactory(name="Machines", kind=Event.Kind.SIMULATION)
    House.objects.update_or_create(pk=1, defaults={"name": "Greenroom"})
    response = client.get("/")
    words = text_of(response)
    assert event.name in words
    (listed,) = tags(response.content.decode(), "data-event")
    assert (listed["data-event"], listed["data-status"]) == (event.slug, "running")
    assert "Greenroom" in words
    assert "Drawer" not in words
    assert "Machines" not in words
    assert "Cookie" not in response.get("Vary", "")
    assert 'href="/house/"' in response.content.decode()


def test_past_events_stand_below_with_who_won_them(client, event):
    over, off = finished(5), event_with(2)
    event_call_off(event_id=off.pk, reason="a pipe burst", key=new_key(), actor=None)
    for made in (over, off):
        standings_recompute(event_id=made.pk)
    content = client.get("/").content.decode()
    listed = re.findall(r'data-event="([^"]+)" data-status="([a-z_]+)"(?: data-winner="([^"]+)")?', content)
    assert listed[0] == (event.slug, "running", ""), "whoever leads has not won"
    past = content[content.index('id="past"') :]
    assert sorted(listed[1:]) == sorted([(over.slug, "finished", "E001"), (off.slug, "called_off", "")])
    assert all(f'data-event="{slug}"' in past for slug, _status, _winner in listed[1:])
    assert f'data-event="{event.slug}"' not in past
    # First place is shared: all are named, up to three.
    for entry in over.entries.all():
        Player.objects.filter(pk=entry.player_id).update(alias=f"Alias {entry.number}")
    for number, codes in ((2, "E001 E002"), (4, "E001 E002 E003 E004")):
        Entry.objects.filter(event=over, number__lte=number).update(place=1, place_tied=True)
        content = client.get("/").content.decode()
        assert f'data-winner="{codes}"' in content
        names = [entry.player.public_name for entry in over.entries.filter(number__lte=number)]
        assert [name in content for name in names] == [True, True, True, False][:number]


def test_an_empty_house_says_what_will_be_here(client):
    content = client.get("/").content.decode()
    assert 'class="empty"' in content and "data-event" not in content


# The leaderboard ----------------------------------------------------------------------------------------


def test_leaderboard_reads_without_script(client, event):
    content = client.get(address("leaderboard", event)).content.decode()
    assert tags(content, "data-status-line")[0]["data-state"] == "seated"
    assert [each["data-line"] for each in tags(content, 'class="cutrow"')] == ["top_advance"]
    first, *_others, last = tags(content, 'class="srow')
    assert (first["data-stack"], first["data-change"], first["data-gap-state"]) == (
        "6,000",
        "+1,000",
        "ahead",
    )
    assert (last["data-stack"], last["data-change"], last["data-gap-state"]) == ("4,800", "−200", "behind")


def test_a_name_cannot_write_into_the_list(client, event):
    Player.objects.filter(entries__event=event, entries__code="E001").update(alias='<img onerror="1">')
    StandingsSnapshot.objects.filter(event=event).delete()
    standings_recompute(event_id=event.pk)
    content = client.get(address("standings", event)).content.decode()
    assert "<img" not in content
    assert "&lt;img onerror=&quot;1&quot;&gt;" in content


def test_a_list_is_drawn_once_for_each_content_and_language(client, event, monkeypatch):
    """Kept under its event, tag, publication, language and zone: another of any of them is drawn anew."""
    drawn: list[str] = []

    def counted(template, context):
        drawn.append(get_language())
        return render_to_string(template, context)

    monkeypatch.setattr("pages.public.reads.shown.render_to_string", counted)
    monkeypatch.setattr("pages.public.reads.shown.SAID", Kept(2))
    snapshot = StandingsSnapshot.objects.filter(event=event)

    def read() -> str:
        return shown(event_with_standings(event.slug)).html

    first = read()
    assert (read(), drawn) == (first, ["en"])
    with override("de"):
        assert read() != first
        read()
    assert drawn == ["en", "de"]
    snapshot.update(etag="another", body={**snapshot.get().body, "sections": []})
    assert read() != first
    # Two are kept: the one that nobody has asked for longest is drawn again.
    with override("de"):
        read()
    assert drawn == ["en", "de", "en", "de"]
    House.objects.update_or_create(pk=1, defaults={"time_zone": "Asia/Tokyo"})
    read()
    assert len(drawn) == 5
    # One correction of a person marks the standings of all events of that person with one tag.
    other = round_1_closed(2)
    standings_recompute(event_id=other.pk)
    standings_outdate(event_ids=[event.pk, other.pk], mark="corrected:1")
    assert read() != shown(event_with_standings(other.slug)).html


def test_T26_the_pinned_card_says_who_is_disqualified_when_all_is_over(client):
    made = finished(5)
    disqualify(made, "E003")
    standings_recompute(event_id=made.pk)
    content = client.get(address("leaderboard", made) + "?you=E003").content.decode()
    card = content[content.index('data-you="server"') : content.index("</section>")]
    assert "5th" in card and 'data-chance-state="disqualified"' in card
    (row,) = [each for each in tags(content, 'class="srow') if each["data-entry"] == "E003"]
    assert row["data-chance"], "the script fills the card from the row"


@pytest.mark.parametrize("query", ["me=E004", "you=e4", "me=4"])
def test_T20_a_pinned_entry_reads_its_gap_without_script(client, event, query):
    content = client.get(address("leaderboard", event) + f"?{query}").content.decode()
    card = content[content.index('data-you="server"') : content.index("</section>")]
    assert "4th" in card
    (you,) = tags(content, "data-you")
    assert (you["data-entry"], you["data-gap-state"], you["data-chance-state"]) == (
        "E004",
        "behind",
        "needs_top",
    )
    assert (you["data-chances"], you["data-needs"]) == ("alive", "300")


def test_several_of_a_name_are_offered_and_nobody_is_said(client, event):
    content = client.get(address("leaderboard", event) + "?you=ann").content.decode()
    assert 'id="several"' in content
    assert content.count('href="?you=E00') == 5
    answer = client.get(address("leaderboard", event) + "?you=Zacharias")
    assert notes(answer) == ["nobody_called"] and "“Zacharias”" in answer.content.decode()


def test_T6_the_code_of_the_receipt_finds_who_has_no_place_yet(client, event):
    entered = event_with(0)
    EntryFactory(event=entered, player=PlayerFactory(given_name="Zoë", family_name="Quinn"))
    standings_recompute(event_id=entered.pk)
    assert notes(client.get(address("leaderboard", entered) + "?you=E001")) == ["entered"]
    late = EntryFactory(event=event)
    Entry.objects.filter(pk=late.pk).update(status=Entry.Status.WAITING, waiting_since=timezone.now())
    standings_recompute(event_id=event.pk)
    assert notes(client.get(address("leaderboard", event) + f"?you={late.code}")) == ["waiting"]


def test_T8_nobody_is_missed_in_standings_that_there_are_none_of(client):
    event = event_with(2)
    event_call_off(event_id=event.pk, reason="a pipe burst", key=new_key(), actor=None)
    standings_recompute(event_id=event.pk)
    assert notes(client.get(address("leaderboard", event) + "?you=E001")) == ["called_off", "reason"]


def test_what_is_typed_to_find_somebody_is_escaped(client, event):
    content = client.get(address("leaderboard", event), {"you": "<img src=x>"}).content.decode()
    assert "<img" not in content
    assert "&lt;img" in content


def test_leaderboard_takes_at_most_three_queries(client, event, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        assert client.get(address("leaderboard", event)).status_code == 200


def test_a_304_of_the_fragment_takes_at_most_two_queries(client, event, django_assert_max_num_queries):
    tag = client.get(address("standings", event))["ETag"]
    with django_assert_max_num_queries(2):
        answer = client.get(address("standings", event), headers={"If-None-Match": tag})
    assert answer.status_code == 304


def test_the_page_carries_the_tag_that_the_first_poll_asks_with(client, event):
    page = client.get(address("leaderboard", event)).content.decode()
    tag = html.unescape(re.search(r'data-etag="([^"]*)"', page)[1])
    answer = client.get(address("standings", event), headers={"If-None-Match": tag})
    assert answer.status_code == 304


def test_a_change_is_sent_with_a_new_tag_and_its_status_line(client, event):
    before = client.get(address("standings", event))
    win(event.rounds.get(), E005=2_000)
    standings_recompute(event_id=event.pk)
    after = client.get(address("standings", event), headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != before["ETag"]
    assert '<template data-status data-state="seated" data-live>' in after.content.decode()


def late(event: Event, seconds: int) -> None:
    """A command that the snapshot does not know yet, so many seconds old."""
    entry = JournalEntry.objects.filter(event=event).latest("seq")
    entry.pk, entry.key, entry.seq = None, new_key(), entry.seq + 1
    entry.at -= timedelta(seconds=seconds)
    entry.save(force_insert=True)


def test_faults_the_page_says_when_it_is_behind_and_that_it_catches_up(client, event):
    tag = client.get(address("standings", event))["ETag"]
    late(event, 5)
    assert client.get(address("standings", event))["ETag"] == tag
    late(event, 20)
    answer = client.get(address("standings", event), headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert notes(answer) == ["behind"] == notes(client.get(address("leaderboard", event)))


def test_before_the_first_snapshot_the_page_stands(client):
    event = event_with(2)
    assert not StandingsSnapshot.objects.filter(event=event).exists()
    for name in ("leaderboard", "standings"):
        response = client.get(address(name, event))
        assert response.status_code == 200
        assert "behind" in notes(response)


def test_the_house_clock_is_used(client, event):
    House.objects.update_or_create(pk=1, defaults={"time_zone": "Asia/Tokyo"})
    snapshot = StandingsSnapshot.objects.get(event=event)
    words = text_of(client.get(address("leaderboard", event)))
    assert f"updated {(snapshot.at + timedelta(hours=9)):%H:%M}" in words


def first_view_bytes(client, event: Event) -> int:
    """What a phone loads first: the page, its three sheets and the scripts, each gzipped."""
    page = client.get(address("leaderboard", event)).content
    static = [
        STATIC / name
        for name in re.findall(rb'(?:src|href)="/static/([^"]+\.(?:css|js))"', page)
        for name in [name.decode()]
    ]
    assert len(static) == 8
    return sum(len(gzip.compress(part, 6)) for part in (page, *(path.read_bytes() for path in static)))


@pytest.mark.parametrize("entrants", [42, pytest.param(120, marks=pytest.mark.soak)])
def test_first_view_is_at_most_50_kb(client, entrants):
    size = first_view_bytes(client, hands_played(entrants))
    assert size <= 50_000


# Seats, rules, prizes -----------------------------------------------------------------------------------


def test_T4_seats_by_table_and_by_name(client, drawn):
    response = client.get(address("seats", drawn))
    words = text_of(response)
    for code, table, box in drawn.draws.get(number=1).result:
        assert re.search(rf"{code} {table} {box}\b", words)
    found = re.findall(r'data-table="(\d)" data-players="(\d)"', response.content.decode())
    assert found == [("1", "5"), ("2", "4")]


def test_T31_prizes_before_and_after_posting(client):
    event = round_1_closed(5)
    assert "The payout structure is posted after round 1" in text_of(client.get(address("prizes", event)))
    posted = post(event)
    page = client.get(address("prizes", event)).content.decode()
    rows = re.findall(r'data-place="(\d)" data-share-bp="(\d+)" data-cents="(\d+)"', page)
    assert rows == [("1", "5000", "25000"), ("2", "3000", "15000"), ("3", "2000", "10000")]
    assert 'data-total-cents="50000"' in page and posted["hash"] in page


def test_T31_a_superseded_structure_stays_public_with_the_reason(client):
    event = round_1_closed(5)
    first = post(event)
    asked = payouts_supersede_request(
        event_id=event.pk,
        structure={"kind": "fixed", "amounts": [40_000, 20_000]},
        reason="The sponsor adds",
        key=new_key(),
        actor=UserFactory(),
    )
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())
    page = client.get(address("prizes", event)).content.decode()
    assert re.findall(r'data-version="(\d)" data-state="(\w+)"', page) == [("2", "live"), ("1", "superseded")]
    assert re.findall(r'data-place="1" data-share-bp="\d*" data-cents="(\d+)"', page) == ["40000", "25000"]
    assert event.payouts.get(version=2).reason in page and first["hash"] in page


def test_T32_the_pool_shows_fee_and_guarantee(client):
    event = event_with(4, fee_cents=1_000, guarantee_cents=50_000)
    page = client.get(address("prizes", event)).content.decode()
    found = re.findall(r'data-(buy-ins|fees|raised|pool)-cents="(\d+)"', page)
    assert found == [("buy-ins", "40000"), ("fees", "4000"), ("raised", "14000"), ("pool", "50000")]


# Draws --------------------------------------------------------------------------------------------------


def test_every_commitment_is_public_before_anything_is_drawn(client):
    event = event_with(2)
    content = client.get(address("draws", event)).content.decode()
    for draw in event.draws.all():
        assert draw.commitment[:16] in content
        assert draw.commitment in client.get(address("draw", event, draw.number)).content.decode()


def test_a_draw_that_is_not_made_reveals_nothing(client):
    event = event_with(2)
    for draw in event.draws.select_related("secret_row"):
        content = client.get(address("draw", event, draw.number)).content.decode()
        assert bytes(draw.secret_row.secret).hex() not in content
        assert "data-draw-check" not in content


def test_an_unknown_draw_is_not_there(client, drawn):
    assert client.get(address("draw", drawn, 99)).status_code == 404


def test_the_page_of_a_draw_has_all_that_repeats_it(client, drawn):
    draw = drawn.draws.get(number=1)
    words = text_of(client.get(address("draw", drawn, 1)))
    for needed in (
        draw.commitment,
        draw.revealed_secret,
        "KH 4D 7S AC 2D",
        " ".join(draw.roster),
        "1-1 2-1 1-2",
    ):
        assert needed in words
    assert " ".join(code for code, _, _ in draw.result) in words


def script_of(client, event: Event, number: int) -> str:
    content = client.get(address("draw", event, number)).content.decode()
    return html.unescape(re.search(r'<code id="script">(.*?)</code>', content, re.S)[1])


def run(script: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(script, "from the page", "exec"), {})  # noqa: S102 - that is what a player does with it
    return out.getvalue().strip()


def test_the_ten_lines_on_the_page_run_as_they_stand_and_agree(client, drawn):
    script = script_of(client, drawn, 1)
    draw = drawn.draws.get(number=1)
    assert len(script.strip().splitlines()) == 10
    assert run(script).split() == [code for code, _, _ in draw.result]


def test_the_ten_lines_agree_with_the_offline_command(client, drawn, capsys):
    draw = drawn.draws.get(number=1)
    call_command(
        "draw",
        "--secret",
        draw.revealed_secret,
        "--event",
        drawn.code,
        "--number",
        "1",
        "--cards",
        draw.cards,
        *draw.roster,
    )
    assert capsys.readouterr().out.strip() == run(script_of(client, drawn, 1))


def test_the_ten_lines_refuse_another_secret(client, drawn):
    draw = drawn.draws.get(number=1)
    script = script_of(client, drawn, 1).replace(draw.revealed_secret, "00" * 32)
    with pytest.raises(AssertionError):
        run(script)


def test_the_ten_lines_hold_the_known_answer():
    """The published answer of the draw's recipe, through the text of the page."""
    import hashlib

    from pages.public.reads.public import draw_check_script
    from tournament.models import Draw

    secret = hashlib.sha256(b"kat").digest()
    draw = Draw(
        number=1,
        commitment=hashlib.sha256(secret).hexdigest(),
        revealed_secret=secret.hex(),
        cards="KH 4D 7S AC 2D",
        roster=[f"E{n:02}" for n in range(1, 13)],
    )
    expected = "E10 E04 E03 E05 E11 E08 E07 E12 E06 E09 E02 E01"
    assert run(draw_check_script(draw, "EV1")) == expected


def test_the_public_pages_name_the_secret_of_a_draw_in_plain_words(client):
    event = EventFactory()
    for tail in ("draws/", "draws/1/", "rules/", "rules/poster/"):
        answer = client.get(f"/e/{event.slug}/{tail}")
        assert answer.status_code == 200, tail
        read = re.sub(r"<(pre|script|style).*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
        assert not re.search(r"commit|hashed|\bhash\b", read, re.I), tail
