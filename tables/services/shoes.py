"""Note the cut card, end a shoe, open the next one of a tie, and reopen one ended by mistake (T11)."""

from __future__ import annotations

from django.contrib.auth.models import User

from games.registry import game_of
from ground.refused import Conflict, Refused, refuse
from ground.typed import text_clean
from tables.models import Deal, Shoe, Table
from tables.selectors.floor import house_rules, occupied_boxes, stacks_by_box, why_tie_done
from tables.selectors.next_hand import hand_open, play_check
from tables.selectors.shoes import why_not_end, why_not_last_hand, why_not_reopen
from tournament.engine.draw import button_drawn
from tournament.engine.facts import ShoeEnded, ShoeOpened, ShoeReopened, key_of
from tournament.models import Round
from tournament.services.arguments import find, reason_clean
from tournament.services.journal import Command, Json
from tournament.services.rounds import round_command
from tournament.services.status import status_move

from .hand import play_begin
from .locks import running_check, shoe_command, shoe_lock


def shoe_last_hand(*, shoe_id: int, out: bool = True, reason: str = "", key: str, actor: User | None) -> Json:
    """Note that the cut card is out: the present hand is the last one of the shoe (T11).

    ``out`` False takes that note back, until the hand ends. Gives ``{"shoe", "out"}``. Raises
    Refused ``shoe_over`` (409), ``already_last`` or ``not_last`` (409), ``tie_decided`` (409), and
    ``cut_card_not_out`` without a reason long before the cut card can be out.
    """

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        refuse(why_not_last_hand(shoe, out=out))
        play_check(shoe.round)
        refuse(why_tie_done(shoe.round, shoe.table))
        why = text_clean(reason, "The reason", longest=200, missing="")
        if out and not why:
            refuse(why_not_end(shoe))
        shoe.last_hand, shoe.ended_reason = out, why if out else ""
        shoe.save(update_fields=["last_hand", "ended_reason"])
        return {"shoe": shoe.pk, "out": out}

    return shoe_command("shoe.last_hand", shoe_id, act, key=key, actor=actor, out=out, reason=reason)


def shoe_end(
    *, shoe_id: int, reason: str = "", in_the_middle: bool = False, key: str, actor: User | None
) -> Json:
    """End a shoe after the cut card, or close the table in the middle of it with a reason (T11).

    Raises Refused ``deal_open`` (409) while a hand is on the table, ``shoe_over`` (409), ``tie_decided``
    (409), what ``play_check`` raises, and ``cut_card_not_out`` without a reason long before the cut card can
    be out. Closing ``in_the_middle`` always needs a reason (``reason_missing``).
    """

    def act(cmd: Command) -> Json:
        shoe = shoe_lock(shoe_id)
        if shoe.status != Shoe.Status.DEALING:
            raise Conflict("shoe_over", "The shoe at %(table)s is over already.", table=shoe.table)
        play_check(shoe.round)
        if Deal.objects.filter(shoe=shoe, status=Deal.Status.OPEN).exists():
            raise hand_open(shoe.table)
        refuse(why_tie_done(shoe.round, shoe.table))
        why = text_clean(reason, "The reason", longest=200, missing="reason_missing" if in_the_middle else "")
        why = why or shoe.ended_reason  # typed when the cut card was noted
        if not why:
            refuse(why_not_end(shoe))
        play_begin(cmd, shoe.round)
        status_move(shoe, Shoe.Status.OVER, ended_reason=why, ended_at=cmd.at)
        cmd.write(ShoeEnded(key_of(shoe.round), shoe.table.number))
        return {"shoe": shoe.pk, "table": shoe.table.number, "cards_dealt": shoe.cards_dealt}

    return shoe_command("shoe.end", shoe_id, act, key=key, actor=actor, reason=reason)


def shoe_reopen(*, shoe_id: int, reason: str, key: str, actor: User | None) -> Json:
    """Reopen a shoe that was ended by mistake; its hands continue (T11).

    Gives ``{"shoe", "table"}``. Raises Refused whatever ``why_not_reopen`` says, ``event_not_running`` (409)
    and ``reason_missing``.
    """

    def act(cmd: Command) -> Json:
        why = reason_clean(reason)
        shoe = shoe_lock(shoe_id)
        running_check(shoe.round.event)
        refuse(why_not_reopen(shoe))
        refuse(why_tie_done(shoe.round, shoe.table))
        cmd.note(ended_reason=shoe.ended_reason, ended_at=shoe.ended_at and shoe.ended_at.isoformat())
        status_move(shoe, Shoe.Status.DEALING, ended_reason="", ended_at=None, last_hand=False)
        cmd.write(ShoeReopened(key_of(shoe.round), shoe.table.number))
        return {"shoe": shoe.pk, "table": shoe.table.number, "reason": why}

    return shoe_command("shoe.reopen", shoe_id, act, key=key, actor=actor, reason=reason)


def shoe_next(*, round_id: int, table_id: int, key: str, actor: User | None) -> Json:
    """Open another shoe in a tie that its shoe did not decide (T23, T33).

    The button is drawn again, from the same draw (T14). Gives ``{"shoe": id, "number": n, "button":
    box}``. Raises Refused ``one_shoe_a_round`` (T11), ``shoe_dealing`` (409), ``not_seated``,
    ``tie_decided`` (409), and what ``play_check`` raises.
    """
    table = find(Table, table_id, "table")

    def act(cmd: Command, round_: Round) -> Json:
        if round_.kind == Round.Kind.ROUND:
            raise Refused("one_shoe_a_round", "A round lasts one shoe at each table.")
        play_check(round_)
        last = Shoe.objects.filter(round=round_, table=table).order_by("-number").first()
        if last is None:
            raise Refused("not_seated", "Nobody plays %(round)s at %(table)s.", round=round_, table=table)
        if last.status == Shoe.Status.DEALING:
            raise Conflict("shoe_dealing", "The shoe at %(table)s is still being played.", table=table)
        refuse(why_tie_done(round_, table))
        shoe = Shoe.objects.create(
            round=round_,
            table=table,
            number=last.number + 1,
            decks=last.decks,
            cards_dealt=game_of(house_rules(round_)).burned_cards,
            button_box=_button_again(last, last.number + 1),
            opened_at=cmd.at,
        )
        cmd.write(ShoeOpened(key_of(round_), table.number, shoe.number, shoe.button_box))
        return {"shoe": shoe.pk, "number": shoe.number, "button": shoe.button_box}

    return round_command("shoe.next", round_id, act, key=key, actor=actor, table=table_id)


def _button_again(last: Shoe, number: int) -> int | None:
    draw, event = last.round.draw, last.round.event
    boxes = occupied_boxes(stacks_by_box(last), last.round.plan.bets.min_chips)
    if draw is None:
        return last.button_box
    mixed = (bytes.fromhex(draw.revealed_secret), event.code, draw.number, draw.roster, draw.cards)
    return button_drawn(*mixed, (last.table.number, number), boxes) if boxes else None
