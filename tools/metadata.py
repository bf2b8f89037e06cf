"Write what settings.ini says of the project into CITATION.cff and _address.yml."
import argparse
import json
import sys
from pathlib import Path

from settings import read_settings

ROOT = Path(__file__).resolve().parents[1]
LICENCES = {"apache2": "Apache-2.0", "mit": "MIT", "bsd3": "BSD-3-Clause"}


def write_citation(settings):
    "A citation in the Citation File Format 1.2.0, of quoted texts."
    told = {
        "title": settings["title"],
        "version": settings["version"],
        "license": LICENCES[settings["license"]],
        "abstract": settings["description"],
        "repository-code": settings["git_url"],
    }
    lines = ["cff-version: 1.2.0", "type: software",
             'message: "To cite this software, please use these data."',
             "authors:", f"  - name: {json.dumps(settings['author'])}"]
    lines += [f"{key}: {json.dumps(value)}" for key, value in told.items() if value]
    lines += ["keywords:", *(f"  - {json.dumps(word)}" for word in settings["keywords"].split())]
    return write_yaml(lines)


def write_address(settings):
    "Title of the site; its address and links to the sources only where there is one."
    told = {"title": settings["title"], "site-url": settings["doc_host"],
            "repo-url": settings["git_url"]}
    lines = ["website:", *(f"  {key}: {json.dumps(value)}" for key, value in told.items() if value)]
    if settings["git_url"]: lines.append("  repo-actions: [source, issue]")
    return write_yaml(lines)


def write_yaml(lines):
    head = "# Written by tools/metadata.py from settings.ini: run make prepare."
    return "\n".join([head, *lines]) + "\n"


WRITTEN = {"CITATION.cff": write_citation, "_address.yml": write_address}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail when a file is stale")
    check = parser.parse_args().check
    settings = read_settings()
    for name, write in WRITTEN.items():
        path, text = ROOT / name, write(settings)
        if not check: path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            sys.exit(f"{name} is stale: run `make prepare`")


if __name__ == "__main__": main()
