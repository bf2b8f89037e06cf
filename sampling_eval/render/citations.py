"""What the methods rest on, as entries of a bibliography."""
from __future__ import annotations

import re
from dataclasses import dataclass

from .latex import escape_latex

__all__ = ["SOURCES", "cite", "cited_keys", "write_entries"]


@dataclass(frozen=True)
class Source:
    "One publication."
    who: str  # Authors and year as they stand in a sentence
    authors: str
    title: str  # Empty where it is not known for certain
    year: int
    where: str  # Journal, or the number of a preprint

    def entry(self, key: str) -> str:
        "The publication in BibTeX."
        preprint = self.where.startswith("arXiv:")
        fields = dict(author=self.authors, title=f"{{{self.title}}}", year=str(self.year))
        if not self.title: del fields["title"]
        fields |= dict(note=self.where) if preprint else dict(journal=self.where)
        lines = [f"  {name} = {{{value}}}" for name, value in fields.items()]
        return ",\n".join([f"@{'misc' if preprint else 'article'}{{{key}", *lines]) + "\n}"

SOURCES = {
    "chen2021": Source(
        "Chen et al., 2021", "Chen, Mark and others",
        "Evaluating Large Language Models Trained on Code", 2021, "arXiv:2107.03374"),
    "yao2024": Source(
        "Yao et al., 2024",
        "Yao, Shunyu and Shinn, Noah and Razavi, Pedram and Narasimhan, Karthik",
        "{$\\tau$}-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains", 2024,
        "arXiv:2406.12045"),
    "liu2024": Source(
        "Liu et al., 2024", "Liu, Junnan and others",
        "Are Your LLMs Capable of Stable Reasoning?", 2024, "arXiv:2412.13147"),
    "wang2022": Source(
        "Wang et al., 2022", "Wang, Xuezhi and others",
        "Self-Consistency Improves Chain of Thought Reasoning in Language Models", 2022,
        "arXiv:2203.11171"),
    "miller2024": Source(
        "Miller, 2024", "Miller, Evan",
        "Adding Error Bars to Evals: A Statistical Approach to Language Model Evaluations", 2024,
        "arXiv:2411.00640"),
    "gaffke2005": Source(
        "Gaffke, 2005", "Gaffke, Norbert",
        "Three test statistics for a nonparametric one-sided hypothesis on the mean of a "
        "nonnegative variable", 2005, "Mathematical Methods of Statistics"),
    "vlassis2026": Source(
        "Vlassis and Thomas, 2026, preprint", "Vlassis, N. and Thomas, P.", "", 2026,
        "arXiv:2607.08415"),
    "chan1999": Source(
        "Chan and Zhang, 1999", "Chan, Ivan S. F. and Zhang, Zhongxin",
        "Test-based exact confidence intervals for the difference of two binomial proportions",
        1999, "Biometrics"),
    "clopper1934": Source(
        "Clopper and Pearson, 1934", "Clopper, C. J. and Pearson, E. S.",
        "The use of confidence or fiducial limits illustrated in the case of the binomial", 1934,
        "Biometrika"),
    "fay1997": Source(
        "Fay and Feuer, 1997", "Fay, Michael P. and Feuer, Eric J.",
        "Confidence intervals for directly standardized rates: a method based on the gamma "
        "distribution", 1997, "Statistics in Medicine"),
    "mcnemar1947": Source(
        "McNemar, 1947", "McNemar, Quinn",
        "Note on the sampling error of the difference between correlated proportions or "
        "percentages", 1947, "Psychometrika"),
    "holm1979": Source(
        "Holm, 1979", "Holm, Sture", "A simple sequentially rejective multiple test procedure",
        1979, "Scandinavian Journal of Statistics"),
}

KEYS = "|".join(SOURCES)
TOKEN = re.compile(rf"@\{{((?:{KEYS})(?:, (?:{KEYS}))*)\}}")


def cite(
    text: str,  # Sentences with marks such as `@{chen2021}`
    latex: bool = False,  # Whether the result is LaTeX
) -> str:  # The same with authors and years, or with commands of LaTeX
    "Sentences whose sources are named."
    if not latex: return TOKEN.sub(lambda found: f"({name_sources(found[1])})", text)
    # Every second piece is the inside of a mark.
    pieces = TOKEN.split(text)
    pieces[::2] = map(escape_latex, pieces[::2])
    pieces[1::2] = [f"\\citep{{{keys}}}" for keys in pieces[1::2]]
    return "".join(pieces)


def name_sources(keys: str) -> str:
    return "; ".join(SOURCES[key.strip()].who for key in keys.split(","))


def cited_keys(text: str) -> list[str]:
    "The keys of the sources that sentences name, each once."
    return list(dict.fromkeys(key.strip() for keys in TOKEN.findall(text)
                              for key in keys.split(",")))


def write_entries(text: str) -> str:
    "The bibliography of some sentences, in BibTeX."
    return "\n\n".join(SOURCES[key].entry(key) for key in cited_keys(text))
