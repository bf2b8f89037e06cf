"""Show how fields and lines that verbs give differ from the stored ones, or store today's."""
import argparse
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))


def run(cases):
    "What each case gives now, by its name."
    from frozen_run import make_place, run_case
    with tempfile.TemporaryDirectory() as folder:
        place = make_place(Path(folder).resolve() / "place")
        return {case.name: run_case(case, place) for case in cases}


def main():
    from frozen_cases import CASES
    from frozen_record import (find_differences, read_records, round_numbers, write_records,
                               write_schema)
    from frozen_said import find_unsaid, read_said, write_said
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="store what these cases give")
    parser.add_argument("--whole", action="store_true", help="print all fields of these cases")
    parser.add_argument("names", nargs="*", default=[""],
                        help="parts of names of the cases; all if left out")
    options = parser.parse_args()
    stored, said = read_records(), read_said()
    found = run([case for case in CASES if any(name in case.name for name in options.names)])
    for name, told in found.items():
        if options.whole:
            print(name, json.dumps(told.fields, indent=1, ensure_ascii=False), *told.said, sep="\n")
            continue
        fields = round_numbers(told.fields)
        for one in find_differences(name, stored.get(name, {}), fields): print(one)
        for line in find_unsaid(said.get(name, []), told.said): print(f"{name}: {line}")
    if not options.write: return
    stored |= {name: told.fields for name, told in found.items()}
    said |= {name: told.said for name, told in found.items()}
    write_records({case.name: stored[case.name] for case in CASES})
    write_said({case.name: said[case.name] for case in CASES})
    write_schema()


if __name__ == "__main__": main()
