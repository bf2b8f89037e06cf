"Packaging shim: every value is read from settings.ini, the single source of project metadata."
import re
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

here = Path(__file__).parent
parser = ConfigParser(delimiters=["="])
parser.read(here / "settings.ini", encoding="utf-8")
cfg = parser["DEFAULT"]
SPDX = {"apache2": "Apache-2.0", "mit": "MIT", "bsd3": "BSD-3-Clause"}
STATUS = {"3": "3 - Alpha", "4": "4 - Beta", "5": "5 - Production/Stable"}
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|#)([^)\s]+)\)")


class BuildPy(build_py):
    "Leaves nbdev's index of the notebooks out, which only the site reads."

    def find_package_modules(self, package, package_dir):
        found = super().find_package_modules(package, package_dir)
        return [one for one in found if one[1] != "_modidx"]


def words(key): return cfg.get(key, "").split()
def lines(key): return [o.strip() for o in cfg.get(key, "").splitlines() if o.strip()]


def extras():
    "Requirements of each extra: those that the command can use are in `all`, and in `dev` too."
    found = {o.removesuffix("_requirements"): words(o) for o in cfg if o.endswith("_requirements")}
    used = [o for name in found if name not in ("dev", "lab", "engines") for o in found[name]]
    return {**found, "all": used, "dev": [*used, *found["lab"], *found["dev"]],
            "lab": [*used, *found["lab"]]}


def describe():
    "README for the package index: a relative link leads to the project's address, or is plain text."
    text = (here / "README.md").read_text(encoding="utf-8")
    target = rf"[\1]({cfg['git_url']}/blob/{cfg['branch']}/\2)"
    return LINK.sub(target if cfg["git_url"] else r"\1", text)


def links():
    "Links of the package index; none while the project has no address."
    home = cfg["git_url"]
    if not home: return {}
    return {"Source": home, "Issues": f"{home}/issues",
            "Changes": f"{home}/blob/{cfg['branch']}/CHANGELOG.md"}


def classifiers():
    return [
        f"Development Status :: {STATUS[cfg['status']]}",
        "Environment :: Console",
        "Framework :: Jupyter",
        "Intended Audience :: Developers",
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3 :: Only",
        *(f"Programming Language :: Python :: {version}" for version in words("pythons")),
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Scientific/Engineering :: Information Analysis",
        "Typing :: Typed",
    ]


setup(
    name=cfg["lib_name"],
    version=cfg["version"],
    description=cfg["description"],
    long_description=describe(),
    long_description_content_type="text/markdown",
    author=cfg["author"], author_email=cfg["author_email"] or None,
    license_expression=SPDX[cfg["license"]],
    license_files=["LICENSE", "sampling_eval/examples/*_LICENSE"],
    url=cfg["git_url"] or None, project_urls=links(), keywords=words("keywords"),
    classifiers=classifiers(),
    python_requires=f">={cfg['min_python']}",
    packages=find_packages(include=[cfg["lib_path"], cfg["lib_path"] + ".*"]),
    # With this line an editable install is a path that type checkers follow, not an import hook.
    package_dir={"": "."},
    package_data={
        cfg["lib_path"]: ["py.typed", "*.pyi"],
        f"{cfg['lib_path']}.browser": ["*.js", "*.html"],
        f"{cfg['lib_path']}.pages": ["explorers/*"],
        f"{cfg['lib_path']}.examples": ["*"],
        f"{cfg['lib_path']}.render": ["page.*"],
    },
    # Of what the bench measured of intervals lessons read a part; sources hold the rest. Licences
    # stand once, where a wheel has them.
    exclude_package_data={
        f"{cfg['lib_path']}.examples": ["coverage.csv", "worst_case.csv", "*_LICENSE"]},
    cmdclass=dict(build_py=BuildPy),
    install_requires=words("requirements"),
    extras_require=extras(),
    entry_points={
        "console_scripts": lines("console_scripts"),
        # inspect_ai finds its metrics and reducers by their registered names.
        "inspect_ai": [f"{cfg['lib_path']}={cfg['lib_path']}.bridges.inspect_ai"],
        # `def test_release(gate): gate(...)`
        "pytest11": [f"{cfg['lib_path']}={cfg['lib_path']}.bridges.pytest_plugin"],
    },
    zip_safe=False,
)
