/* Files out of the page and into it. */
import { filesOf, zipOf } from "./zip.js";

const KEPT_FOR = 60000; /* milliseconds: by then a browser has taken it */

function saveAs(name, blob) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR);
}

export function saveFile(name, text) {
    saveAs(name, new Blob([text], { type: "text/x-csrc" }));
}

/* Every lesson that something is kept of, in the folder that the workbook has for them. */
export async function saveAll(kept) {
    saveAs("exercises.zip", zipOf((await kept.all()).map(([lesson, text]) => [`exercises/${lesson}.c`, text])));
}

/* [lesson, text] of each of an archive's files that is called as a lesson's is. */
async function lessonsIn(bytes) {
    return (await filesOf(bytes)).flatMap(([name, content]) => {
        const [, lesson] = /(?:^|\/)(\d\d_\w+)\.c$/.exec(name) ?? [];
        return lesson ? [[lesson, new TextDecoder().decode(content)]] : [];
    });
}

/* One file is this lesson's text, whatever it is called; of an archive each goes to its own lesson. */
async function take(page, file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const found = file.name.endsWith(".zip") ? await lessonsIn(bytes)
                                             : [[page.lesson, new TextDecoder().decode(bytes)]];
    for (const [lesson, text] of found.filter(([lesson]) => lesson !== page.lesson))
        await page.kept.bring(lesson, text);
    const here = found.find(([lesson]) => lesson === page.lesson);
    const others = found.map(([lesson]) => lesson.slice(0, 2)).join(", ");
    const words = file.name.endsWith(".zip") ? `From ${file.name}: lesson ${others || "none"}.` : `${file.name} is here now.`;
    if (here)
        page.replace(here[1], "brought in", words);
    else
        page.say(words);
}

export function bringIn(page) {
    const { element, part } = page.bench, chooser = part(".open input");
    const all = async (files) => {
        for (const file of files)
            await take(page, file).catch((error) => page.say(`${file.name}: ${error.message}.`));
    };
    chooser.addEventListener("change", async () => {
        part(".more").open = false;
        await all([...chooser.files]);
        chooser.value = "";
    });
    element.addEventListener("dragover", (event) => {
        if (event.dataTransfer.types.includes("Files"))
            event.preventDefault();
    });
    /* Before the editor, which would put its text where the mouse is. */
    element.addEventListener("drop", (event) => {
        if (!event.dataTransfer.files.length)
            return;
        event.preventDefault();
        event.stopPropagation();
        all([...event.dataTransfer.files]);
    }, true);
}
