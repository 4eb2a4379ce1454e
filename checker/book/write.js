/* A lesson's page where a learner writes: one editor, which stands behind the step where it was opened, and
 * below it what the checker says. All steps are functions of one file, so it is one editor that moves.
 *
 *   bench.js     the editor's place, its buttons; where on the page it stands
 *   editor.js    CodeMirror, a script of its own, loaded when the bench comes near
 *   judged.js    what is asked of the checker, and the answer below the editor
 *   machine.js   who answers: worker.js, with the module
 *   verdict.js   what is said, as lines of the page
 *   hints.js     hints, one by one
 *   kept.js      what was written, in the browser
 *   menu.js      files out and in (files.js, zip.js), earlier versions, the stub again
 *   blocks.js    the text's own code, to be changed and run
 *   lab.js       lesson 13's lab, as much of it as takes a moment
 *   progress.js  what passes: in the page's bar, at the steps, on the first page
 *   offline.js   the service worker, where a server gives the book
 *
 * `page`, which they hand on, is { lesson, number, stub, bench, editor, machine, kept, written, say };
 * editor is null until its script is there. */
import { openBench } from "./bench.js";
import { runBlocks } from "./blocks.js";
import { button } from "./element.js";
import { judge } from "./judged.js";
import { openKept } from "./kept.js";
import { openLab } from "./lab.js";
import { loadScript, openMachine } from "./machine.js";
import { openMenu } from "./menu.js";
import { makeOffline } from "./offline.js";
import { markIndex, openMarks } from "./progress.js";

function openEditor(page) {
    page.editor = window.workbookEditor(page.bench.part(".editor"), {
        text: page.written.text(),
        label: `${page.lesson}.c, your code`,
        describedBy: "editor-help",
        changed(text) {
            page.written.change(text);
            page.editor.mark([]);
            page.judged.changed();
        },
        check: () => page.judged.check(),
    });
    page.bench.showFunction(page.editor);
}

/* Another text in the place of the one that is there, and the way back. */
function replaceText(page, text, kind, words) {
    const old = page.written.text();
    const put = (to, why) => {
        page.editor?.set(to);
        page.judged.changed();
        return page.written.replace(to, why);
    };
    page.say(words, ["Undo", () => {
        put(old, "undone");
        page.say("");
    }]);
    return put(text, kind);
}

const REFUSED = "This window keeps nothing: download your file before you close it. A private window is like that.";

/* One sentence below the editor, as long as the browser has not promised to keep what is written. */
async function sayKeeping({ kept, bench }) {
    const place = bench.part(".keeping");
    const say = async (words, ...more) => {
        place.hidden = kept.refused || await kept.isPromised(); /* what refuses is said above the editor */
        place.replaceChildren(words, ...more);
    };
    const ask = button("Ask it to", async () => {
        await kept.askToPromise().catch(() => {}); /* then it has not */
        await say("This browser does not promise to keep what you write: download your file.");
    }, "link");
    await say("This browser has not promised to keep what you write, and a private window forgets it.",
              ...(kept.canBeAsked ? [" ", ask] : []));
}

async function startLesson(stub) {
    const lesson = stub.dataset.lesson;
    const page = { lesson, number: lesson.slice(0, 2), stub: stub.textContent, editor: null };
    page.machine = openMachine(lesson);
    page.bench = openBench(page);

    let begun = null;
    const begin = () => {
        page.machine.start().catch(() => {}); /* who asks it something is told */
        begun = begun ?? loadScript("editor.js");
        return begun;
    };
    const opened = openKept().then(async (kept) => {
        page.kept = kept;
        page.written = await kept.lesson(lesson, page.stub, (text) => {
            page.editor?.set(text);
            page.say("Another tab went on with this lesson, and here is its text. Yours is an earlier version.");
        });
    });
    runBlocks(page, opened, begin);
    openLab(page, opened);
    await opened;

    page.say = (words, ...choices) => page.bench.say(words || (page.kept.refused ? REFUSED : ""), ...choices);
    page.say("");
    page.marks = await openMarks(page);
    page.judged = judge(page);
    page.replace = (text, kind, words) => replaceText(page, text, kind, words);
    openMenu(page);
    await sayKeeping(page);
    page.bench.whenNear("100%", () => begin().catch(() => {}));
    page.bench.whenNear("0%", () => begin().then(() => openEditor(page), (error) => page.say(error.message)));
    window.workbook = { lesson: { number: page.number, name: lesson }, check: page.judged.textOf };
}

makeOffline();
const stub = document.getElementById("stub");
if (stub)
    startLesson(stub);
else
    markIndex();
