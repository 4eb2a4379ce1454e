/* The search over all pages, and pages that follow their texts. What both look at is a script of its
 * own, search.js and changed.js: a page from the disk may load scripts, but nothing else. */
"use strict";

/* A book that the workbook opened is written again when a text or what is passed changes (book.sh).
 * changed.js then says of this page another stamp than its own. Elsewhere a page has none. */
(function () {
    const EVERY = 1000; /* milliseconds */
    const own = document.getElementById("stamp");
    const name = location.pathname.split("/").pop();

    /* changed.js calls this: {"01_layer_norm.html": "a6b3...", ...} */
    window.bookStamps = function (stamps) {
        if (name in stamps && stamps[name] !== own.value)
            location.reload();
    };

    function look() {
        const script = document.createElement("script");
        script.src = "changed.js?" + Date.now(); /* not the one that was loaded before */
        script.onload = script.onerror = () => {
            script.remove();
            setTimeout(look, EVERY);
        };
        document.head.append(script);
    }

    if (own)
        look();
})();

(function () {
    const MOST = 12;
    const field = document.getElementById("search");
    const found = document.getElementById("found");
    let sections = null;

    document.documentElement.classList.add("scripted");

    /* search.js calls this: [[file, page's title, [id, title, words], ...], ...] */
    window.bookFound = function (pages) {
        sections = [];
        for (const [file, page, ...parts] of pages)
            for (const [id, title, words] of parts)
                sections.push({ file, page, id, title, words, name: title.toLowerCase(),
                                text: words.toLowerCase() });
        show();
    };

    function load() {
        if (document.getElementById("sections"))
            return;
        const script = document.createElement("script");
        script.id = "sections";
        script.src = "search.js";
        document.head.append(script);
    }

    /* How well a section fits; 0: a word is missing. A word in the title counts most, a lesson
     * more than its mistakes. */
    function score(section, words) {
        let sum = 0;
        for (const word of words) {
            const in_title = section.name.includes(word), at = section.text.indexOf(word);
            if (!in_title && at < 0)
                return 0;
            sum += (in_title ? 100 : 0) + (at < 0 ? 0 : 10 + 10 / (1 + at));
        }
        return section.file.includes(".mistakes") ? sum / 2 : sum;
    }

    function marked(text, words) {
        const part = document.createElement("small");
        const at = Math.max(0, text.toLowerCase().indexOf(words[0]));
        let from = Math.max(0, at - 40);
        from = from ? text.indexOf(" ", from) + 1 : 0;
        const piece = text.slice(from, from + 130);
        const here = piece.toLowerCase().indexOf(words[0]);
        if (here < 0) {
            part.append(piece);
            return part;
        }
        const mark = document.createElement("mark");
        mark.append(piece.slice(here, here + words[0].length));
        part.append(from ? "\u2026 " : "", piece.slice(0, here), mark,
                    piece.slice(here + words[0].length), "\u2026");
        return part;
    }

    function link_to(section, words) {
        const link = document.createElement("a"), name = document.createElement("b");
        const page = document.createElement("small");
        link.href = section.file + "#" + section.id;
        name.append(section.title);
        page.append(section.page);
        link.append(name, section.title === section.page ? "" : page, document.createElement("br"),
                    marked(section.words, words));
        link.addEventListener("click", () => { found.hidden = true; });
        return link;
    }

    function show() {
        const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
        found.hidden = !words.length || !sections;
        if (found.hidden)
            return;
        const fitting = sections.map((section) => [score(section, words), section])
            .filter(([points]) => points > 0).sort((a, b) => b[0] - a[0]).slice(0, MOST);
        found.replaceChildren(...fitting.map(([, section]) => link_to(section, words)));
        if (!fitting.length) {
            const none = document.createElement("p");
            none.append("Nothing is found. Every word must be in one section.");
            found.append(none);
        }
    }

    function step(by) {
        const links = [...found.querySelectorAll("a")];
        const next = links.indexOf(document.activeElement) + by;
        (next < 0 ? field : links[Math.min(next, links.length - 1)] || field).focus();
    }

    field.addEventListener("focus", load);
    field.addEventListener("input", () => { load(); show(); });
    field.form.addEventListener("submit", (event) => {
        event.preventDefault();
        const first = found.querySelector("a");
        if (first && !found.hidden)
            first.click();
    });
    field.form.addEventListener("keydown", (event) => {
        if (event.key === "Escape") {
            found.hidden = true;
            field.focus();
        } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !found.hidden) {
            event.preventDefault();
            step(event.key === "ArrowDown" ? 1 : -1);
        }
    });
    document.addEventListener("click", (event) => {
        if (!field.form.contains(event.target))
            found.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
        const typing = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
        if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            field.focus();
        }
    });
})();
