"""Draw the PNG icons of an installed Cutline from the SVG icon, in Chromium: ``python -m tests.icons``.

They are drawn once and committed. A maskable icon and the one of Apple have no corners of their own: the
phone cuts them, so the drawing keeps to the middle.
"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.conftest import _find_chromium

ICONS = Path(__file__).resolve().parents[1] / "static" / "icons"
GROUND = "#12382a"
# File, pixels, and the part of the picture that the drawing takes.
PICTURES = (
    ("cutline-192.png", 192, 1.0),
    ("cutline-512.png", 512, 1.0),
    ("cutline-maskable-512.png", 512, 0.8),
    ("apple-touch-icon.png", 180, 0.9),
)


def main() -> None:
    """Write every picture beside the SVG icon."""
    svg = (ICONS / "cutline.svg").read_text()
    lines = re.sub(r"<rect[^>]*/>", "", svg)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_find_chromium())
        for name, pixels, part in PICTURES:
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            drawn, ground = (svg, "transparent") if part == 1 else (lines, GROUND)
            style = (
                f"body{{margin:0;height:100vh;display:grid;place-items:center;background:{ground}}}"
                f"svg{{width:{part:.0%};height:{part:.0%}}}"
            )
            page.set_content(f"<style>{style}</style>{drawn}")
            page.screenshot(path=ICONS / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
