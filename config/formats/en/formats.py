"""Dates and times in English: the day before the month, 24 hours."""

DATE_FORMAT = "j F Y"  # 25 November 2026
SHORT_DATE_FORMAT = "j M Y"  # 25 Nov 2026
MONTH_DAY_FORMAT = "j M"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
# Our own format for the start of an event: with the day of the week.
START_FORMAT = "l j F Y, H:i"
SHORT_START_FORMAT = "D j M, H:i"
START_DATE_FORMAT = "D j M Y"
