"""A pytest plugin: `def test_release(gate): gate("new.jsonl", baseline="old.jsonl", max_drop=.02)`.

pytest finds it once the package is installed. It imports the library when the fixture is first
called, so that other tests of the same environment do not pay for it.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING: from ..analyses.gate.result import Gate

__all__ = ["gate", "pytest_addoption", "pytest_configure", "pytest_terminal_summary"]

INCONCLUSIVE = "gate_inconclusive"
CHOICES = "fail", "skip", "pass"
HEADLINES = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    "Enter the option, and the same for a configuration file."
    what = "what an inconclusive gate does to its test: fail (the default), skip or pass"
    group = parser.getgroup("sampling_eval")
    group.addoption("--gate-inconclusive", dest=INCONCLUSIVE, choices=CHOICES, help=what)
    parser.addini(INCONCLUSIVE, what, default="fail")


def pytest_configure(config: pytest.Config) -> None:
    """Start the list of headlines that the summary prints.

    Raises: `pytest.UsageError` where the configuration file has none of the choices.
    """
    config.stash[HEADLINES] = []
    chosen = inconclusive_choice(config)
    if chosen not in CHOICES:
        raise pytest.UsageError(f"{INCONCLUSIVE} must be {', '.join(CHOICES[:-1])} or "
                                f"{CHOICES[-1]}, got {chosen!r}")


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    "Print the headline of every gate, whether its test passed or not."
    if not config.stash[HEADLINES]: return
    terminalreporter.section("gates")
    for line in config.stash[HEADLINES]: terminalreporter.line(line)


@pytest.fixture
def gate(request: pytest.FixtureRequest) -> Callable[..., Gate]:
    """`sampling_eval.gate` as an assertion: a gate that fails, fails the test with its report.

    Value: the result, where the test goes on. Errors of data and options are errors of the test.
    """
    def check(*data: Any, **options: Any) -> Gate:
        __tracebackhide__ = True
        from .. import gate as judge
        found = judge(*data, **options)
        headline = found.document()[0]
        request.config.stash[HEADLINES].append(f"{request.node.nodeid}: {headline.text}")
        settle(found, inconclusive_choice(request.config))
        return found
    return check


def inconclusive_choice(config: pytest.Config) -> str:
    "The choice of the command line, else of the configuration file."
    return config.getoption(INCONCLUSIVE) or config.getini(INCONCLUSIVE)


def settle(
    found: Gate,  # What the gate found
    inconclusive: str,  # Whether an inconclusive one is to `fail`, `skip` or `pass`
) -> None:
    "End the test where the gate does not let it pass."
    __tracebackhide__ = True
    if found.verdict == "pass": return
    if found.verdict == "fail" or inconclusive == "fail": pytest.fail(str(found), pytrace=False)
    if inconclusive == "skip": pytest.skip(f"gate {found.verdict}: {found.warnings[0]}")
