/* The menu: files out of the page and into it, earlier versions, the stub again. */
import { button, element } from "./element.js";
import { bringIn, saveAll, saveFile } from "./files.js";

async function showVersions(page) {
    const list = element("<ul class=\"old\"></ul>");
    for (const version of await page.written.versions()) {
        const item = document.createElement("li");
        item.append(button(new Date(version.time).toLocaleString(), () => {
            page.replace(version.text, "taken back", "That version is back.");
        }, "link"), ` ${version.kind}, ${version.text.split("\n").length - 1} lines`);
        list.append(item);
    }
    page.say("Earlier versions, the newest first:").append(list);
}

export function openMenu(page) {
    const part = page.bench.part, file = `${page.lesson}.c`;
    const acts = {
        ".save": () => saveFile(file, page.written.text()),
        ".save-all": () => page.written.saved().then(() => saveAll(page.kept)),
        ".versions": () => showVersions(page),
        ".reset": () => page.replace(page.stub, "the stub", "The stub is back."),
    };
    for (const [name, act] of Object.entries(acts))
        part(name).addEventListener("click", () => {
            part(".more").open = false;
            act();
        });
    bringIn(page);
}
