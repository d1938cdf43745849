"""The public pages: for anybody, cached, small, without a session, readable without script."""

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

from pages.public.reads.public import event_with_standings
from pages.public.reads.shown import StandingsCache, shown
from tables.services.draws import draw_cards, draw_confirm, draw_lock
from tables.services.seating import tables_ensure
from tests.cast.factories import EntryFactory, EventFactory, PlayerFactory, UserFactory, new_key, round_seat
from tests.cast.html import read
from tests.cast.pages import address, five_in_play, hands_played
from tests.cast.playing import event_with, finished, post, round_1_closed, win
from tournament.models import Entry, Event, House, JournalEntry, Player, StandingsSnapshot
from tournament.services.events import event_call_off
from tournament.services.payouts import payouts_supersede_request
from tournament.services.requests import request_decide
from tournament.services.standings import standings_outdate, standings_recompute

pytestmark = pytest.mark.django_db

PAGES = ["leaderboard", "standings", "seats", "rules", "rules_poster", "prizes", "results", "draws"]
PAGES += ["results_poster"]
PAGES += ["tv", "tv_slides"]
STATIC = Path(__file__).parents[3] / "static"


def tags(content: str, mark: str) -> list[dict[str, str]]:
    """The attributes of every element that has this one."""
    found = re.findall(rf"<[a-z]+ [^>]*{mark}[^>]*>", content)
    return [dict(re.findall(r'([a-z-]+)="([^"]*)"', each)) for each in found]


def notes(response) -> list[str]:
    """The codes of the notes of a page."""
    return re.findall(r'class="note[^>]* data-code="([^"]+)"', response.content.decode())


@pytest.fixture
def event():
    return five_in_play()


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


@pytest.mark.parametrize("name", PAGES)
def test_caches_may_keep_a_page_which_has_no_session_and_is_the_same_for_everybody(client, event, name):
    first = client.get(address(name, event))
    assert first.status_code == 200
    # A browser asks each time; nginx keeps it to the end of the second in which it was asked for.
    assert first["Cache-Control"] == "public, max-age=0"
    assert "noindex" in first["X-Robots-Tag"]
    client.force_login(UserFactory(roles=["director"]))
    known = client.get(address(name, event))
    assert known.content == first.content
    for response in (first, known):
        assert "Cookie" not in response.get("Vary", "") and not response.cookies
    for tag in (first["ETag"], f"W/{first['ETag']}"):
        again = client.get(address(name, event), headers={"If-None-Match": tag})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert "public" in again["Cache-Control"]
    head = client.head(address(name, event))
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", first["ETag"])


@pytest.mark.parametrize("name", PAGES)
def test_a_draft_and_an_unknown_address_are_not_there(client, name):
    for slug in (EventFactory(opened=False).slug, "no-such-event"):
        assert client.get(reverse(f"tournament:{name}", args=[slug])).status_code == 404


def test_faults_no_page_tells_more_of_a_person_than_public_name_and_code(client):
    made = event_with(1)
    player = PlayerFactory(given_name="Hildegard", family_name="Bellwether", identity_digest="d1gest")
    entry = EntryFactory(event=made, player=player)
    round_seat(made)
    standings_recompute(event_id=made.pk)
    for name in PAGES:
        content = client.get(address(name, made)).content.decode()
        assert not [each for each in ("Bellwether", "d1gest", entry.view_token) if each in content], name


def test_events_are_listed_without_drafts_and_simulations(client, event):
    EventFactory(name="Drawer", opened=False)
    EventFactory(name="Machines", kind=Event.Kind.SIMULATION)
    House.objects.update_or_create(pk=1, defaults={"name": "Greenroom"})
    content = client.get("/").content.decode()
    (listed,) = tags(content, "data-event")
    assert (listed["data-event"], listed["data-status"]) == (event.slug, "running")
    assert "Greenroom" in content and "Drawer" not in content and "Machines" not in content


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
    assert past.count("data-event=") == 2 and f'data-event="{event.slug}"' not in past
    # First place is shared: all are named, up to three.
    for entry in over.entries.all():
        Player.objects.filter(pk=entry.player_id).update(alias=f"Alias {entry.number}")
    for number, codes in ((2, "E001 E002"), (4, "E001 E002 E003 E004")):
        Entry.objects.filter(event=over, number__lte=number).update(place=1, place_tied=True)
        content = client.get("/").content.decode()
        assert f'data-winner="{codes}"' in content
        names = [entry.player.public_name for entry in over.entries.filter(number__lte=number)]
        assert [name in content for name in names] == [True, True, True, False][:number]


def test_leaderboard_reads_without_script(client, event):
    content = client.get(address("leaderboard", event)).content.decode()
    assert tags(content, "data-status-line")[0]["data-state"] == "seated"
    assert [each["data-line"] for each in tags(content, 'class="cutrow"')] == ["top_advance"]
    first, *_others, last = tags(content, 'class="srow')
    shown = [(row["data-stack"], row["data-change"], row["data-gap-state"]) for row in (first, last)]
    assert shown == [("6,000", "+1,000", "ahead"), ("4,800", "−200", "behind")]


