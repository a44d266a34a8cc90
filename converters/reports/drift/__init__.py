"""A drift report for people, for pull requests and for the programs that run checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never, get_args

from ruleferry.converters.drifted import Drift, Level

if TYPE_CHECKING:
    from ruleferry.converters.reports.terminal import Line

Format: TypeAlias = Literal["text", "markdown", "json", "junit", "sarif", "github", "azure"]
FORMATS: tuple[Format, ...] = get_args(Format)


def drift_lines(drift: Drift, *, fail_on: Level, width: int | None = None) -> tuple[Line, ...]:
    """What a terminal shows, in `width` columns; None: in a hundred."""
    from ruleferry.converters.reports.drift.lines import lines

    return lines(drift, fail_on, width)


# Each format is imported where it is wanted.
def report_text(drift: Drift, form: Format, *, fail_on: Level) -> str:
    """The report in one of the formats; it ends in a line feed."""
    match form:
        case "text":
            return "".join(f"{text}\n" for text, _ in drift_lines(drift, fail_on=fail_on))
        case "markdown":
            from ruleferry.converters.reports.drift.comment import comment

            return comment(drift, fail_on)
        case "json":
            from ruleferry.converters.reports.drift.as_json import drift_json

            return drift_json(drift, fail_on)
        case "junit":
            from ruleferry.converters.reports.drift.junit import junit

            return junit(drift, fail_on)
        case "sarif":
            from ruleferry.converters.reports.drift.sarif import sarif

            return sarif(drift, fail_on)
        case "github":
            from ruleferry.converters.reports.drift.github import github

            return github(drift, fail_on)
        case "azure":
            from ruleferry.converters.reports.drift.azure import azure

            return azure(drift, fail_on)
        case _:
            assert_never(form)
