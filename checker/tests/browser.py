"""A real browser for the tests: Debian's chromium, headless, asked over two pipes by its own protocol
(--remote-debugging-pipe: JSON between NUL bytes). One start serves all pages; nothing is fetched for it.
"""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from screen import PATIENCE

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
           "--disable-background-networking", "--disable-component-update", "--disable-sync",
           "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe"]


class Browser:
    """with Browser() as page: page.open(path); page.run("document.title")"""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        its_in, self.its_in = os.pipe()
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
        self.attach(next(target["targetId"] for target in targets if target["type"] == "page"))
        return self

    def attach(self, target):
        """From now on that tab is spoken to."""
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    @contextlib.contextmanager
    def tab(self):
        """Another tab, which is spoken to until to() goes back; it yields both."""
        first, self.session = self.session, None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.attach(target)
        try:
            yield first, self.session
        finally:
            self.session = None
            self.ask("Target.closeTarget", targetId=target)
            self.to(first)

    @contextlib.contextmanager
    def private_window(self):
        """A window that is spoken to until it is closed, and what it kept with it."""
        first, self.session = self.session, None
        context = self.ask("Target.createBrowserContext")["browserContextId"]
        try:
            self.attach(self.ask("Target.createTarget", url="about:blank", browserContextId=context)["targetId"])
            yield
        finally:
            self.session = None
            self.ask("Target.disposeBrowserContext", browserContextId=context)
            self.to(first)

    def to(self, session):
        self.session = session
        self.ask("Page.bringToFront")

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        os.close(self.its_in)
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
            data = data[os.write(self.its_in, data):]
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
        """Loads a file, or an address, all of it."""
        self.events = []
        url = str(path) if str(path).startswith(("http:", "about:", "data:")) else f"file://{path}"
        if "loaderId" not in self.ask("Page.navigate", url=url):  # it is there, at another #place
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
        self.chord(name, 0)

    def chord(self, name, modifiers, commands=()):
        """modifiers: 1 Alt, 2 Control, 8 Shift. commands: what a real keyboard's chord does in a text."""
        number = {"Tab": 9, "Enter": 13, "Escape": 27}.get(name, ord(name.upper()) if len(name) == 1 else 0)
        text = "\r" if name == "Enter" else name if len(name) == 1 else ""
        typed = {"text": text} if text and not modifiers else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, modifiers=modifiers,
                 windowsVirtualKeyCode=number, commands=list(commands), **typed)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, modifiers=modifiers,
                 windowsVirtualKeyCode=number)

    def insert(self, text):
        """As if it were typed or pasted, where the cursor is."""
        self.ask("Input.insertText", text=text)

    def until(self, expression):
        """Waits until it is true."""
        self.run(f"new Promise(done => {{ const look = () => ({expression}) ? done() : setTimeout(look, 10); look(); "
                 "})")

    def until_there(self, path):
        """Waits for a file that is being downloaded."""
        for _ in range(PATIENCE * 20):
            if path.exists():
                return
            time.sleep(0.05)
        raise TimeoutError(f"{path.name} was not downloaded in {PATIENCE} seconds")

    def frame(self):
        """Waits until what was asked for is drawn."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def promise(self, kept):
        """Whether it promises to keep what pages keep, when they ask."""
        self.ask("Browser.setPermission", permission={"name": "persistent-storage"},
                 setting="granted" if kept else "denied")

    def forget(self):
        """All that pages from the disk have kept."""
        self.open("about:blank" if self.run("location.href") != "about:blank" else "data:text/html,")
        self.ask("Storage.clearDataForOrigin", origin="file:///", storageTypes="all")

    def picture(self, path, whole=True):
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
