"""The sample: one for all trials that leave it as it was, and one for each that does not."""

import pytest
from trial import sample


@pytest.fixture(scope="package")
def orders(tmp_path_factory):
    return sample(tmp_path_factory.mktemp("sample") / "one")


@pytest.fixture
def own(tmp_path):
    """One that may be changed for good."""
    return sample(tmp_path / "one")
