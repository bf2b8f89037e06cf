"A real browser: chromium without a window, driven by its own protocol."

import json
import shutil
import subprocess
import time
from contextlib import closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

import pytest

FOUND = shutil.which("chromium") or shutil.which("google-chrome")
with_chromium = pytest.mark.skipif(
    not FOUND or not find_spec("websocket"), reason="no chromium here"
)
WAIT = 60  # Seconds until a page has failed


@contextmanager
def open_page(path, folder):  # A file to show  # Where chromium keeps its own files
    """A page on which expressions can be evaluated.

    Value: `ask(expression)`, once it has a value, and `requests`, the addresses
    that the page asked for.
    """
    from websocket import create_connection

    words = [
        FOUND,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--remote-debugging-port=0",
        "--remote-allow-origins=*",
        f"--user-data-dir={folder / 'chromium'}",
        "about:blank",
    ]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        port = wait(lambda: read_port(folder / "chromium" / "DevToolsActivePort"))
        tabs = json.loads(urlopen(f"http://127.0.0.1:{port}/json").read())
        address = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
        page = Page(create_connection(address, timeout=WAIT))
        with closing(page.socket):
            for name in "Network", "Runtime":
                page.send(f"{name}.enable")
            page.send("Page.navigate", url=path.as_uri())
            page.ask("document.readyState === 'complete' && location.protocol === 'file:'")
            yield page
    finally:
        process.terminate()
        process.wait(WAIT)


class Refused(Exception):
    "The browser does not answer a message, such as one about a page that has just gone."


class Page:
    "A tab of the browser."

    def __init__(self, socket):
        self.socket, self.number, self.requests = socket, 0, []

    def send(self, method, **params):
        self.number += 1
        self.socket.send(json.dumps(dict(id=self.number, method=method, params=params)))
        while True:
            told = json.loads(self.socket.recv())
            if told.get("method") == "Network.requestWillBeSent":
                self.requests.append(told["params"]["request"]["url"])
            if told.get("id") == self.number:
                if "error" in told:
                    raise Refused(told["error"]["message"])
                return told["result"]

    def run(self, expression):
        told = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def ask(self, expression):
        return wait(lambda: self.try_once(expression))

    def try_once(self, expression):
        "None while the page is being loaded anew: its old document cannot answer."
        try:
            return self.run(expression)
        except Refused:
            return None


def read_port(path):
    return path.exists() and Path(path).read_text().split("\n")[0]


def wait(ask):
    "The first value of a question that is none of nothing."
    end = time.monotonic() + WAIT
    while not (found := ask()):
        assert time.monotonic() < end, "the browser does not answer"
        time.sleep(0.05)
    return found
