"""What the name of a column says of its values: a sample number, a property, a right answer.

The names of parts stand in `columns`. A property can take a column out of what may be a question
or a setting; no name puts one in whose values do not lie so.
"""
from __future__ import annotations

from .columns import COLUMNS, list_words, simplify

__all__ = ["TEXTS", "HARMLESS", "GOLD_NAMES", "EXPECTED", "KINDS", "KIND_NAMES", "is_known",
           "is_property", "is_target", "names_id", "names_row", "names_sample", "names_setting",
           "has_word", "ROWS"]

KIND_NAMES = dict(
    task="dataset dataset_name data_set dataset_id benchmark benchmark_name bench task task_name "
         "subset subset_name split language lang locale subject domain",
    system="model model_name model_id system llm llm_name engine engine_name agent agent_name "
           "provider provider_id checkpoint checkpoint_id ckpt step global_step temperature "
           "prompt_template",
    grade="metric metric_name scorer scorer_name filter filter_name grader")
KINDS = {name: kind for kind, names in KIND_NAMES.items() for name in names.split()}
TEXTS = ("prompt problem question question_text query input instruction prompt_text "
         "problem_text problem_statement").split()
# What repeats by the nature of the machine, of the clock or of the answer.
HARMLESS = set("rank worker gpu device shard host node batch thread process partition time date "
               "timestamp created_at completion response output text raw tokens latency duration "
               "finish_reason stop_reason exit_reason error status difficulty category "
               "level note notes comment comments".split())
GOLD_NAMES = set("target targets gold golden gold_answer reference reference_answer expected "
              "expected_answer ground_truth ground_truth_answer correct_answer right_answer "
              "answer_key gt gts ideal".split())
EXPECTED = GOLD_NAMES | {"label", "solution"}  # Of what samples say, where it is judged
SAMPLES = set("attempt trial epoch seed rep repeat repetition replicate replica try run rollout "
              "sample iteration iter draw generation completion".split())
NUMBERS = set("id no num number nr idx index".split())
PROPERTIES = set("latency duration dur elapsed seconds secs ms runtime timestamp created finished "
                 "started finish stop exit error errors exception traceback stderr stdout cost "
                 "costs price usd tokens hostname gpu reason failures retries misses duplicates "
                 "turns".split())
SETTINGS = set("max min budget limit effort mode setting thinking reasoning shots config".split())
DESIGNS = SETTINGS | set("version variant prompt template temperature temp shot size quant arm "
                         "condition strategy policy depth beam width context persona".split())
OUTCOMES = set("ok correct right pass passed success solved resolved valid acc accuracy score "
               "reward grade verdict".split())
ROWS = set("row record line entry uuid uid guid hash trace session request response call index "
           "message conversation episode job eval log event span run".split())
IDS = set("id ids uid uuid guid idx index key".split())
KNOWN = {name for part, names in COLUMNS.items() if part != "model" for name in names}
KNOWN |= HARMLESS | KINDS.keys() | set(TEXTS)


def has_word(column: object, words: set[str]) -> bool:
    "Whether one of the words in the name of a column is known."
    return not words.isdisjoint(list_words(column))


def names_sample(column: object) -> bool:
    "Whether a column is called as a number of samples: seed, runId, attempt_no."
    if simplify(column) in COLUMNS["sample"]: return True
    words = set(list_words(column))
    return not words.isdisjoint(SAMPLES) and words <= SAMPLES | NUMBERS


def is_property(column: object) -> bool:
    "Whether a column is called as what happened to a sample, such as how long it took."
    if simplify(column) in HARMLESS: return True
    return has_word(column, PROPERTIES) and not has_word(column, SETTINGS)


def names_setting(column: object) -> bool:
    "Whether a column is called as a setting, so that its numbers are none of samples."
    return has_word(column, DESIGNS)


def is_target(column: object) -> bool:
    "Whether a column is called as the right answer of a question."
    return simplify(column) in GOLD_NAMES


def is_known(column: object) -> bool:
    "Whether the name of a column says that it is no setting."
    return (simplify(column) in KNOWN or is_property(column) or names_sample(column)
            or simplify(column) in EXPECTED or has_word(column, OUTCOMES))


def names_row(column: object) -> bool:
    "Whether an id may be that of a row: `uuid` and `request_id`, but not `image_id`."
    return set(list_words(column)) <= ROWS | IDS


def names_id(column: object) -> bool:
    "Whether a column is called as an id."
    words = list_words(column)
    return bool(words) and words[-1] in IDS and not has_word(column, SAMPLES)