def test_what_anybody_typed_cannot_write_into_a_page(client, event):
    Player.objects.filter(entries__event=event, entries__code="E001").update(alias='<img onerror="1">')
    StandingsSnapshot.objects.filter(event=event).delete()
    standings_recompute(event_id=event.pk)
    for content in (
        client.get(address("standings", event)).content.decode(),
        client.get(address("leaderboard", event), {"you": "<img src=x>"}).content.decode(),
    ):
        assert "<img" not in content and "&lt;img" in content


def test_a_list_is_drawn_once_for_each_content_language_and_zone(client, event, monkeypatch):
    drawn: list[str] = []

    def counted(template, context):
        drawn.append(get_language())
        return render_to_string(template, context)

    def board(of: Event = event) -> str:
        return shown(event_with_standings(of.slug)).html

    monkeypatch.setattr("pages.public.reads.shown.render_to_string", counted)
    monkeypatch.setattr("pages.public.reads.shown.CACHE", StandingsCache(2))
    first = board()
    with override("de"):
        german = board()
    assert (board() == first != german, drawn) == (True, ["en", "de"])
    snapshot = StandingsSnapshot.objects.filter(event=event)
    snapshot.update(etag="another", body={**snapshot.get().body, "sections": []})
    assert board() != first
    # Two are kept: the one that nobody has asked for longest is drawn again.
    with override("de"):
        board()
    House.objects.update_or_create(pk=1, defaults={"time_zone": "Asia/Tokyo"})
    board()
    assert drawn == ["en", "de", "en", "de", "en"]
    # One correction of a person marks the standings of all events of that person with one tag.
    other = round_1_closed(2)
    standings_recompute(event_id=other.pk)
    standings_outdate(event_ids=[event.pk, other.pk], mark="corrected:1")
    assert board() != board(other)


@pytest.mark.parametrize("query", ["me=E004", "you=e4", "me=4"])
def test_T20_a_pinned_entry_reads_its_gap_without_script(client, event, query):
    content = client.get(address("leaderboard", event) + f"?{query}").content.decode()
    card = content[content.index('data-you="server"') : content.index("</section>")]
    assert "4th" in card
    (you,) = tags(content, "data-you")
    told = {"entry": "E004", "gap-state": "behind", "chance-state": "needs_top", "chances": "alive"}
    assert {f"data-{name}": value for name, value in (told | {"needs": "300"}).items()}.items() <= you.items()


def test_T6_T8_the_code_of_a_receipt_finds_somebody_without_a_place_and_several_of_a_name_are_offered(
    client, event
):
    entered, off = event_with(0), event_with(2)
    EntryFactory(event=entered, player=PlayerFactory(given_name="Zoë", family_name="Quinn"))
    event_call_off(event_id=off.pk, reason="a pipe burst", key=new_key(), actor=None)
    late = EntryFactory(event=event)
    Entry.objects.filter(pk=late.pk).update(status=Entry.Status.WAITING, waiting_since=timezone.now())
    for each in (entered, off, event):
        standings_recompute(event_id=each.pk)
    for of, you, told in (
        (entered, "E001", ["entered"]),
        (event, late.code, ["waiting"]),
        (off, "E001", ["called_off", "reason"]),
        (event, "Zacharias", ["nobody_called"]),
    ):
        assert notes(client.get(address("leaderboard", of), {"you": you})) == told
    content = client.get(address("leaderboard", event), {"you": "ann"}).content.decode()
    assert 'id="several"' in content and content.count('href="?you=E00') == 5


