"""Floor of `--help` and `--version`: a Typer app with two empty commands."""

import typer

app = typer.Typer()


@app.command()
def first() -> None:
    """Does nothing."""


@app.command()
def second() -> None:
    """Does nothing."""


app()
