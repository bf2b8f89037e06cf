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
    package_data={cfg["lib_path"]: ["py.typed", "examples/*"]},
    install_requires=words("requirements"),
    extras_require={"dev": words("dev_requirements"), "engines": words("engine_requirements")},
    entry_points={
        "console_scripts": lines("console_scripts"),
        "nbdev": [f"{cfg['lib_path']}={cfg['lib_path']}._modidx:d"],
    },
    zip_safe=False,
)
