/* A verdict's lines in the page: the very ones of the terminal, in its order, with the colours and the links
 * of the page.
 *
 * The invariant: every character that came is shown once, in its order, and as a character. */
const MARKS = { "\u2705": "passes", "\u274C": "fails", "\u2796": "waits" };

/* As text.c makes ids of headings. */
const idOf = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "section";

/* What stands in columns, or is code: it is not broken, and scrolls by itself where it is too wide. */
const isInColumns = (line) => /^ {7,}\S|^ +\S.*\S {2,}\S|^ {2}\| /.test(line);

const LINKS = [
    [/lessons\/(\d\d_\w+\.mistakes|slips)\.md, "([^"]+)"/, ([, file, title]) => ({ href: `${file}.html#${idOf(title)}` })],
    [/lessons\/(\d\d_\w+(?:\.mistakes)?|slips)\.md/, ([, file]) => ({ href: `${file}.html` })],
    [/exercises\/\w+\.c:(\d+)(?::(\d+))?/, ([, line, column]) => ({ line: Number(line), column: Number(column ?? 1) })],
    [/\b[Ll]ines? (\d+)(?: and (\d+))?/, ([, line, also]) => ({ line: Number(line), column: 1, also: Number(also) })],
    [/the button Hint\b/, () => ({ hint: true })],
];

/* The first of them in a text: [where, its words, what it leads to]. */
export function firstLink(text) {
    let first = null;
    for (const [pattern, lead] of LINKS) {
        const match = pattern.exec(text);
        if (match && (!first || match.index < first[0]))
            first = [match.index, match[0], lead(match)];
    }
    return first;
}

/* into: where it goes. on: line(line, column), hint(), try(words): what is done for a press. */
export function verdictIn(into, on) {
    let rest = "", rows = null, all = "", tryNext = false;
    const lines = [], marks = [];

    function linkTo(words, lead) {
        if (lead.href) {
            const link = document.createElement("a");
            link.href = lead.href;
            link.append(words);
            return link;
        }
        const button = document.createElement("button");
        button.type = "button";
        button.className = "link";
        button.append(words);
        if (lead.words) {
            button.addEventListener("click", () => on.try(lead.words));
        } else if (lead.hint) {
            button.addEventListener("click", () => on.hint());
        } else {
            lines.push(lead.line, ...(lead.also ? [lead.also] : []));
            button.addEventListener("click", () => on.line(lead.line, lead.column));
        }
        return button;
    }

    function addLinked(element, text) {
        for (let link = firstLink(text); link; link = firstLink(text)) {
            const [at, words, lead] = link;
            element.append(text.slice(0, at), linkTo(words, lead));
            text = text.slice(at + words.length);
        }
        element.append(text);
    }

    function addRow(line) {
        if (!rows) {
            rows = document.createElement("div");
            rows.className = "rows";
            rows.tabIndex = 0; /* the keys scroll it */
            into.append(rows);
        }
        const quoted = /^ {2}\| /.test(line);
        const row = document.createElement("div");
        row.className = quoted ? "quoted" : /^\s*\^\s*$/.test(line) ? "caret" : "";
        if (quoted)
            addLinked(row, line);
        else
            row.append(line);
        row.append("\n");
        rows.append(row);
    }

    function addLine(line) {
        const mark = MARKS[[...line][0]], isTry = tryNext;
        tryNext = line === "     To see it at work:";
        if (isInColumns(line) && !mark && !isTry) {
            addRow(line);
            return;
        }
        rows = null;
        const element = document.createElement("div");
        element.className = mark ?? (/^\d+ passed, \d+ failed/.test(line) ? "sum" : "said");
        element.style.setProperty("--indent", `${/^ */.exec(line)[0].length}ch`);
        if (mark && /^\S+ \w+/.test(line))
            marks.push([/^\S+ (\w+)/.exec(line)[1], mark]);
        const apart = /^ +/.exec(line)?.[0] ?? (mark ? [...line][0] : "");
        if (apart) {
            const first = document.createElement("span");
            first.className = mark ? "sign-of" : "blanks";
            first.append(apart);
            element.append(first);
        }
        if (isTry)
            element.append(linkTo(line.slice(apart.length), { words: line.trim().replace(/^try /, "") }));
        else
            addLinked(element, line.slice(apart.length));
        element.append("\n");
        into.append(element);
    }

    into.replaceChildren();
    return {
        /* What was printed, as it comes. */
        add(text) {
            all += text;
            const parts = (rest + text).split("\n");
            rest = parts.pop();
            parts.forEach(addLine);
        },
        end() {
            if (rest)
                addLine(rest);
            rest = "";
        },
        text: () => all,
        lines: () => lines, /* those of the learner's file that it speaks of */
        marks: () => marks, /* [function, "passes", "fails" or "waits"] of each check */
    };
}
