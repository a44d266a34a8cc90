"""Public dictionaries against what a careful reader found in them, cell by cell.

`python test_spreadsheet_corpus.py` prints precision and recall of each file.
"""

import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest
from spreadsheet_check import config_of, judge, run, shown, summary
from spreadsheet_count import filled_cells
from spreadsheet_truth_books import BOOKS
from spreadsheet_truth_csv import CSV
from spreadsheet_truth_large import LARGE
from spreadsheet_truth_lists import LISTS

FILES = (*CSV, *LISTS, *BOOKS, *LARGE)
PROFILES = Path(__file__).parent / "profiles"
NAMES = [file.name for file in FILES]
with_profile = [file for file in FILES if file.profile]
TWO_REVISIONS = ("14_cms_bfd_rif_layout_prev.xlsx", "14_cms_bfd_rif_layout.xlsx")


def converted(file, corpus, folder, *, profile=True):
    """The file in a folder of its own, with its profile or without one."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(corpus / file.name, folder)
    named = file.profile if profile else None
    if named:
        shutil.copy(PROFILES / named, folder)
    return run(config_of(folder, file.name, named))


@pytest.fixture(scope="module")
def runs(shared, tmp_path_factory):
    """file, whether with its profile -> its run, made once."""
    made = {}

    def of(file, *, profile=True):
        asked = (file.name, profile and file.profile)
        if asked not in made:
            folder = tmp_path_factory.mktemp("dictionary")
            corpus = shared / "corpus/spreadsheets"
            made[asked] = converted(file, corpus, folder, profile=profile)
        return made[asked]

    return of


def test_every_public_dictionary_was_read_by_a_person(shared):
    found = {p.name for p in (shared / "corpus/spreadsheets").glob("*.[cx][sl]*")}
    assert found == set(NAMES)


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_no_rule_is_wrong(file, runs):
    assert judge(file, runs(file)).wrong == ()


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_the_rules_are_there(file, runs):
    assert judge(file, runs(file)).missing == ()


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_what_can_not_be_decided_is_asked_and_nothing_else(file, runs):
    assert judge(file, runs(file)).not_gaps == ()


@pytest.mark.parametrize("file", [f for f in FILES if f.none], ids=lambda f: f.name)
def test_a_file_without_a_rule_gives_none(file, runs):
    assert [shown(entry) for entry, _ in runs(file).carried] == []


@pytest.mark.parametrize("file", with_profile, ids=lambda f: f.name)
def test_without_its_profile_no_rule_is_wrong(file, runs):
    """Fewer are found, and each is right: what is not sure is asked."""
    found = runs(file, profile=False)
    assert judge(file, found).wrong == ()
    if file.without == "silent":
        assert [shown(entry) for entry, _ in found.carried] == []


# The books ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("profile", [True, False], ids=["profile", "without"])
@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_each_filled_cell_is_of_one_class(file, profile, runs):
    found = runs(file, profile=profile)
    path = found.config.root / file.name
    assert sum(found.reading.classes.values()) == filled_cells(path)
    assert found.reading.atoms == len({rule.atom for rule in found.reading.rules})
    assert len(found.entries) == len(found.reading.rules)


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_what_is_skipped_has_a_reason(file, runs):
    reading = runs(file).reading
    assert all(skipped.reason and skipped.place for skipped in reading.skipped)
    assert sum(skipped.cells for skipped in reading.skipped) <= sum(reading.classes.values())


def test_two_revisions_give_unchanged_rules_the_same_id_and_name(shared, tmp_path):
    """The one file takes the place of the other, as in a folder under version control.

    What a revision says twice of a field is told apart by its text, and is another rule.
    """
    before, after = (_revision(shared, tmp_path / name, name) for name in TWO_REVISIONS)
    same = before.keys() & after.keys()
    assert len(same) > 0.9 * len(before) > 1500
    assert {k: before[k] for k in same} == {k: after[k] for k in same}


def _revision(shared, folder, name):
    """What a rule says -> its id and name."""
    folder.mkdir()
    shutil.copy(shared / "corpus/spreadsheets" / name, folder / "layout.xlsx")
    carried = [entry for entry, _ in run(config_of(folder, "layout.xlsx", None)).carried]
    said = Counter((e.table, e.columns, e.kind) for e in carried)
    return {
        (e.table, e.columns, e.kind, e.condition): (e.id, e.name)
        for e in carried
        if said[e.table, e.columns, e.kind] == 1
    }


def measured(corpus, folder, *, profile=True):
    """The verdict on each file."""
    for file in FILES:
        found = converted(file, corpus, folder / file.name, profile=profile)
        yield judge(file, found)


def main(corpus, folder):
    """Prints what is wrong or missing, and precision and recall with profiles and without."""
    for profile in (True, False):
        verdicts = list(measured(Path(corpus), Path(folder) / str(profile), profile=profile))
        for verdict in verdicts if profile else ():
            for word in ("wrong", "missing", "not_gaps"):
                for told in getattr(verdict, word):
                    print(f"{verdict.file} {word}: {told}")  # noqa: T201
        told = "with their profiles" if profile else "without profiles"
        print(f"\n{told}\n{summary(verdicts)}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:3])
