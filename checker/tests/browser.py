"""A real browser for the tests: Debian's chromium, headless, asked over two pipes by its own protocol
(--remote-debugging-pipe: JSON between NUL bytes). One start serves all pages; nothing is fetched for it.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile

from screen import PATIENCE

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe"]


class Browser:
    """with Browser() as page: page.open(path); page.run("document.title")"""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        its_in, self.to = os.pipe()
        self.out, its_out = os.pipe()

        def prepare():  # it reads from 3 and writes to 4
            ours = os.dup(its_in), os.dup(its_out)
            os.dup2(ours[0], 3)
            os.dup2(ours[1], 4)

        # pylint: disable=subprocess-popen-preexec-fn
        self.process = subprocess.Popen(
            [PROGRAM, *OPTIONS, f"--user-data-dir={self.profile.name}", "about:blank"],
            preexec_fn=prepare, pass_fds=(3, 4, its_in, its_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.profile.name})
        os.close(its_in)
        os.close(its_out)
        self.rest, self.count, self.session, self.events = b"", 0, None, []
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.out)
        self.profile.cleanup()

    def _message(self):
        while b"\0" not in self.rest:
            if not select.select([self.out], [], [], PATIENCE)[0]:
                raise TimeoutError(f"the browser has said nothing for {PATIENCE} seconds")
            more = os.read(self.out, 1 << 16)
            if not more:
                raise RuntimeError("the browser has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            answer = self._message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        """The parameters of the next event of that name since the page was opened."""
        seen = 0
        while True:
            for event in self.events[seen:]:
                if event.get("method") == method:
                    return event["params"]
            seen = len(self.events)
            self.events.append(self._message())

    def open(self, path):
        """Loads a file, all of it."""
        self.events = []
        if "loaderId" not in self.ask("Page.navigate", url=f"file://{path}"):  # it is there, at another #place
            self.ask("Page.reload")
        self.wait_for("Page.loadEventFired")

    def run(self, script):
        """The value of an expression; of a promise, what comes of it."""
        done = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise RuntimeError(f"{script}: {done['exceptionDetails']}")
        return done["result"].get("value")

    def window(self, width, height=900, dark=False, media=""):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                 mobile=False)
        self.ask("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def shifts(self):
        """How far what is shown has moved by itself since the page was opened, one number per move."""
        return self.run("""new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
            const seen = new PerformanceObserver(() => {});
            seen.observe({type: "layout-shift", buffered: true});
            done(seen.takeRecords().map(shift => shift.value));
        })))""")

    def complaints(self):
        """What stands in the console, and what was asked for that could not be had."""
        said = []
        for event in self.events:
            method, what = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                said.append(what["exceptionDetails"].get("exception", {}).get("description") or str(what))
            elif method == "Log.entryAdded" or (method == "Runtime.consoleAPICalled"
                                                and what["type"] in ("error", "warning")):
                said.append(str(what))
        return said

    def asked_for(self):
        """The addresses of everything that the page asked for."""
        return [event["params"]["request"]["url"] for event in self.events
                if event.get("method") == "Network.requestWillBeSent"]

    def mouse(self, kind, x, y):
        self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def picture(self, path, whole=True):
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
