"""Forms of the desk: persons, buy-ins, and changes to entries."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from pages.fields import ReasonForm, TextField, WholeField, reason_field
from pages.form import Form
from tournament.models import Penalty, Player, PlayerCheck


def _of_person(label: Any, longest: int = 60, **more: Any) -> TextField:
    """A field for a fact about a person; the browser must not offer it for the next person."""
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return TextField(label=label, max_length=longest, widget=widget, **more)


NEVER_SHOWN = _("Never shown again. It only finds this person the next time.")


class PlayerForm(Form):
    """A person who is new to the house: at most four fields."""

    given_name = _of_person(_("Given name"))
    family_name = _of_person(_("Family name"))
    alias = _of_person(
        _("Alias"), 40, required=False, help_text=_("Shown to the public instead of the name.")
    )
    identity_number = _of_person(_("Identity number"), required=False, help_text=NEVER_SHOWN)
    birth_year = WholeField(
        label=_("Year of birth"),
        required=False,
        help_text=_("Shown at the desk, to tell people of the same name apart."),
    )

    @classmethod
    def of_somebody(cls, typed: str, *, focused: bool) -> PlayerForm:
        """Return the form with the searched name filled in, and focused if nobody was found."""
        given, _space, family = " ".join(typed.split()).partition(" ")
        form = cls(initial={"given_name": given, "family_name": family})
        if focused:
            form.fields["given_name"].widget.attrs["autofocus"] = True
        return form


class CorrectionForm(PlayerForm):
    """A person's record as it stands, to be corrected with a reason."""

    identity_number = _of_person(
        _("Identity number"),
        required=False,
        help_text=_("Leave this empty to keep what is on record. The number is never shown again."),
    )
    reason = reason_field()

    @classmethod
    def of_player(cls, player: Player) -> CorrectionForm:
        """Return the form filled from the record."""
        # The year is a text: a number would be shown with a thousands separator.
        facts = {field: getattr(player, field) for field in ("given_name", "family_name", "alias")}
        return cls(initial={**facts, "birth_year": str(player.birth_year or "")})


class IdentityForm(Form):
    """The identity number of a person whose record has none."""

    identity_number = _of_person(_("Identity number"), help_text=NEVER_SHOWN)


class BuyInForm(Form):
    """The check at the desk."""

    identity_checked = forms.BooleanField(label=_("Of age and not excluded: checked"), required=False)


class TurnAwayForm(Form):
    """Why a person is turned away (T7)."""

    outcome = forms.ChoiceField(
        choices=[
            (PlayerCheck.Outcome.UNDER_AGE, _("Under age")),
            (PlayerCheck.Outcome.EXCLUDED, _("Excluded")),
        ]
    )


class WithdrawForm(Form):
    """An entry leaves: before the draw with its refund, later by ruling."""

    reason = reason_field(required=False)
    refund = forms.BooleanField(label=_("Refund the buy-in"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = "id_withdraw_%s"


class PenaltyForm(ReasonForm):
    """A lesser penalty (T26)."""

    kind = forms.ChoiceField(label=_("Penalty"), choices=Penalty.Kind.choices)
    chips = WholeField(
        label=_("Chips taken"),
        required=False,
        help_text=_("Only for a penalty in chips. A second person confirms it before the chips are taken."),
    )
    field_order = ("kind", "chips", "reason")

    def __init__(self, *args: Any, takes_chips: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The page has other reason fields: give this one an id of its own for its label.
        self.auto_id = "id_penalty_%s"
        if not takes_chips:
            self.offer("kind", [each for each in Penalty.Kind.choices if each[0] != Penalty.Kind.CHIPS])
            del self.fields["chips"]
