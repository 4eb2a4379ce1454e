// The page's module (checker/page/page.js) asked by a test: node page_driver.mjs REQUESTS, a file of
// [{lesson, text, options}, {lesson, text, words} or {lesson, text, rows}]. Prints [{code, said, errors, pieces}],
// pieces being how often something was heard.
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

const build = name => readFileSync(`build/page/${name}`);
runInThisContext(readFileSync("checker/page/page.js", "utf8"));
const module = new WebAssembly.Module(build("workbook.wasm"));
let said, errors, pieces;
const workbook = openWorkbook(module, (text, isError) => {
    pieces++;
    if (isError)
        errors += text;
    else
        said += text;
});
workbook.add(JSON.parse(build("files.json")));
const known = workbook.lessons().map(lesson => lesson.name);
known.forEach(name => workbook.add(JSON.parse(build(`${name}.json`))));
const answers = JSON.parse(readFileSync(process.argv[2])).map(({lesson, text, options, words, rows}) => {
    said = errors = "";
    pieces = 0;
    const began = performance.now();
    const code = rows !== undefined ? workbook.lab(lesson, text, rows)
        : words !== undefined ? workbook.try(lesson, text, words) : workbook.check(lesson, text, options);
    return {code, said, errors, pieces, milliseconds: performance.now() - began};
});
process.stdout.write(JSON.stringify({lessons: workbook.lessons(), answers}));
