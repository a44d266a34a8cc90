"""What all tests share: one Spark session, the shared data, and what happens without them.

A test that asks for `spark` needs Java and pyspark; one that asks for `shared` needs the data
beside the checkout; one that asks for `gx018` needs .venv-0.18. Where one is missing these tests
are deselected and counted; with CI=true or RULEFERRY_REQUIRE=1 the run fails instead.
"""

import json
import os
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import chromium
import pytest
from office import Office, soffice
from postgres_server import programs, server

from ruleferry.converters.proof.session import find_java, spark_session

ROOT = Path(__file__).resolve().parents[1]
AXE = ROOT / "tests" / "vendor" / "axe-core" / "axe.min.js"
JUNIT = ROOT / "tests" / "vendor" / "junit" / "junit-10.xsd"
SARIF = ROOT / "tests" / "vendor" / "sarif" / "sarif-2.1.0-rtm.5.json"
# What is made once for all tests that ask for it, and takes long.
_SLOW = {"spark", "gx018", "compared"}
DESELECTED = pytest.StashKey[Counter]()


def shared_data() -> Path:
    return Path(os.environ.get("RULEFERRY_SHARED") or ROOT.parent / "shared")


def old_environment() -> Path:
    return Path(os.environ.get("RULEFERRY_GX018") or ROOT / ".venv-0.18")


def is_required() -> bool:
    return os.environ.get("CI") == "true" or os.environ.get("RULEFERRY_REQUIRE") == "1"


def missing() -> dict[str, str]:
    """Fixture -> why it can't be had."""
    found = {}
    if not shared_data().is_dir():
        found["shared"] = f"no shared data at {shared_data()} (set RULEFERRY_SHARED)"
    if find_java() is None or find_spec("pyspark") is None:
        found["spark"] = "no Spark (Java 17 and the extra `spark`)"
    installed = old_environment().glob("lib/python*/site-packages/great_expectations")
    if find_java() is None or not any(installed):
        found["gx018"] = "no Great Expectations 0.18.22 (`make old`, with Python 3.11 or 3.12)"
    if programs() is None:
        found["postgres"] = "no PostgreSQL (Debian's package `postgresql`)"
    if soffice() is None:
        found["office"] = "no LibreOffice (Debian's package `libreoffice-calc`)"
    if chromium.program() is None:
        found["browser"] = "no Chromium (Debian's package `chromium`)"
    if which("pdftotext") is None:
        found["pdftotext"] = "no pdftotext (Debian's package `poppler-utils`)"
    if not AXE.is_file():
        found["axe"] = "no axe-core (tests/vendor is in the repository, not in a release)"
    if not JUNIT.is_file() or find_spec("xmlschema") is None:
        found["junit_schema"] = "no schema of JUnit XML (tests/vendor) or no xmlschema"
    if not SARIF.is_file():
        found["sarif_schema"] = "no schema of SARIF (tests/vendor)"
    return found


@pytest.hookimpl(trylast=True)  # after `-m` and `-k` have chosen
def pytest_collection_modifyitems(config, items):
    reasons = missing()
    needing = {}
    for item in items:
        lacked = sorted(reasons.keys() & set(getattr(item, "fixturenames", ())))
        if lacked:
            needing[item] = reasons[lacked[0]]
    if needing and is_required():
        told = "; ".join(sorted(set(needing.values())))
        raise pytest.UsageError(f"{told}: {len(needing)} tests can't run, and all are required")
    config.stash[DESELECTED] = Counter(needing.values())
    if needing:
        config.hook.pytest_deselected(items=list(needing))
        items[:] = [item for item in items if item not in needing]
    if config.pluginmanager.hasplugin("xdist"):
        _group(items)


def _group(items):
    """With two processes one has the Spark sessions, and no file is parted between them."""
    for item in items:
        ours = _SLOW & set(getattr(item, "fixturenames", ()))
        item.add_marker(pytest.mark.xdist_group("spark" if ours else item.path.name))


def pytest_sessionfinish(session):
    output = getattr(session.config, "workeroutput", None)  # of a worker of pytest-xdist
    if output is not None:
        output["deselected"] = dict(session.config.stash.get(DESELECTED, Counter()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    counts = Counter(getattr(node, "workeroutput", {}).get("deselected", {}))
    node.config.stash[DESELECTED] = counts  # every worker collects the same tests


def pytest_terminal_summary(terminalreporter, config):
    for reason, count in sorted(config.stash.get(DESELECTED, Counter()).items()):
        terminalreporter.write_line(f"{count} tests deselected: {reason}")


@pytest.fixture(scope="session")
def postgres():
    """A server of the tests' own."""
    with server() as running:
        yield running


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    """LibreOffice: `office.convert(path, "pdf")` is the path of the converted file."""
    return Office(soffice(), tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests that look at a page."""
    with chromium.running() as started:
        yield started


@pytest.fixture(scope="session")
def pdftotext() -> str:
    """The program that gives the text of a printed page."""
    return which("pdftotext")


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which finds what keeps people from using a page."""
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def junit_schema():
    """Jenkins' schema of JUnit XML: `junit_schema.iter_errors(root)`."""
    from xmlschema import XMLSchema

    return XMLSchema(JUNIT)


@pytest.fixture(scope="session")
def sarif_schema():
    """The schema of SARIF 2.1.0: `sarif_schema.iter_errors(log)`."""
    from jsonschema import Draft4Validator

    return Draft4Validator(json.loads(SARIF.read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of shared data: real public suites and dictionaries, cases, references."""
    return shared_data()


@pytest.fixture(scope="session")
def spark():
    """The one Spark session of the run (some 4 s to start)."""
    return spark_session()


@pytest.fixture(scope="session")
def gx018():
    """Great Expectations 0.18.22: `gx018.verdicts(expectations, rows, "v2 spark")`."""
    from old_oracle import OldOracle

    oracle = OldOracle(old_environment() / "bin" / "python")
    yield oracle
    oracle.close()
