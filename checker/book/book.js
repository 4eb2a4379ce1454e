/* The search over all pages, and pages that follow their texts. What both look at is a script of its
 * own, search.js and changed.js: a page from the disk may load scripts, but nothing else. */
"use strict";

/* What is wider than its place is scrolled by the keys too. */
(function () {
    function reach() {
        for (const one of document.querySelectorAll("pre, .table, .formula"))
            if (one.scrollWidth > one.clientWidth)
                one.tabIndex = 0;
            else
                one.removeAttribute("tabindex");
    }
    addEventListener("resize", reach);
    reach();
})();

/* A block is copied: of a console what is typed there, of other blocks all. */
(function () {
    const text_of = (block) => block.matches(".console")
        ? [...block.querySelectorAll(".typed")].map((line) => line.textContent + "\n").join("")
        : block.textContent;

    const wanted = (block) => block.matches(".c, .console") || block.textContent.startsWith("try ");

    function place_before(block) {
        const before = block.previousElementSibling, place = document.createElement("div");
        place.className = "copy";
        (before?.matches(".block-tools") ? before : block).before(place);
        return place;
    }

    for (const block of navigator.clipboard ? document.querySelectorAll(".text > pre") : []) {
        const button = document.createElement("button");
        if (!wanted(block) || !text_of(block))
            continue;
        button.type = "button";
        button.append("Copy");
        button.addEventListener("click", async () => {
            await navigator.clipboard.writeText(text_of(block));
            button.textContent = "Copied";
        });
        button.addEventListener("blur", () => { button.textContent = "Copy"; });
        place_before(block).append(button);
    }
})();

/* The bar's list of lessons is folded up by Escape, and by a click elsewhere; in the contents the section
 * is marked that is being read: the last one whose heading is in the upper third of the window or above. */
(function () {
    const lessons = document.querySelector(".all");
    const links = [...document.querySelectorAll(".contents a")];
    const places = links.map((link) => document.getElementById(link.hash.slice(1)));
    let asked = false;

    function mark() {
        asked = false;
        const at = places.findLastIndex((place) => place.getBoundingClientRect().top < innerHeight / 3);
        links.forEach((link, i) => i === at ? link.setAttribute("aria-current", "true")
            : link.removeAttribute("aria-current"));
    }

    if (lessons) {
        document.addEventListener("click", (event) => {
            if (!lessons.contains(event.target))
                lessons.open = false;
        });
        lessons.addEventListener("keydown", (event) => {
            if (event.key === "Escape") {
                lessons.open = false;
                lessons.querySelector("summary").focus();
            }
        });
    }
    if (links.length) {
        addEventListener("scroll", () => {
            if (!asked)
                requestAnimationFrame(mark);
            asked = true;
        }, { passive: true });
        mark();
    }
})();

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
    const SIGN = /\s*([-\u2212+*\/=^])\s*/g;
    const NAMES = { "\u03B5": "eps", "\u03B3": "gamma", "\u03B2": "beta", "\u03BC": "mean" };
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
                                text: words.toLowerCase(), mistakes: /mistakes|slips/.test(file) });
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

    /* What is looked for, word by word. "n-1" and "n - 1" are one, and no part of "mean - 1". */
    function words_of(text) {
        const typed = text.toLowerCase().replace(/[\u03B5\u03B3\u03B2\u03BC]/g, (letter) => NAMES[letter]);
        return typed.replace(SIGN, "$1").split(/\s+/).filter(Boolean).map((word) => {
            const plain = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
            const loose = plain.replace(/\\?[-\u2212+*\/=^]/g, (sign) => `\\s*${sign}\\s*`);
            return loose === plain ? new RegExp(plain) : new RegExp(`(?<!\\w)${loose}(?!\\d)`);
        });
    }

    /* How well a section fits; 0: a word is missing. A word in the title counts most. */
    function score(section, words) {
        let sum = 0;
        for (const word of words) {
            const in_title = word.test(section.name), at = section.text.search(word);
            if (!in_title && at < 0)
                return 0;
            sum += (in_title ? 100 : 0) + (at < 0 ? 0 : 10 + 10 / (1 + at));
        }
        return sum;
    }

    function marked(text, words) {
        const part = document.createElement("small");
        const at = Math.max(0, text.toLowerCase().search(words[0]));
        let from = Math.max(0, at - 40);
        from = from ? text.indexOf(" ", from) + 1 : 0;
        const piece = text.slice(from, from + 130);
        const found = words[0].exec(piece.toLowerCase());
        if (!found) {
            part.append(piece);
            return part;
        }
        const mark = document.createElement("mark"), end = found.index + found[0].length;
        mark.append(piece.slice(found.index, end));
        part.append(from ? "\u2026 " : "", piece.slice(0, found.index), mark, piece.slice(end), "\u2026");
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
        const words = words_of(field.value);
        found.hidden = !words.length || !sections;
        if (found.hidden)
            return;
        const fitting = sections.map((section) => [score(section, words), section])
            .filter(([points]) => points > 0)
            .sort(([a, one], [b, other]) => one.mistakes - other.mistakes || b - a).slice(0, MOST);
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
        const at = document.activeElement;
        const typing = /^(INPUT|TEXTAREA)$/.test(at.tagName) || at.isContentEditable;
        if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            field.focus();
        }
    });
})();
