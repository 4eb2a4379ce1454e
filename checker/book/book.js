/* The search over all pages, and pages that follow their texts. What both look at is a script of its
 * own, search.js and changed.js: a page from the disk may load scripts, but nothing else. */
"use strict";

/* A page that is loaded again because it has changed: the sentence at the top of the window stays
 * at its height, or else the nearest that is still there. Not every browser sees to that, and none
 * by the sentence; so none is asked to. */
const place = (function () {
    const BLOCKS = "h1, h2, h3, h4, p, li, pre, tr, figcaption";
    const SENTENCES = /\S[^]*?(?:[.?!](?=\s)|$)/g, LINES = /\S.*/g;

    /* The text that is in a block and in no block of that. */
    function nodes_of(block) {
        const nodes = [], walk = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
        while (walk.nextNode())
            if (walk.currentNode.parentElement.closest(BLOCKS) === block)
                nodes.push(walk.currentNode);
        return nodes;
    }

    /* How high in the window a character of these nodes is; undefined: in what is folded up. */
    function height_of(nodes, at) {
        let i = 0;
        for (; at >= nodes[i].length; i++)
            at -= nodes[i].length;
        const character = document.createRange();
        character.setStart(nodes[i], at);
        character.setEnd(nodes[i], at + 1);
        const box = character.getClientRects()[0];
        return box && box.top;
    }

    /* How high each sentence begins, and each line of code; undefined: there are two like it. */
    function heights() {
        const found = new Map();
        for (const block of document.getElementById("text").querySelectorAll(BLOCKS)) {
            const nodes = block.closest("nav") ? [] : nodes_of(block);
            const words = nodes.map((node) => node.data).join("");
            for (const part of words.matchAll(block.matches("pre") ? LINES : SENTENCES)) {
                const name = part[0].replace(/\s+/g, " ");
                found.set(name, found.has(name) ? undefined : height_of(nodes, part.index));
            }
        }
        return found;
    }

    /* Those in the window come first, from its top. */
    function keep() {
        const far = (height) => height < 0 ? innerHeight - height : height;
        const sentences = [...heights()].filter(([, height]) => height !== undefined)
            .sort(([, a], [, b]) => far(a) - far(b));
        history.scrollRestoration = "manual";
        history.replaceState({ scrolled: scrollY, sentences }, "");
    }

    function find() {
        const { scrolled, sentences } = history.state;
        scrollTo({ top: scrolled, behavior: "instant" });
        const now = heights(), kept = sentences.find(([words]) => now.get(words) !== undefined);
        if (kept)
            scrollBy({ top: now.get(kept[0]) - kept[1], behavior: "instant" });
    }

    /* Once before anything is seen, and once when the browser has gone to the address's #place. */
    if (history.state) {
        find();
        addEventListener("load", () => {
            find();
            history.replaceState(null, "");
        });
    }

    /* Who leaves the page otherwise gets back to it by the browser. Said earlier, it would do that now. */
    addEventListener("pagehide", () => {
        if (!history.state)
            history.scrollRestoration = "auto";
    });
    return { keep };
})();

/* A book that the workbook opened is written again when a text or what is passed changes (book.sh).
 * changed.js then says of this page another stamp than its own. Elsewhere a page has none. */
(function () {
    const EVERY = 1000; /* milliseconds */
    const own = document.getElementById("stamp");
    const name = location.pathname.split("/").pop();

    /* changed.js calls this: {"01_layer_norm.html": "a6b3...", ...} */
    window.bookStamps = function (stamps) {
        if (name in stamps && stamps[name] !== own.value) {
            place.keep();
            location.reload();
        }
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
