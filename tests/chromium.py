"""Debian's Chromium without a window, as the tests and the bench drive it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

# Quiet: no sandbox (tests run as root), no graphics card, and no call home.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def program() -> str | None:
    """Its path; None where there is none, or nothing to drive it with."""
    if find_spec("playwright") is None:
        return None
    return os.environ.get("RULEFERRY_CHROMIUM") or shutil.which("chromium")


@contextmanager
def running() -> Iterator:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program(), args=[*ARGUMENTS])
        yield browser
        browser.close()
