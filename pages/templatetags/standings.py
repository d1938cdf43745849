"""Filters for standings and clocks: their states in the language of the page."""

from __future__ import annotations

from django import template

from pages.words.standings import clock_ends, rank_word, state_tone, state_word

register = template.Library()
for word in (clock_ends, rank_word, state_tone, state_word):
    register.filter(word)
