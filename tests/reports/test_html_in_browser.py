"""The report page in a real browser: what its script adds, and that people can use it."""

import json
import subprocess

import pytest
from ledgers import entry, large_ledger, ledger_of
from pages import full_page, poisoned_report

from ruleferry.converters.reports.html import gap_page
from ruleferry.converters.reports.report import report

pytestmark = pytest.mark.more

WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 360, "height": 740}
LONG_NAMES = (
    "gx/expectations/encounters_expectations.json",
    "great_expectations/expectations/warehouse/customers_and_their_contracts.warning.json",
    "gx/InternationalShipmentConsignmentSuite.json",
)
SHOWN = "details.r:not([hidden])"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pages")
    hostile = "".join(['"><script>alert(1)</script>', "\u202e\x00\ud800]]></style>", "x" * 2000])
    pages = {
        "full": full_page(),
        "large": gap_page(report(large_ledger(2_000))),
        "hostile": gap_page(poisoned_report(hostile)),
        "names": gap_page(report(ledger_of([entry("x", file=file) for file in LONG_NAMES]))),
    }
    for name, text in pages.items():
        (made / f"{name}.html").write_text(text, encoding="utf-8", newline="\n")
    return made


@pytest.fixture
def see(browser, folder):
    """Opens a page; whatever it complains of or asks for fails the test."""
    contexts, troubles, asked = [], [], []

    def opened(name="full", at="", **options):
        context = browser.new_context(**{"viewport": WIDE, **options})
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: troubles.append(message.text))
        tab.on("pageerror", lambda error: troubles.append(str(error)))
        tab.on("dialog", lambda dialog: troubles.append(dialog.message))
        tab.on("request", lambda request: asked.append(request.url.partition("#")[0]))
        tab.goto(f"{(folder / name).as_uri()}.html{at}")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []
    assert {*asked} <= {path.as_uri() for path in folder.iterdir()}


def count(tab) -> int:
    return tab.locator(SHOWN).count()


def until(tab, holds: str) -> None:
    """Waits; the driver's own way of waiting is refused by the page's policy."""
    for _ in range(200):
        if tab.evaluate(holds):
            return
        tab.wait_for_timeout(25)
    raise AssertionError(f"it never came to hold that {holds}")


def told(tab, shown: int) -> None:
    """Waits for what the page says of a filter."""
    until(tab, f"document.getElementById('count').textContent.startsWith('{shown} of ')")


