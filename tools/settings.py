"What settings.ini says of the project."
import configparser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def read_settings():
    "All values by name, as texts."
    parser = configparser.ConfigParser(delimiters=["="])
    parser.read(ROOT / "settings.ini", encoding="utf-8")
    return parser["DEFAULT"]
