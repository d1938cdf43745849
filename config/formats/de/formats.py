"""Dates and times in German, with no line break between the day and its month."""

DATE_FORMAT = "j.\u00a0F Y"  # 25. November 2026
SHORT_DATE_FORMAT = "d.m.Y"  # 25.11.2026
MONTH_DAY_FORMAT = "d.m."
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j.\u00a0F Y, H:i"
SHORT_DATETIME_FORMAT = "d.m.Y, H:i"
# Our own format for the start of an event: with the day of the week.
START_FORMAT = "l, j.\u00a0F Y, H:i"
SHORT_START_FORMAT = "D, d.m., H:i"
START_DATE_FORMAT = "D, d.m.Y"