@pytest.mark.parametrize("name", ["full", "large", "hostile"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_loads_without_a_complaint(see, name, scheme):
    tab = see(name, color_scheme=scheme)
    assert tab.evaluate("performance.getEntriesByName('ready').length") == 1
    assert tab.locator("#find").is_visible()


def test_without_a_script_all_is_there(see):
    tab = see(java_script_enabled=False)
    assert not tab.locator("#find").is_visible()
    assert not tab.locator("#theme").is_visible()
    assert tab.locator("details.r > summary").count() == tab.locator(f"{SHOWN} > summary").count()
    rule = tab.locator("details.r", has_text="o_totalprice_range")
    rule.locator("summary").click()
    assert rule.locator("code").is_visible()


def test_search_finds_all_words_in_any_text(see):
    tab = see()
    tab.fill("#q", "NEGATIVE refunds")
    told(tab, 1)
    assert count(tab) == 1
    assert "o_totalprice_range" in tab.locator(SHOWN).text_content()
    tab.fill("#q", "nothing has this")
    told(tab, 0)
    assert tab.locator("#none").is_visible()
    tab.click("#clear")
    assert count(tab) == tab.locator("details.r").count()
    assert tab.evaluate("document.activeElement.id") == "q"


def test_filters_narrow_each_other_and_say_how_many_are_left(see):
    tab = see()
    tab.click("#more")
    before = tab.locator("#f-action option[value=drop]").text_content()
    assert before == "drop (1)"
    tab.select_option("#f-table", "customers")
    told(tab, 2)
    assert tab.locator("#f-action option[value=drop]").text_content() == "drop (0)"
    assert tab.locator("#f-table option[value=customers]").text_content() == "customers (2)"
    assert tab.locator("section.table:not([hidden])").count() == 1
    assert tab.locator(".q:not([hidden])").count() == 2
    assert tab.locator("#chosen").text_content() == "customers"


def test_a_filter_survives_a_reload_and_travels_in_a_link(see):
    tab = see()
    tab.click("#more")
    tab.select_option("#f-became", "gap")
    tab.select_option("#sort", "title")
    tab.fill("#q", "pattern")
    told(tab, 1)
    address = tab.url
    tab.reload()
    told(tab, 1)
    assert tab.input_value("#q") == "pattern"
    assert tab.input_value("#f-became") == "gap"
    assert tab.input_value("#sort") == "title"
    other = see(at=f"#{address.partition('#')[2]}")
    told(other, 1)


def test_a_link_of_a_hash_that_nobody_wrote_does_no_harm(see):
    for at in ("#became=nonsense&x=<b>", "#%E0%A4%A=1", "#r-nothing", "#q=%00&at=q-%22"):
        tab = see(at=at)
        assert tab.locator("h1").is_visible()


def test_a_link_to_a_rule_opens_it_even_where_a_filter_hid_it(see):
    tab = see()
    rule = tab.locator("details.r").nth(4)
    wanted = rule.get_attribute("id")
    linked = see(at=f"#{wanted}")
    assert linked.locator(f"#{wanted} dl").is_visible()
    hidden = see(at=f"#q=nothing+has+this&at={wanted}")
    assert hidden.locator(f"#{wanted} dl").is_visible()


def test_a_question_leads_to_its_rule_and_back_and_the_filter_stays(see):
    tab = see(at="#table=customers")
    link = tab.locator("#q-q-table .about a").first
    wanted = link.get_attribute("href")
    link.click()
    assert tab.locator(f"{wanted} dl").is_visible()
    assert tab.evaluate("document.activeElement.localName") == "summary"
    assert "table=customers" in tab.url
    assert f"at={wanted[1:]}" in tab.url
    tab.locator(f"{wanted} a[href^='#q-']").first.click()
    assert "at=q-" in tab.url
    told(tab, 2)


def test_a_line_of_the_overview_filters(see):
    tab = see()
    tab.locator("th[data-key=became][data-value=gap] a").click()
    told(tab, 2)
    assert tab.input_value("#f-became") == "gap"
    tab.go_back()
    until(tab, "document.getElementById('f-became').value === ''")


def test_rules_are_sorted_within_their_table_and_back(see):
    tab = see()

    def order():
        return tab.locator("details.r .t bdi").all_text_contents()

    def actions():
        return tab.locator("section.table:last-of-type details.r .a").all_text_contents()

    before = order()
    tab.click("#more")
    tab.select_option("#sort", "action")
    known = [word for word in actions() if word != "–"]
    assert known == sorted(known, key=["fail", "drop", "warn"].index)
    tab.select_option("#sort", "became")
    first = tab.locator("section.table:last-of-type details.r .o").first.text_content()
    assert first == "left for a person"
    tab.select_option("#sort", "")
    assert order() == before


def test_all_open_and_all_close(see):
    tab = see("large", at="#table=main.sales.table_3")
    told(tab, 200)
    tab.click("#open")
    until(tab, "document.querySelectorAll('details.r[open]').length === 200")
    tab.click("#close")
    until(tab, "document.querySelectorAll('details.r[open]').length === 0")


@pytest.mark.parametrize("may", [True, False], ids=["clipboard", "old way"])
def test_a_condition_is_copied_as_it_stands(see, may):
    tab = see(permissions=["clipboard-read", "clipboard-write"])
    if not may:
        tab.evaluate(
            "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')) }"
        )
    rule = tab.locator("details.r", has_text="c_email_pattern")
    rule.locator("summary").click()
    rule.locator("button.copied").click()
    until(tab, "document.querySelector('button.copied').textContent === 'Copied'")
    copied = tab.evaluate("navigator.clipboard.readText()")
    assert copied == "c_email IS NULL OR CAST(c_email AS STRING) RLIKE '^(a|b)@x\\\\.org$'"


def test_a_keyboard_reaches_everything_and_is_never_caught(see):
    tab = see()
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    met = []
    for _ in range(400):
        tab.keyboard.press("Tab")
        at = tab.evaluate(
            "(() => { const e = document.activeElement, s = getComputedStyle(e);"
            " return [e.localName, e.id || e.textContent.slice(0, 40),"
            " e === document.body || s.outlineStyle !== 'none'] })()"
        )
        if at[0] == "body":
            break
        assert at[2], f"no focus is seen on {at}"
        met.append(at)
    assert at[0] == "body"
    assert sum(tag == "summary" for tag, *_ in met) >= tab.locator("details.r").count()
    rule = tab.locator("details.r > summary").first
    rule.focus()
    tab.keyboard.press("Enter")
    assert tab.locator("details.r").first.get_attribute("open") is not None


def test_light_and_dark_are_those_of_the_system_until_somebody_chooses(see):
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = see(color_scheme="light"), see(color_scheme="dark")
    colours = light.evaluate(ground), dark.evaluate(ground)
    assert colours[0] != colours[1]
    dark.click("#theme")
    assert dark.evaluate(ground) == colours[0]
    dark.reload()
    assert dark.evaluate(ground) == colours[0]


@pytest.mark.parametrize("name", ["full", "large", "hostile"])
def test_a_phone_never_scrolls_sideways(see, name):
    tab = see(name, viewport=PHONE)
    tab.click("#more")
    tab.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    assert tab.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_file_name_breaks_behind_its_separators_alone(see, size):
    tab = see("names", viewport=size)
    tab.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    lines_of_each = """[...document.querySelectorAll('.parts')].flatMap(
        (name) => [...name.childNodes].filter((part) => part.nodeType === 3).map((part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return new Set([...range.getClientRects()].map((box) => box.top)).size;
        }))"""
    found = tab.evaluate(lines_of_each)
    assert len(found) > 10
    assert {*found} == {1}
    assert tab.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_what_the_filter_shows_is_printed_open(see, pdftotext, tmp_path):
    tab = see(at="#became=record")
    tab.pdf(path=tmp_path / "page.pdf", format="A4")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")
    words = [pdftotext, "-raw", tmp_path / "page.pdf", "-"]
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    flat = " ".join(text.split())
    assert "o_totalprice IS NULL OR o_totalprice > 0" in flat
    assert "negative prices are refunds" in flat
    assert "clerks are no longer recorded" not in flat


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("at", ["", "#became=gap"], ids=["whole", "filtered"])
def test_nothing_keeps_a_person_from_using_it(see, axe, scheme, size, at):
    tab = see(color_scheme=scheme, viewport=size, at=at)
    tab.click("#more")
    tab.evaluate("for (const d of document.querySelectorAll('details')) d.open = true")
    # What is not drawn yet has no size of its own.
    drawn = (
        "for (const e of document.querySelectorAll('.q, .r')) e.style.contentVisibility = 'visible'"
    )
    tab.evaluate(drawn)
    tab.evaluate(axe)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = tab.evaluate(f"axe.run(document, {{runOnly: {json.dumps(tags)}}})")
    assert [(v["id"], v["impact"], v["nodes"][0]["html"]) for v in found["violations"]] == []


def test_ten_thousand_rules_do_not_freeze_a_filter(see):
    """Generous: machines differ. The bench measures."""
    tab = see("large")
    took = tab.evaluate(
        "new Promise((done) => { const began = performance.now(), q = document.getElementById('q');"
        " q.value = '199'; q.dispatchEvent(new Event('input', { bubbles: true }));"
        " const wait = () => document.getElementById('count').textContent"
        " ? done(performance.now() - began) : setTimeout(wait, 5); wait(); })"
    )
    assert took < 5000
