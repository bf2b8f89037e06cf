"Packaging shim: every value is read from settings.ini, the single source of project metadata."
from configparser import ConfigParser
from pathlib import Path
from setuptools import find_packages, setup

here = Path(__file__).parent
parser = ConfigParser(delimiters=["="])
parser.read(here / "settings.ini", encoding="utf-8")
cfg = parser["DEFAULT"]
SPDX = {"apache2": "Apache-2.0", "mit": "MIT", "bsd3": "BSD-3-Clause"}

def words(key): return cfg.get(key, "").split()
def lines(key): return [o.strip() for o in cfg.get(key, "").splitlines() if o.strip()]

def extras():
    "Requirements of each extra: those that the command can use are in `all`, and in `dev` too."
    found = {o.removesuffix("_requirements"): words(o) for o in cfg if o.endswith("_requirements")}
    used = [o for name in found if name not in ("dev", "engines") for o in found[name]]
    return {**found, "all": used, "dev": [*used, *found["dev"]]}

setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=(here / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=cfg["author"], author_email=cfg["author_email"],
    license_expression=SPDX[cfg["license"]],
    url=cfg["git_url"], keywords=words("keywords"),
    python_requires=f">={cfg['min_python']}",
    packages=find_packages(include=[cfg["lib_path"], cfg["lib_path"] + ".*"]),
    # With this line an editable install is a path that type checkers follow, not an import hook.
    package_dir={"": "."},
    package_data={cfg["lib_path"]: ["py.typed", "*.pyi", "examples/*"]},
    install_requires=words("requirements"),
    extras_require=extras(),
    entry_points={
        "console_scripts": lines("console_scripts"),
        # inspect_ai finds its metrics and reducers by their registered names.
        "inspect_ai": [f"{cfg['lib_path']}={cfg['lib_path']}.bridges.inspect_ai"],
        "nbdev": [f"{cfg['lib_path']}={cfg['lib_path']}.reporting.index:d"],
    },
    zip_safe=False,
)
