"""Cutline on a phone's home screen: what a browser needs to install it."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.soak]

PRIVATE = "in-incognito"
"""The tests' browser keeps nothing, so it offers no installation; that is all it may object to."""


def test_a_browser_can_install_the_house(page: Any, live_server: Any) -> None:
    page.goto(live_server.url, wait_until="networkidle")
    talk = page.context.new_cdp_session(page)
    manifest = talk.send("Page.getAppManifest")
    assert manifest["errors"] == []
    said = json.loads(manifest["data"])
    assert (said["display"], said["start_url"], said["scope"]) == ("standalone", "/en/", "/")
    for icon in said["icons"]:
        answer = page.request.get(f"{live_server.url}/static/icons/{icon['src']}")
        assert (answer.status, answer.headers["content-type"]) == (200, icon["type"])
    objections = talk.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {each["errorId"] for each in objections} <= {PRIVATE}
    # Safari reads no manifest for the icon of the home screen.
    touch = page.locator('link[rel="apple-touch-icon"]').get_attribute("href")
    assert page.request.get(f"{live_server.url}{touch}").headers["content-type"] == "image/png"
