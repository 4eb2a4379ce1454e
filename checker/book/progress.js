/* What passes: at the steps and in the page's bar, and on the first page, of all lessons. */
import { functionsOf } from "./bench.js";
import { element } from "./element.js";
import { openKept } from "./kept.js";

const WORDS = { passes: "passes", fails: "fails", waits: "is not reached" };
const SIGNS = { passes: "\u2713", fails: "\u2717", waits: "\u2013" };

/* marks: [function, mark] of each check. */
function show(marks) {
    for (const step of document.querySelectorAll(".steps a, .write")) {
        const own = marks.filter(([name]) => functionsOf(step).includes(name)).map(([, mark]) => mark);
        const mark = ["fails", "waits", "passes"].find((one) => own.includes(one)) ?? "";
        step.dataset.mark = mark;
        if (step.matches("a")) {
            step.dataset.sign = SIGNS[mark] ?? "";
            step.title = `Step ${step.textContent}: ${step.dataset.step} ${WORDS[mark] ?? ""}`.trim();
            step.setAttribute("aria-label", step.title);
        }
    }
}

export async function openMarks({ kept, lesson }) {
    show((await kept.progress()).find((one) => one.lesson === lesson)?.marks ?? []);
    return {
        show(marks) {
            show(marks);
            return kept.setProgress({ lesson, marks, passed: marks.every(([, mark]) => mark === "passes") });
        },
    };
}

export async function markIndex() {
    const kept = await openKept();
    for (const { lesson } of (await kept.progress()).filter((one) => one.passed)) {
        const link = document.querySelector(`.lessons a[href="${lesson}.html"]`);
        if (link && !link.parentElement.querySelector("span.done"))
            link.after(" ", element("<span class=\"done\">\u2713 passed</span>"));
    }
}
