"""The hook, the action and the pipeline that the README shows, run by what can run them here."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from ci_steps import AZURE_BASH, GITHUB_BASH, Job
from defusedxml import ElementTree
from openpyxl import load_workbook

import ruleferry

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
TELLS = "o_shippriority_range"


def snippet(name: str) -> str:
    """The block of the README that begins with the name of its file."""
    (found,) = re.findall(rf"```yaml\n(# {re.escape(name)}\n.*?)```", README, re.DOTALL)
    return found


def ruleferry_run(*arguments: str, cwd: Path) -> None:
    command = [sys.executable, "-m", "ruleferry", *arguments]
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)


@pytest.fixture(scope="module")
def converted(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("converted") / "orders"
    shutil.copytree(ROOT / "samples/orders", folder, ignore=shutil.ignore_patterns("expectations"))
    ruleferry_run("convert", "--quiet", cwd=folder)
    return folder


@pytest.fixture
def project(converted, tmp_path) -> Path:
    """The sample with its modules, as a repository holds them."""
    return shutil.copytree(converted, tmp_path / "orders")


def part(project: Path) -> None:
    """The steward raises the maximum of a field."""
    book = load_workbook(project / "dictionary.xlsx")
    book["Fields"]["I11"] = 99
    book.save(project / "dictionary.xlsx")


# What is on offer fits what reads it -----------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "schema", "more"),
    [
        (".github/workflows/drift.yml", "github-workflows", ()),
        ("azure-pipelines.yml", "azure-pipelines", ("--data-transform", "azure-pipelines")),
    ],
)
def test_the_snippets_fit_the_schemas_of_their_services(tmp_path, name, schema, more):
    (tmp_path / "snippet.yml").write_text(snippet(name), encoding="utf-8")
    assert fits(tmp_path / "snippet.yml", schema, *more) == ""


def test_the_action_fits_its_schema():
    assert fits(ROOT / "action.yml", "github-actions") == ""


def fits(file: Path, schema: str, *more: str) -> str:
    """What is wrong with a file; check-jsonschema brings the schemas, no network is asked."""
    command = ["-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", *more, str(file)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True)
    return done.stdout if done.returncode else ""


def test_a_file_that_does_not_fit_is_seen(tmp_path):
    broken = snippet("azure-pipelines.yml").replace("script:", "skript:")
    (tmp_path / "snippet.yml").write_text(broken, encoding="utf-8")
    found = fits(tmp_path / "snippet.yml", "azure-pipelines", "--data-transform", "azure-pipelines")
    assert "skript" in found


def test_actions_are_pinned_by_their_major_version_and_ours_by_this_one():
    used = re.findall(r"uses: (\S+)", (ROOT / "action.yml").read_text("utf-8") + README)
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w/-]+@v\d+", name) for name in used)
    major = ruleferry.__version__.partition(".")[0]
    assert f"OWNER/ruleferry@v{major}" in used
    assert f"rev: v{ruleferry.__version__}\n" in snippet(".pre-commit-config.yaml")
    assert f"ruleferry=={ruleferry.__version__}\n" in snippet("azure-pipelines.yml")


def test_the_workflow_asks_for_no_more_than_it_needs():
    workflow = yaml.safe_load(snippet(".github/workflows/drift.yml"))
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"contents": "read", "security-events": "write"}


def test_no_input_of_the_action_is_pasted_into_a_script():
    assert [s for s in ACTION["runs"]["steps"] if "${{" in s.get("run", "")] == []


# GitHub ----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def checkout(tmp_path_factory) -> Path:
    """A repository with what stands in this one."""
    folder = tmp_path_factory.mktemp("checkout") / "ruleferry"
    left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info", "tests")
    shutil.copytree(ROOT, folder, ignore=left_out)
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", folder)
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "all")
    return folder


def git(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    person = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "Ann Smith"), ("EMAIL", "ann@example.org"))
    }
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **settings, **person, **env},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 or arguments[0] == "commit", done.stderr
    return done


# Without a network: pip takes what is installed here for what it would fetch.
OFFLINE = {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0"}


class Actions(Job):
    """What GitHub does with the action: its steps in turn, each with the outputs before it."""

    def install(self, checkout: Path) -> "Actions":
        self.values["steps.python.outputs.python-path"] = sys.executable
        self.env["RUNNER_TEMP"] = str(self.temp)
        self.env["GITHUB_OUTPUT"] = str(self.temp / "GITHUB_OUTPUT")
        self.env["GITHUB_STEP_SUMMARY"] = str(self.temp / "GITHUB_STEP_SUMMARY")
        self.env |= {"GITHUB_ACTION_PATH": str(checkout), **OFFLINE}
        self._step(self._scripts()[0])
        return self

    def compare(self, **inputs: str) -> str:
        """Run the steps after it; what was printed."""
        for name, given in ACTION["inputs"].items():
            self.values[f"inputs.{name}"] = inputs.get(name.replace("-", "_"), given["default"])
        return "".join(map(self._step, self._scripts()[1:]))

    def _scripts(self) -> list[dict]:
        return [step for step in ACTION["runs"]["steps"] if "run" in step]

    def _step(self, step: dict) -> str:
        condition = step.get("if", "success()")
        assert condition in {"success()", "${{ !cancelled() }}"}
        if self.failed and condition == "success()":
            return ""
        done = self.run(step["run"], step.get("env", {}))
        self._outputs(step.get("id", ""))
        return done.stdout + done.stderr

    def _outputs(self, step: str) -> None:
        written = self.temp / "GITHUB_OUTPUT"
        for line in written.read_text().splitlines() if written.exists() else ():
            name, _, value = line.partition("=")
            self.values[f"steps.{step}.outputs.{name}"] = value
        written.unlink(missing_ok=True)


@pytest.fixture(scope="module")
def installed(tmp_path_factory, checkout) -> Actions:
    """After the step that installs, which needs some seconds."""
    job = Actions(checkout, tmp_path_factory.mktemp("temp"), GITHUB_BASH).install(checkout)
    assert not job.failed
    return job


@pytest.fixture
def actions(project, installed) -> Actions:
    values, env = dict(installed.values), dict(installed.env)
    for kept in ("drift.md", "drift.sarif"):
        Path(values["steps.place.outputs.folder"], kept).unlink(missing_ok=True)
    Path(env["GITHUB_STEP_SUMMARY"]).unlink(missing_ok=True)
    return Actions(project, installed.temp, GITHUB_BASH, values, env)


def summary(job: Actions) -> str:
    return (job.temp / "GITHUB_STEP_SUMMARY").read_text("utf-8")


def sarif(job: Actions) -> dict:
    return json.loads(Path(job.text(ACTION["outputs"]["sarif"]["value"])).read_text("utf-8"))


def test_the_action_passes_where_all_agree(actions):
    told = actions.compare()
    assert not actions.failed, told
    assert "::error" not in told
    assert sarif(actions)["runs"][0]["results"] == []
    assert "could not" not in summary(actions)


def test_the_action_fails_and_marks_the_place_where_they_part(actions):
    part(actions.folder)
    told = actions.compare()
    assert actions.failed
    assert re.search(rf"^::error file=\S*orders_expectations.py,.*{TELLS}", told, re.MULTILINE)
    assert TELLS in summary(actions)
    assert TELLS in json.dumps(sarif(actions))


def test_the_action_takes_a_level_and_a_configuration(actions):
    part(actions.folder)
    moved = actions.folder / "rules"
    moved.mkdir()
    for entry in [*actions.folder.iterdir()]:
        if entry != moved:
            entry.rename(moved / entry.name)
    told = actions.compare(config="rules/ruleferry.toml", fail_on="removed")
    assert not actions.failed, told
    assert "file=rules/expectations/orders_expectations.py," in told


def test_the_action_says_so_where_it_can_not_compare(actions):
    (actions.folder / "dictionary.xlsx").write_bytes(b"")
    told = actions.compare()
    assert actions.failed
    assert "dictionary.xlsx" in told
    assert summary(actions).startswith("**ruleferry drift could not compare.**")


def test_the_action_imports_no_python_of_the_repository(actions):
    (actions.folder / "typer.py").write_text("raise SystemExit('imported')")
    told = actions.compare()
    assert not actions.failed, told


# Azure Pipelines -------------------------------------------------------------------------------


@pytest.fixture
def azure(project, tmp_path) -> Job:
    (tmp_path / "temp").mkdir()
    job = Job(project, tmp_path / "temp", AZURE_BASH)
    job.values["Agent.TempDirectory"] = str(job.temp)
    return job


def pipeline(job: Job) -> str:
    steps = yaml.safe_load(snippet("azure-pipelines.yml"))["steps"]
    told = ""
    for step in steps:
        if "script" in step and not job.failed:
            done = job.run(step["script"])
            told += done.stdout + done.stderr
    return told


def published(job: Job) -> Path:
    """The file that the last step would publish."""
    steps = yaml.safe_load(snippet("azure-pipelines.yml"))["steps"]
    (inputs,) = (s["inputs"] for s in steps if s.get("task", "").startswith("PublishTestResults"))
    return Path(job.text(inputs["searchFolder"])) / inputs["testResultsFiles"]


def test_the_pipeline_passes_where_all_agree(azure):
    told = pipeline(azure)
    assert not azure.failed, told
    assert "##vso" not in told
    assert ElementTree.parse(published(azure)).getroot().get("failures") == "0"


def test_the_pipeline_fails_where_they_part(azure):
    part(azure.folder)
    told = pipeline(azure)
    assert azure.failed
    assert re.search(rf"^##vso\[task.logissue type=error;.*{TELLS}", told, re.MULTILINE)
    assert TELLS in published(azure).read_text("utf-8")
    assert ElementTree.parse(published(azure)).getroot().get("failures") == "1"


def test_the_pipeline_publishes_nothing_where_it_can_not_compare(azure):
    (azure.folder / "dictionary.xlsx").write_bytes(b"")
    assert "dictionary.xlsx" in pipeline(azure)
    assert azure.failed
    assert not published(azure).exists()


# pre-commit ------------------------------------------------------------------------------------


class Repository:
    """A repository with the sample, whose commits the hook looks at."""

    def __init__(self, folder: Path, checkout: Path, home: Path, env: dict[str, str]) -> None:
        self.folder = folder
        self.env = {"PRE_COMMIT_HOME": str(home), **env}
        config = snippet(".pre-commit-config.yaml")
        revision = git(checkout, "rev-parse", "HEAD").stdout.strip()
        config = re.sub(r"repo: .*", f"repo: {checkout}", config)
        config = re.sub(r"rev: .*", f"rev: {revision}", config)
        (folder / ".pre-commit-config.yaml").write_text(config, encoding="utf-8")
        git(folder, "init", "--quiet")
        command = [sys.executable, "-m", "pre_commit", "install"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)

    def commit(self, *options: str) -> tuple[bool, str]:
        """Whether the commit was made, and what was said."""
        git(self.folder, "add", "--all")
        done = git(self.folder, "commit", "--message", "x", *options, **self.env)
        return done.returncode == 0, done.stdout + done.stderr


def site_packages() -> dict[str, str]:
    """Lets the hook's own environment see what is installed here, instead of the network."""
    found = [path for path in sys.path if path.endswith("site-packages")]
    return {"PYTHONPATH": os.pathsep.join(found), **OFFLINE}


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    """Where pre-commit keeps the environments of hooks: made once."""
    return tmp_path_factory.mktemp("pre-commit")


@pytest.fixture
def repository(project, checkout, home) -> Repository:
    return Repository(project, checkout, home, site_packages())


def test_the_hook_stops_a_commit_after_which_they_part(repository):
    made, told = repository.commit()
    assert made, told
    assert re.search(r"^rules and their sources agree\.+Passed$", told, re.MULTILINE)
    part(repository.folder)
    made, told = repository.commit()
    assert not made
    assert re.search(r"^rules and their sources agree\.+Failed$", told, re.MULTILINE)
    assert TELLS in told
    ruleferry_run("convert", "--quiet", cwd=repository.folder)
    made, told = repository.commit()
    assert made, told


@pytest.mark.parametrize("file", ["dictionary.xlsx", "expectations/orders_expectations.py"])
def test_the_hook_runs_where_a_file_is_only_deleted(repository, file):
    assert repository.commit("--no-verify")[0]
    (repository.folder / file).unlink()
    made, told = repository.commit()
    assert not made, told


@pytest.mark.more
def test_the_hook_installs_with_all_that_it_needs(project, checkout, tmp_path):
    repository = Repository(project, checkout, tmp_path / "home", {})
    made, told = repository.commit()
    assert made, told
    part(project)
    made, told = repository.commit()
    assert not made
    assert TELLS in told
