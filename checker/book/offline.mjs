// node offline.mjs FOLDER: what a whole book needs to be installed and to be there without a network, where a server
// gives it: the service worker, which knows every file, and the manifest.
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = process.argv[2], from = "checker/book", put = (name, text) => writeFileSync(`${folder}/${name}`, text);

put("manifest.webmanifest", JSON.stringify({
    name: "The Layer Normalization Workbook",
    short_name: "Layer Norm",
    start_url: "index.html",
    display: "standalone",
    background_color: "#fdfcf9",
    theme_color: "#fdfcf9",
    icons: [{ src: "icon.svg", sizes: "any", type: "image/svg+xml" }],
}, null, 2) + "\n");
copyFileSync(`${from}/icon.svg`, `${folder}/icon.svg`);

const files = readdirSync(folder).filter((name) => name !== "service.js").sort(), hash = createHash("sha256");
for (const name of files)
    hash.update(name).update(readFileSync(`${folder}/${name}`));
put("service.js", `const FILES = ${JSON.stringify(["./", ...files])}, STAMP = "${hash.digest("hex").slice(0, 16)}";\n` +
    readFileSync(`${from}/service.js`, "utf8"));