def test_a_change_is_sent_with_a_new_tag_and_few_queries(client, event, django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        assert client.get(address("leaderboard", event)).status_code == 200
    tag = {"If-None-Match": client.get(address("standings", event))["ETag"]}
    with django_assert_max_num_queries(2):
        assert client.get(address("standings", event), headers=tag).status_code == 304
    win(event.rounds.get(), E005=2_000)
    standings_recompute(event_id=event.pk)
    after = client.get(address("standings", event), headers=tag)
    assert (after.status_code, after["ETag"] == tag["If-None-Match"]) == (200, False)
    assert '<template data-status data-state="seated" data-live>' in after.content.decode()


def test_faults_the_page_says_when_it_is_behind_and_that_it_catches_up(client, event):
    """A command that the snapshot does not know is not too old after 5 seconds, and is after 20."""
    tag = client.get(address("standings", event))["ETag"]
    for seconds, told in ((5, []), (20, ["behind"])):
        entry = JournalEntry.objects.filter(event=event).latest("seq")
        entry.pk, entry.key, entry.seq = None, new_key(), entry.seq + 1
        entry.at = timezone.now() - timedelta(seconds=seconds)
        entry.save(force_insert=True)
        answer = client.get(address("standings", event), headers={"If-None-Match": tag})
        assert answer.status_code == (200 if told else 304)
        assert notes(answer) == told == notes(client.get(address("leaderboard", event)))
    StandingsSnapshot.objects.filter(event=event).delete()
    for name in ("leaderboard", "standings"):
        assert "behind" in notes(client.get(address(name, event)))


def first_view_bytes(client, event: Event) -> int:
    """What a phone loads first: the page, its three sheets and the scripts, each gzipped."""
    page = client.get(address("leaderboard", event)).content
    static = re.findall(r'(?:src|href)="/static/([^"]+\.(?:css|js))"', page.decode())
    assert len(static) == 8
    parts = (page, *((STATIC / name).read_bytes() for name in static))
    return sum(len(gzip.compress(part, 6)) for part in parts)


@pytest.mark.parametrize("entrants", [42, pytest.param(120, marks=pytest.mark.soak)])
def test_first_view_is_at_most_50_kb(client, entrants):
    size = first_view_bytes(client, hands_played(entrants))
    assert size <= 50_000


def test_T4_seats_by_table_and_by_name(client, drawn):
    response = client.get(address("seats", drawn))
    words = read(response.content.decode()).text
    for code, table, box in drawn.draws.get(number=1).result:
        assert re.search(rf"{code} {table} {box}\b", words)
    found = re.findall(r'data-table="(\d)" data-players="(\d)"', response.content.decode())
    assert found == [("1", "5"), ("2", "4")]


def test_T31_prizes_are_posted_and_a_superseded_structure_stays_public_with_the_reason(client):
    event = round_1_closed(5)
    assert "data-place" not in client.get(address("prizes", event)).content.decode()
    first = post(event)
    page = client.get(address("prizes", event)).content.decode()
    rows = re.findall(r'data-place="(\d)" data-share-bp="(\d+)" data-cents="(\d+)"', page)
    assert rows == [("1", "5000", "25000"), ("2", "3000", "15000"), ("3", "2000", "10000")]
    assert 'data-total-cents="50000"' in page and first["hash"] in page
    more = {"structure": {"kind": "fixed", "amounts": [40_000, 20_000]}, "reason": "The sponsor adds"}
    asked = payouts_supersede_request(event_id=event.pk, **more, key=new_key(), actor=UserFactory())
    request_decide(request_id=asked["request"], approve=True, key=new_key(), actor=UserFactory())
    page = client.get(address("prizes", event)).content.decode()
    assert re.findall(r'data-version="(\d)" data-state="(\w+)"', page) == [("2", "live"), ("1", "superseded")]
    assert re.findall(r'data-place="1" data-share-bp="\d*" data-cents="(\d+)"', page) == ["40000", "25000"]
    assert more["reason"] in page and first["hash"] in page


def test_T32_the_pool_shows_fee_and_guarantee(client):
    event = event_with(4, fee_cents=1_000, guarantee_cents=50_000)
    page = client.get(address("prizes", event)).content.decode()
    found = re.findall(r'data-(buy-ins|fees|raised|pool)-cents="(\d+)"', page)
    assert found == [("buy-ins", "40000"), ("fees", "4000"), ("raised", "14000"), ("pool", "50000")]


def test_every_commitment_is_public_before_its_draw_and_its_secret_is_not(client):
    event = event_with(2)
    content = client.get(address("draws", event)).content.decode()
    for draw in event.draws.select_related("secret_row"):
        page = client.get(address("draw", event, draw.number)).content.decode()
        assert draw.commitment[:16] in content and draw.commitment in page
        assert bytes(draw.secret_row.secret).hex() not in content + page
        assert "data-draw-check" not in page


def run(script: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(script, "from the page", "exec"), {})  # noqa: S102 - that is what a player does with it
    return out.getvalue().strip()


def test_T4_ten_lines_on_the_page_of_a_draw_repeat_it_and_agree_with_the_command(client, drawn, capsys):
    draw, content = drawn.draws.get(number=1), client.get(address("draw", drawn, 1)).content.decode()
    words, secret, drawn_codes = read(content).text, draw.revealed_secret, [each[0] for each in draw.result]
    needed = (draw.commitment, secret, "KH 4D 7S AC 2D", " ".join(draw.roster), "1-1 2-1 1-2")
    assert [each for each in (*needed, " ".join(drawn_codes)) if each not in words] == []
    script = html.unescape(re.search(r'<code id="script">(.*?)</code>', content, re.S)[1])
    assert len(script.strip().splitlines()) == 10
    assert run(script).split() == drawn_codes
    asked = ("--secret", secret, "--event", drawn.code, "--number", "1", "--cards", draw.cards)
    call_command("draw", *asked, *draw.roster)
    assert capsys.readouterr().out.strip() == run(script)
    with pytest.raises(AssertionError):
        run(script.replace(secret, "00" * 32))
