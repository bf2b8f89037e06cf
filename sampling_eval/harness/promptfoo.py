"""promptfoo: one document with a result per test, prompt and repetition."""
from __future__ import annotations

import json
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from .ask import Ask
from .log import Log
from .records import Row, Rows, has_keys, number_samples

__all__ = ["recognise", "rows"]

BROKEN = 2 # The `failureReason` of a result that failed before it could be judged


def recognise(head: Any) -> bool:
    "Whether results and their statistics stand inside `results`."
    return has_keys(head, "results") and has_keys(head["results"], "results", "stats")


def rows(log: Log, ask: Ask) -> Rows:
    "One row per result."
    results = sorted(log.head["results"]["results"], key=itemgetter("testIdx", "promptIdx"))
    took = "question=first testIdx with these variables and assertions, sample=repetition"
    models = _name_models(results)
    return f"{took}, correct=success, answer=response.output", _read_results(results, models)


def _name_models(results: list[Any]) -> dict[Any, str]:
    "The model of each prompt; with the prompt's number if a model has several."
    providers = {result["promptIdx"]: _name_provider(result["provider"]) for result in results}
    if len(set(providers.values())) == len(providers): return providers
    return {prompt: name + f" with prompt {prompt}" for prompt, name in providers.items()}


def _name_provider(provider: Any) -> str:
    if isinstance(provider, str): return provider
    name: str = provider.get("label") or provider["id"]
    return name


def _read_results(results: list[Any], models: dict[Any, str]) -> Iterator[Row]:
    # A repeated test has a new number at each repetition; what it asks and checks stays.
    first: dict[str, Any] = {}
    named = [(first.setdefault(_tell_test(o), o["testIdx"]), o) for o in results]
    for place, (question, result) in number_samples(named, _tell_cell):
        yield dict(question=question, sample=place, model=models[result["promptIdx"]],
                   correct=result["success"], score=result["score"],
                   answer=(result.get("response") or {}).get("output"),
                   lost=result.get("failureReason") == BROKEN)


def _tell_cell(named: tuple[Any, dict[str, Any]]) -> tuple[Any, Any]:
    "Question and prompt, within which repetitions are counted."
    question, result = named
    return question, result["promptIdx"]


def _tell_test(result: dict[str, Any]) -> str:
    assertions = (result.get("testCase") or {}).get("assert")
    return json.dumps([result.get("vars"), assertions], sort_keys=True)
