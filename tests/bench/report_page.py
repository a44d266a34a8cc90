"""The report page of 10,000 rules, and a plain table of the same texts: as files, and in a browser.

    python report_page.py open FILE               as a person does; writes its CPU seconds to `cpu`
    python report_page.py page|table FILE RULES   writes it

The bench does not import what this needs: it has to be small to measure.
"""

import html
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
# A frame is drawn, and what a person does next is heard.
LISTENS = """new Promise((done) =>
    requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0)))"""


def can_open() -> bool:
    """Whether there is a browser; asked of a process that knows where the tests stand."""
    return subprocess.run([sys.executable, __file__, "can", "open"], check=False).returncode == 0


def write(path: Path, form: str, rules: int) -> None:
    command = [sys.executable, __file__, form, str(path), str(rules)]
    subprocess.run(command, check=True)


def _page(rules: int) -> Iterator[str]:
    from ledgers import large_ledger

    from ruleferry.converters.reports.html import gap_page
    from ruleferry.converters.reports.report import report

    yield gap_page(report(large_ledger(rules)))


def _table(rules: int) -> Iterator[str]:
    from ledgers import large_ledger

    from ruleferry.converters.reports.report import report

    yield '<!doctype html><html lang="en"><meta charset="utf-8"><title>Rules</title><table>'
    for rule in report(large_ledger(rules)).rules:
        e = rule.entry
        caveats = " ".join(f"{topic}: {detail}" for _, topic, detail in rule.caveats)
        cells = (
            *(rule.title, rule.words, e.origin.text, rule.became, rule.reason, e.condition or ""),
            *(rule.nulls, rule.action, rule.why, e.grade or "", caveats, rule.switch_off.why),
            *(rule.place, " ".join(rule.questions), e.name, e.id),
        )
        yield f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>\n"
    yield "</table></html>\n"


def seconds(path: Path) -> tuple[float, float]:
    """Until the page listens: of the clock, and of the CPU by the thread that has to listen."""
    from chromium import running

    with running() as browser:
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        meter = tab.context.new_cdp_session(tab)
        meter.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto(path.resolve().as_uri(), wait_until="load")
        clock = float(tab.evaluate(LISTENS)) / 1000
        told = {m["name"]: m["value"] for m in meter.send("Performance.getMetrics")["metrics"]}
    return clock, float(told["TaskDuration"])


def main(word: str, file: str, rules: str = "0") -> None:
    sys.path[:0] = [str(TESTS), str(TESTS / "reports")]
    if word == "can":
        from chromium import program

        sys.exit(program() is None)
    elif word == "open":
        clock, cpu = seconds(Path(file))
        print(f"{clock:.2f} s, {cpu:.2f} s of CPU")
        Path("cpu").write_text(str(cpu), encoding="utf-8")
    else:
        text = "".join({"page": _page, "table": _table}[word](int(rules)))
        Path(file).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
