/* The text's own code, `c run`: a block is changed in place, run with the learner's functions, and put back. */
import { button } from "./element.js";

const UNWRITTEN = "Your functions are not written yet. As they are, it prints:\n";

/* opened: when page.written is there. loadEditor: a promise that the editor's script is. */
export function runBlocks(page, opened, loadEditor) {
    for (const block of document.querySelectorAll("pre.c.run"))
        openBlock(page, block, opened, loadEditor);
}

function openBlock(page, block, opened, loadEditor) {
    const tools = block.previousElementSibling; /* .block-tools: text.c */
    const said = document.createElement("div"), place = document.createElement("div");
    let editor = null;
    said.className = "block-said";
    said.setAttribute("role", "log");
    said.setAttribute("aria-label", "What it prints");
    place.className = "block-editor";
    tools.after(place);

    async function run() {
        await opened;
        const functions = page.written.text();
        said.textContent = functions === page.stub ? UNWRITTEN : "";
        said.tabIndex = 0; /* the keys scroll it */
        try {
            const words = [page.lesson, functions, editor?.text() ?? block.textContent];
            if (await page.machine.ask("run", words, (text) => said.append(text)) === 0 && !said.textContent)
                said.append("It prints nothing.\n");
        } catch (error) {
            said.append(`${error.message}\n`);
        }
    }

    function show(changing) {
        block.hidden = change.hidden = changing;
        place.hidden = back.hidden = !changing;
    }

    const change = button("Change it", async () => {
        await loadEditor();
        editor = editor ?? window.workbookEditor(place, {
            text: block.textContent, label: "The text's code", small: true, describedBy: "editor-help", changed() {},
            check: run,
        });
        show(true);
        editor.focus();
    });
    const back = button("Put it back", () => {
        editor.set(block.textContent);
        said.replaceChildren();
        show(false);
        change.focus();
    });
    show(false);
    tools.append(button("Run it with my functions", run), change, back);
    const behind = block.nextElementSibling;
    (behind?.matches("pre.output, figure.plot") ? behind : block).after(said);
}
