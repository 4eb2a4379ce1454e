/* What is asked of the checker, and the answers: the verdict below the editor, and below that what was tried
 * and the hints. A key ends a check that goes on: it is of a text that is no more. */
import { element } from "./element.js";
import { hintsOf } from "./hints.js";
import { remembered } from "./remembered.js";
import { verdictIn } from "./verdict.js";

const WAIT = 500; /* milliseconds behind the last key, where it checks as one types */

const withoutSeconds = (text) => text.replace(/^(\d+ passed, \d+ failed.* {3}\()\d+\.\d\d s, /m, "$1");

export function judge(page) {
    const { lesson, number, bench, machine } = page, part = bench.part;
    const next = document.querySelector(".turn .next")?.getAttribute("href").replace(".html", ".md");
    const onward = `\u2705 Lesson ${number} is passed.` + (next ? ` Next: read lessons/${next}` : "");
    const hints = hintsOf(page);
    let timer = 0, going = null;

    /* What a press in the answers does. */
    const on = {
        line(line, column) {
            page.editor?.go(line, column);
            page.editor?.focus();
        },
        hint,
        try: tryIt,
    };

    function stop() {
        clearTimeout(timer);
        going?.abort(new Error("Stopped."));
        going = null;
        page.stopLab?.();
    }

    /* Shows in `into` what comes of a question; true: it came to its end. */
    async function ask(into, what, words, heard) {
        stop();
        const own = going = new AbortController(), shown = verdictIn(into, on);
        part(".check").textContent = "Stop";
        let ended = false;
        try {
            await machine.ask(what, words, (text) => {
                shown.add(text);
                heard?.(shown);
            }, own.signal);
            ended = true;
        } catch (error) {
            shown.add(`${error.message}\n`);
        }
        shown.end();
        if (going === own || !going) {
            going = null;
            part(".check").textContent = "Check";
        }
        return ended && shown;
    }

    async function check() {
        const text = page.written.text();
        page.written.end();
        const shown = await ask(part(".verdict"), "check",
                                [lesson, text, { seed: Math.floor(Math.random() * 2 ** 31), hint: "the button Hint", prompt: "", onward }], (so_far) => {
            if (page.editor?.text() === text)
                page.editor.mark(so_far.lines());
        });
        if (shown && shown.marks().length) {
            part(".try").hidden = false;
            await page.marks.show(shown.marks());
        }
    }

    function below() {
        const place = element("<div class=\"block\"></div>");
        part(".more-said").replaceChildren(place);
        return place;
    }

    function tryIt(numbers) {
        part(".try").elements.words.value = numbers;
        return ask(below(), "try", [lesson, page.written.text(), numbers]);
    }

    async function hint() {
        stop();
        const own = going = new AbortController(), shown = verdictIn(below(), on);
        shown.add(await hints.next(page.written.text(), own.signal).catch((error) => `${error.message}\n`));
        shown.end();
        if (going === own)
            going = null;
    }

    function changed() {
        stop();
        if (part(".auto input").checked)
            timer = setTimeout(check, WAIT);
    }

    part(".check").addEventListener("click", () => going ? stop() : check());
    part(".hint").addEventListener("click", hint);
    part(".try").addEventListener("submit", (event) => {
        event.preventDefault();
        tryIt(part(".try").elements.words.value);
    });
    part(".auto input").checked = remembered.get("auto") === "yes";
    part(".auto input").addEventListener("change", (event) => {
        remembered.set("auto", event.target.checked ? "yes" : "no");
        changed();
    });

    return {
        check,
        changed,
        stop,
        /* A promise of what `make check SEED=` prints of that text, without the seconds. */
        async textOf(text, { seed = 0 } = {}) {
            let said = "";
            const words = { seed, hint: `make hint LESSON=${number}`, prompt: " make start, then", onward };
            await machine.ask("check", [lesson, text, words], (more, isError) => { said += isError ? "" : more; });
            return withoutSeconds(said);
        },
    };
}
