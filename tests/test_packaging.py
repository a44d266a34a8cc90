"""The root is the package: what is listed by hand agrees with the disk and with the wheel."""

import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path, PurePosixPath

import pytest

import ruleferry

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def python_folders() -> set[str]:
    """Folders that hold Python, as packages; hidden folders, tests and build output are no part."""
    files = [file for room in ("converters", "mappings") for file in (ROOT / room).rglob("*.py")]
    folders = {file.parent.relative_to(ROOT) for file in files}
    return {"ruleferry", *(".".join(("ruleferry", *folder.parts)) for folder in folders)}


def test_each_folder_with_python_is_a_listed_package():
    packages = PROJECT["tool"]["setuptools"]["packages"]
    assert packages == sorted(packages)
    assert set(packages) == python_folders()


def test_each_package_has_an_init_file():
    folders = [ROOT.joinpath(*name.split(".")[1:]) for name in python_folders()]
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_nothing_else_at_the_root_would_be_shipped():
    assert {file.name for file in ROOT.glob("*.py")} == {"__init__.py", "__main__.py", "cli.py"}


def test_no_init_file_makes_a_package_of_the_tests():
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_the_version_is_the_same_in_both_places():
    assert ruleferry.__version__ == PROJECT["project"]["version"]


def test_type_checkers_find_the_code_through_links():
    links = ROOT / ".typing" / "ruleferry"
    found = {link.name: link.resolve() for link in links.iterdir() if link.name != "__pycache__"}
    assert found == {
        name: ROOT / name for name in ("__init__.py", "cli.py", "converters", "py.typed")
    }


def backend(hook: str, folder: Path, out: Path) -> Path:
    """Builds with the project's own build backend, in a folder of its own. Returns the file."""
    code = f"from setuptools import build_meta as b; print('\\n' + b.{hook}({str(out)!r}))"
    command = [sys.executable, "-c", code]
    built = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return out / built.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> list[PurePosixPath]:
    """The names in a wheel that was built from the source distribution, as a release is."""
    out = tmp_path_factory.mktemp("dist")
    checkout = out / "checkout"
    left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")
    shutil.copytree(ROOT, checkout, ignore=left_out)
    with tarfile.open(backend("build_sdist", checkout, out)) as archive:
        archive.extractall(out, filter="data")
        (source,) = {PurePosixPath(name).parts[0] for name in archive.getnames()}
    with zipfile.ZipFile(backend("build_wheel", out / source, out)) as archive:
        return [PurePosixPath(name) for name in archive.namelist()]


def test_a_wheel_installs_one_name(wheel):
    tops = {path.parts[0] for path in wheel}
    assert tops == {"ruleferry", f"ruleferry-{ruleferry.__version__}.dist-info"}
    assert {path.name for path in wheel} >= {"LICENSE", "py.typed", "cli.py", "entry_points.txt"}


@pytest.mark.parametrize("room", ["converters", "mappings"])
def test_a_wheel_holds_all_code_and_all_mappings(wheel, room):
    files = [file for file in (ROOT / room).rglob("*.*") if file.suffix != ".pyc"]
    on_disk = {file.relative_to(ROOT).as_posix() for file in files}
    assert {"/".join(path.parts[1:]) for path in wheel if path.parts[1] == room} == on_disk


def test_a_wheel_holds_no_tests_and_no_samples(wheel):
    assert [path for path in wheel if path.parts[1] in {"tests", "samples", "build"}] == []
