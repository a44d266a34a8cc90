"""Which files patterns and folders name, with which [[source]]."""

import pytest

from ruleferry.converters.config import Config, Source
from ruleferry.converters.errors import InputFaults
from ruleferry.converters.source_files import source_files

FILES = ["suites/a.json", "suites/b.txt", "suites/deep/c.json", "suites/[x].json", "other/d.json"]


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    for name in FILES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("{}")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "e.json").write_text("{}")
    return root


def config(root, *sources: Source, cwd=None) -> Config:
    return Config(root, cwd or root, "ruleferry.toml", sources=sources)


def shown(found) -> list[str]:
    return [file.shown_as for file in found]


SUITES = ["suites/[x].json", "suites/a.json", "suites/b.txt", "suites/deep/c.json"]


@pytest.mark.parametrize(
    ("patterns", "files"),
    [
        (["suites"], SUITES),
        (["suites/"], SUITES),
        (["./suites"], SUITES),
        (["suites/**"], SUITES),
        (["**"], ["other/d.json", *SUITES]),
        (["."], ["other/d.json", *SUITES]),
        (["suites/*"], SUITES[:3]),  # a folder that a pattern meets is no file
        (["suites/*.json"], SUITES[:2]),
        (["suites/**/*.json"], [SUITES[0], SUITES[1], SUITES[3]]),
        (["*/a.json"], ["suites/a.json"]),
        (["s*/**"], SUITES),
        (["suites/a.json"], ["suites/a.json"]),
        (["suites/a.json", "suites/?.json"], ["suites/a.json"]),
        (["other", "suites/b.txt"], ["other/d.json", "suites/b.txt"]),
        (["../outside/**"], ["../outside/e.json"]),
    ],
)
def test_the_files_of_a_pattern(project, patterns, files):
    found = source_files(config(project, Source(path=tuple(patterns))))
    assert shown(found) == files
    assert all(file.path.is_file() for file in found)


@pytest.mark.parametrize("pattern", ["none", "none/**", "suites/*.xlsx", "suites/a.jso"])
def test_a_path_that_names_no_file_is_a_fault(project, pattern):
    with pytest.raises(InputFaults) as raised:
        source_files(config(project, Source(path=("suites", pattern)), Source(path=("no",))))
    assert [(f.place, f.found) for f in raised.value.faults] == [
        ("source 1.path", f'no file under "{pattern}"'),
        ("source 2.path", 'no file under "no"'),
    ]


def test_a_file_belongs_to_the_first_source_that_names_it(project):
    first, second = Source(path=("suites/a.json",), engine="pandas"), Source(path=("suites",))
    found = source_files(config(project, first, second))
    assert shown(found) == SUITES
    assert {file.shown_as for file in found if file.source == first} == {"suites/a.json"}


def test_given_files_replace_the_sources_and_keep_their_settings(project, tmp_path):
    source = Source(path=("suites/*.json", "none/*"), engine="pandas")
    found = source_files(
        config(project, source, cwd=tmp_path),
        ["project/suites/a.json", "outside", "project/suites/[x].json", "project/other"],
    )
    assert [(file.shown_as, file.source == source) for file in found] == [
        ("../outside/e.json", False),
        ("other/d.json", False),
        ("suites/[x].json", True),
        ("suites/a.json", True),
    ]


def test_the_order_of_arguments_does_not_matter(project):
    given = ["suites/a.json", "other", "suites"]
    assert source_files(config(project), given) == source_files(config(project), given[::-1])


def test_a_given_path_that_is_not_there_is_a_fault(project):
    with pytest.raises(InputFaults, match=r'command line, SOURCE: found no file under "suits"'):
        source_files(config(project), ["suits", "suites"])


@pytest.mark.parametrize("name", ["suites/link.json", "suites/folder"])
def test_a_link_that_leads_out_is_a_fault(project, name):
    target = project.parent / "outside"
    (project / name).symlink_to(target / "e.json" if name.endswith("json") else target)
    for sources, given in (([Source(path=("suites",))], []), ([], ["suites"])):
        with pytest.raises(InputFaults, match="which leads out of the folder"):
            source_files(config(project, *sources), given)


def test_a_linked_folder_of_the_project_that_leads_out_is_a_fault(project):
    (project / "linked").symlink_to(project.parent / "outside")
    for pattern in ("linked", "linked/*.json", "l*/**"):
        with pytest.raises(InputFaults, match="which leads out of the folder"):
            source_files(config(project, Source(path=(pattern,))))


def test_links_within_are_read_once_and_a_link_given_itself_is_meant(project):
    (project / "suites" / "again").symlink_to(project / "suites" / "deep")
    assert shown(source_files(config(project, Source(path=("suites",))))) == SUITES
    (project / "given.json").symlink_to(project.parent / "outside" / "e.json")
    assert shown(source_files(config(project), ["given.json"])) == ["given.json"]


def test_a_loop_of_links_ends(project):
    (project / "suites" / "loop").symlink_to(project / "suites")
    assert shown(source_files(config(project, Source(path=("suites/**",))))) == SUITES
