// node bundle.mjs FOLDER: the scripts of a page where a learner writes, put together by esbuild, and the module
// with its files as scripts that hold them, gzipped, in base64 (machine.js).
import { createRequire } from "node:module";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = process.argv[2], from = "checker/book", modules = "build/write/node_modules";
const { buildSync } = createRequire(`${process.cwd()}/${modules}/`)("esbuild");

function bundled(stdin) {
    const built = buildSync({
        stdin: { contents: stdin, resolveDir: from },
        bundle: true, minify: true, write: false, format: "iife", target: "es2022", charset: "utf8",
        legalComments: "none", nodePaths: [modules], logLevel: "error",
    });
    return built.outputFiles[0].text;
}

const part = (name, text) => `workbookPart(${JSON.stringify(name)},${JSON.stringify(text)});\n`;
const packed = (path) => gzipSync(readFileSync(path), { level: 9 }).toString("base64");
const write = (name, text) => writeFileSync(`${folder}/${name}`, text);

write("write.js", bundled(`import "./write.js";`));
write("editor.js", bundled(`import "./editor.js";`));
const worker = readFileSync("checker/page/page.js", "utf8") + readFileSync(`${from}/worker.js`, "utf8");
write("engine.js", part("worker", bundled(worker)) + part("module", packed("build/page/workbook.wasm")) +
    part("files", packed("build/page/files.json")));
for (const name of readdirSync("checker/lessons").filter((one) => /^\d\d_\w+$/.test(one)))
    write(`${name}.files.js`, part(name, packed(`build/page/${name}.json`)));
copyFileSync(`${from}/write.css`, `${folder}/write.css`);

// What is in editor.js and in the module, with whose leave. The module's own source is this folder's.
const packages = Object.keys(JSON.parse(readFileSync(`${from}/package-lock.json`)).packages)
    .filter((path) => path && !/esbuild/.test(path)).map((path) => path.replace("node_modules/", ""));
const comment = (path) => /\/\*(.*?)\*\//s.exec(readFileSync(path, "utf8"))[1].replace(/^ ?\*/gm, "").trim();
const system = (path) => existsSync(path) ? readFileSync(path, "utf8").trim() : "";
const parts = [
    ...packages.map((name) => [name, readFileSync(`${modules}/${name}/LICENSE`, "utf8").trim()]),
    ["cJSON", comment("build/deps/cjson/cJSON.c")],
    ["TCC, changed by checker/emulator/tcc.sed", comment("build/deps/tcc/libtcc.c"),
        system("/usr/share/common-licenses/LGPL-2")],
    ["wasi-libc", system("/usr/share/doc/wasi-libc/copyright")],
];
write("licences.txt", parts.map((texts) => `${texts.filter(Boolean).join("\n\n")}\n`).join("\n\n"));
