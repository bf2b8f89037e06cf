"""Record what commit 10dfc6e does, or show how a frozen case differs now.

The records in tests/frozen/ are of that commit and of no other. To record a case that was added
later, check the commit out beside this one and let it be imported:

    git worktree add ../at_10dfc6e 10dfc6e
    PYTHONPATH=../at_10dfc6e python tools/freeze.py --write
"""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
FROZEN = "10dfc6e"


def ask_git(home, *words):
    asked = subprocess.run(["git", "-C", home, *words], capture_output=True, text=True)
    return asked.stdout.strip()


def check_commit():
    "Refuse to record any other state of the package than the frozen one."
    import sampling_eval
    home = Path(sampling_eval.__file__).parents[1]
    commit = ask_git(home, "rev-parse", "HEAD")
    changed = ask_git(home, "status", "--porcelain", "sampling_eval")
    if not commit.startswith(FROZEN) or changed:
        sys.exit(f"only commit {FROZEN} is recorded, got {commit[:7] or 'no commit'} at {home}"
                 + " with changes" * bool(changed))


def write(place):
    from frozen_cases import CASES, write_kept
    from frozen_record import write_records
    from frozen_run import KEPT, make_place, run_case
    check_commit()
    if not KEPT.is_dir():
        KEPT.mkdir(parents=True)
        write_kept(KEPT)
    make_place(place)
    write_records({case.name: run_case(case, place) for case in CASES})
    print(f"recorded {len(CASES)} cases of commit {FROZEN}")


def show(place, names, whole):
    from frozen_cases import CASES
    from frozen_record import find_differences, read_records, round_numbers
    from frozen_run import make_place, run_case
    make_place(place)
    records = read_records()
    for case in CASES:
        if not any(name in case.name for name in names): continue
        told = round_numbers(run_case(case, place))
        if whole: print(case.name, json.dumps(told, indent=1, ensure_ascii=False), sep="\n")
        for difference in find_differences(case.name, records.get(case.name, {}), told):
            if not whole: print(difference)


def main():
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--write", action="store_true", help="record all cases")
    parser.add_argument("--whole", action="store_true", help="print all fields of the cases")
    parser.add_argument("names", nargs="*", help="parts of names of the cases to show")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder).resolve() / "place"
        if options.write: write(place)
        else: show(place, options.names, options.whole)


if __name__ == "__main__": main()
