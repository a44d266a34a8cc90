"""What the programs that run CI jobs read in the output of a step, by their own rules."""

import re

_GITHUB = {"error", "warning", "notice", "debug", "group", "endgroup", "add-mask", "add-matcher",
           "set-output", "save-state", "set-env", "add-path", "stop-commands", "echo"}  # fmt: skip
_LOGISSUE = re.compile(r"##vso\[", re.IGNORECASE)


def github_commands(output: str) -> list[tuple[str, dict[str, str], str]]:
    """Each line that GitHub's runner takes for a command: its name, its properties, its data.

    `::name k=v,k=v::data` at a line's beginning, `##[name k=v;k=v]data` anywhere in a line.
    """
    found = [_github(line) or _github_of_old(line) for line in re.split("\r\n?|\n", output)]
    return [command for command in found if command]


def _github(line: str):
    line = line.lstrip()
    if not line.startswith("::"):
        return None
    head, colons, data = line[2:].partition("::")
    name, _, rest = head.partition(" ")
    if not colons or name.lower() not in _GITHUB:
        return None
    pairs = [pair.split("=", 1) for pair in rest.strip().split(",") if "=" in pair]
    return name, {k.strip(): _unescaped(v, _PROPERTY) for k, v in pairs}, _unescaped(data, _DATA)


def _github_of_old(line: str):
    _, found, rest = line.partition("##[")
    head, bracket, data = rest.partition("]")
    name = head.partition(" ")[0]
    return (name, {}, data) if found and bracket and name.lower() in _GITHUB else None


_DATA = (("%0D", "\r"), ("%0A", "\n"), ("%25", "%"))
_PROPERTY = (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))
_AZURE = (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%AZP25", "%"))


def azure_commands(output: str) -> list[tuple[str, dict[str, str], str]]:
    """`##vso[area.event k=v;k=v]data`, wherever it stands in a line."""
    found = []
    for line in re.split("\r\n?|\n", output):
        start = _LOGISSUE.search(line)
        head, bracket, data = line[start.end() :].partition("]") if start else ("", "", "")
        if bracket:
            name, _, rest = head.partition(" ")
            pairs = [pair.split("=", 1) for pair in rest.split(";") if "=" in pair]
            properties = {k.strip(): _unescaped(v, _AZURE) for k, v in pairs}
            found.append((name, properties, _unescaped(data, _AZURE)))
    return found


def _unescaped(text: str, codes) -> str:
    for code, token in codes:
        text = text.replace(code, token)
    return text
