"""Forms for the screens in the hall."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from pages.director.reads.hall import SLIDE_NAMES
from pages.fields import TextField, WholeField
from pages.form import Form
from tournament.selectors.hall import KINDS, SECONDS, STEERED
from tournament.services.hall import LONGEST


class AnnouncementForm(Form):
    """One announcement."""

    text = TextField(
        label=_("Announcement"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "class": "input"}),
        help_text=_("At most 200 characters, to be read across the hall."),
    )


class ScreenForm(Form):
    """The name of another screen."""

    name = TextField(
        label=_("Name"),
        max_length=20,
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
        help_text=_(
            "Small letters, digits and dashes, like bar or stage-left. It is the end of its address."
        ),
    )


class ScreenField(forms.TypedChoiceField):
    """A named screen; the service refuses one that was removed meanwhile."""

    def valid_value(self, value: Any) -> bool:
        """Accept any number; the service checks it."""
        return True


class NamedScreenForm(Form):
    """One of the named screens."""

    screen = ScreenField(label=_("Screen"), coerce=int)

    def __init__(self, data: Any = None, *, screens: Iterable[tuple[int, str]] = (), **more: Any) -> None:
        super().__init__(data, **more)
        self.offer("screen", screens)


class SteerForm(NamedScreenForm):
    """A screen, and the kind of slide to keep it on."""

    kind = forms.ChoiceField(label=_("Shows"), required=False)

    def __init__(self, data: Any = None, *, screens: Iterable[tuple[int, str]] = ()) -> None:
        super().__init__(data, screens=screens)
        self.offer("kind", [("", _("the rotation")), *((kind, SLIDE_NAMES[kind]) for kind in STEERED)])


def _small() -> forms.TextInput:
    return forms.TextInput(attrs={"class": "input num", "inputmode": "numeric", "size": 3})


class RotationForm(Form):
    """For each kind of slide its place in the rotation, empty for none, and its seconds."""

    def __init__(self, data: Any = None, *, rotation: Iterable[tuple[str, int]] = ()) -> None:
        super().__init__(data)
        now = {kind: (number, seconds) for number, (kind, seconds) in enumerate(rotation, start=1)}
        for kind in KINDS:
            number, seconds = now.get(kind, ("", SECONDS))
            words = SLIDE_NAMES[kind]
            self.fields[f"number_{kind}"] = WholeField(
                label=words, required=False, initial=number, widget=_small()
            )
            self.fields[f"seconds_{kind}"] = WholeField(
                label=format_lazy(_("Seconds: {slide}"), slide=words), initial=seconds, widget=_small()
            )

    @property
    def lines(self) -> list[tuple[Any, Any]]:
        """Return the two fields of each kind, in the order of the page."""
        return [(self[f"number_{kind}"], self[f"seconds_{kind}"]) for kind in KINDS]

    @property
    def slides(self) -> list[tuple[str, int]]:
        """Return the typed slides in their order: kind and seconds."""
        typed = self.cleaned_data
        chosen = [kind for kind in KINDS if typed[f"number_{kind}"] is not None]
        chosen.sort(key=lambda kind: int(typed[f"number_{kind}"]))
        return [(kind, typed[f"seconds_{kind}"]) for kind in chosen]
