/* The bench: the editor's place, its buttons, and below it what the checker says. It stands behind one step,
 * and goes to another when that one's button is pressed; what is there stays where it is in the window. */
import { button, element } from "./element.js";
import { remembered } from "./remembered.js";

const KEYS = ["{", "}", "[", "]", "(", ")", ";", "*", "=", "<", ">"];

const benchFor = (file) => element(`<div class="bench">
<div class="tools">
<b class="file">${file}</b>
<button type="button" class="check" title="Ctrl-Enter">Check</button>
<button type="button" class="hint">Hint</button>
<label class="auto"><input type="checkbox"> as I type</label>
<details class="more"><summary>File</summary><div>
<button type="button" class="save">Download ${file}</button>
<button type="button" class="save-all">Download all lessons</button>
<label class="open">Bring in a file<input type="file" accept=".c,.zip,text/plain"></label>
<button type="button" class="versions">Earlier versions</button>
<button type="button" class="reset">Back to the stub</button>
</div></details>
</div>
<div class="notice" role="status" hidden></div>
<div class="editor"></div>
<div class="keys" role="group" aria-label="Keys for C"></div>
<p class="help" id="editor-help">Ctrl-Enter checks. Escape, then Tab, leaves the editor. A file can be dropped here.</p>
<p class="keeping" role="status" hidden></p>
<div class="verdict" role="log" aria-label="What the checker says"></div>
<form class="try" hidden><label>Try it with numbers: <input name="words" autocomplete="off" autocapitalize="off"
 spellcheck="false" placeholder="10 50 20"></label> <button>Try</button></form>
<div class="more-said" role="log" aria-label="Hints, and what was tried"></div>
</div>`);

/* Where a function is defined in a text, and the first line of its body, 1 and up; null: nowhere. */
function placeOf(text, name) {
    const found = new RegExp(`^[a-z][^;{}()]*\\b${name}\\s*\\([^;{}]*\\)\\s*\\{`, "m").exec(text);
    return found && { at: found.index, line: text.slice(0, found.index + found[0].length).split("\n").length + 1 };
}

/* The functions of a step: "layer_norm_zero_grad and layer_norm_step" are two. */
export const functionsOf = (step) => step.dataset.step.match(/\w+/g);

export function openBench(page) {
    const bench = benchFor(`${page.lesson}.c`), part = (name) => bench.querySelector(name);
    const steps = [...document.querySelectorAll(".write")];
    let at = null;

    function putAt(step) {
        for (const other of steps)
            other.classList.toggle("opened", other === step);
        step.append(bench);
        at = step;
        remembered.set(`at.${page.lesson}`, steps.indexOf(step));
    }

    function showFunction(editor) {
        const place = functionsOf(at).map((name) => placeOf(editor.text(), name)).find(Boolean);
        if (place)
            editor.show(place.line, place.at);
    }

    for (const step of steps)
        step.append(button(`Write ${step.dataset.step} here`, () => {
            const before = step.getBoundingClientRect().top;
            putAt(step);
            scrollBy({ top: step.getBoundingClientRect().top - before, behavior: "instant" });
            if (page.editor) {
                showFunction(page.editor);
                page.editor.focus();
            }
        }, "opener"));
    putAt(steps[Number(remembered.get(`at.${page.lesson}`))] ?? steps[0]);

    for (const key of KEYS) {
        const made = button(key, () => page.editor?.insert(key));
        made.addEventListener("pointerdown", (event) => event.preventDefault()); /* the phone's keyboard stays */
        part(".keys").append(made);
    }

    return {
        part,
        element: bench,
        showFunction,
        /* A line above the editor, with choices: [words, act]. "": none. */
        say(words, ...choices) {
            const notice = part(".notice");
            notice.hidden = !words;
            notice.replaceChildren(words, ...choices.flatMap(([name, act]) => [" ", button(name, act, "link")]));
            return notice;
        },
        /* When so much of a window's height is between, the first time. */
        whenNear(share, act) {
            new IntersectionObserver((seen, observer) => {
                if (seen.some((one) => one.isIntersecting)) {
                    observer.disconnect();
                    act();
                }
            }, { rootMargin: `${share} 0%` }).observe(bench);
        },
    };
}
