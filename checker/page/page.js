/* The module's other side (page.h): a worker's script, a page or node calls openWorkbook(). It needs no DOM.
 *
 *     const workbook = openWorkbook(module, hear)   a compiled WebAssembly.Module; hear(text, isError) is told
 *                                                   what is printed, as it comes
 *     workbook.lessons()                            [{name, title, steps, needs, core}]
 *     workbook.add(files)                           {path: text}, of files.json and of NN_name.json
 *     workbook.stub(lesson)                         the text that a learner begins with
 *     workbook.check(lesson, text, options)         {seed, step, format, line, hint, prompt, onward}, each
 *                                                   may be left out: 0 passed, 1 not, 2 no such step or
 *                                                   format, 3 not graded
 *     workbook.try(lesson, text, words)             0 right, 1 wrong, 2 nothing could be tried
 *     workbook.hint(lesson, text)                   prints {"step", "own": [{"title", "text"}], "general"}: the
 *                                                   hints on the step to do; 0 all of it passed, 1 not
 *     workbook.run(lesson, text, block)             a block of the lesson's text, with the functions of `text`:
 *                                                   0 it ran to its end, 1 it did not
 *     workbook.lab(lesson, text, rows)              lesson 13's: prints a table, and behind it an SVG; on stderr how
 *                                                   far it is. 0 it did, 1 it ended early
 *
 * A lesson has an instance of its own, until another is asked for or it has ended: then the next call
 * makes one. */
"use strict";

function openWorkbook(module, hear) {
    const GIVEN_UP = {}, files = {}, utf8 = new TextEncoder();
    let exports = null, opened = null, decoders = [];

    class Ended extends Error {}

    const view = () => new DataView(exports.memory.buffer);
    const wasi = {
        fd_write(fd, pieces, count, written) {
            let total = 0;
            for (let i = 0; i < count; i++) {
                const at = view().getUint32(pieces + 8 * i, true), length = view().getUint32(pieces + 8 * i + 4, true);
                const text = decoders[fd].decode(new Uint8Array(exports.memory.buffer, at, length), {stream: true});
                if (text)
                    hear(text, fd === 2);
                total += length;
            }
            view().setUint32(written, total, true);
            return 0;
        },
        clock_time_get(clock, precision, to) {
            view().setBigUint64(to, BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)), true);
            return 0;
        },
        proc_exit(code) {
            throw new Ended(`ended with ${code}`);
        },
    };
    const BAD_FILE = 8;
    const asked = new Proxy(wasi, {get: (own, name) => own[name] || (() => BAD_FILE)});
    const page = {
        attempt(f) {
            const stack = exports.__stack_pointer.value;
            try {
                exports.__indirect_function_table.get(f)();
                return 1;
            } catch (error) {
                if (error !== GIVEN_UP)
                    throw error;
                exports.__stack_pointer.value = stack;
                return 0;
            }
        },
        give_up() {
            throw GIVEN_UP;
        },
    };

    // A text in the module's memory, '\0' behind it; to be freed. null stays NULL.
    function put(text) {
        if (text === undefined || text === null)
            return {at: 0, length: 0};
        const bytes = utf8.encode(text), at = exports.malloc(bytes.length + 1);
        const to = new Uint8Array(exports.memory.buffer, at, bytes.length + 1);
        to.set(bytes);
        to[bytes.length] = 0;
        return {at, length: bytes.length};
    }

    function start() {
        decoders = [0, 1, 2].map(() => new TextDecoder());
        exports = new WebAssembly.Instance(module, {wasi_snapshot_preview1: asked, page}).exports;
        exports._initialize();
    }

    function give(path) {
        const text = put(files[path]);
        exports.file(put(path).at, text.at, text.length);
    }

    function open(lesson) {
        if (exports && opened === lesson)
            return;
        start();
        opened = lesson;
        Object.keys(files).forEach(give);
        const name = put(lesson);
        if (!exports.open(name.at)) {
            exports = null;
            throw new Error(`there is no lesson ${lesson}`);
        }
        exports.free(name.at);
    }

    // call(...) with these texts put into the module. Where the module ends itself, or goes wrong, the next
    // call finds a new one; it has said why.
    function within(lesson, texts, call) {
        open(lesson);
        const placed = texts.map(put);
        try {
            const code = call(...placed);
            placed.forEach(text => exports.free(text.at));
            return code;
        } catch (error) {
            exports = null;
            if (error instanceof Ended)
                return 3;
            throw error;
        }
    }

    return {
        lessons() {
            let said = "";
            const hearer = hear;
            hear = text => said += text;
            start();
            exports.lessons();
            exports = null;
            hear = hearer;
            return JSON.parse(said);
        },
        add(more) {
            Object.assign(files, more);
            exports = null;
        },
        stub: lesson => files[`checker/lessons/${lesson}/stub.c`],
        check(lesson, text, options = {}) {
            const {seed = 0, step, format, line = true, hint, prompt, onward} = options;
            return within(lesson, [text, step, format, hint, prompt, onward], (text, step, format, ...words) => {
                const three = exports.malloc(12);
                words.forEach((word, i) => view().setUint32(three + 4 * i, word.at, true));
                const code = exports.check(text.at, text.length, BigInt(seed), step.at, format.at, line ? 1 : 0, three);
                exports.free(three);
                return code;
            });
        },
        try: (lesson, text, words) => within(lesson, [text, words], (text, words) =>
            exports.try(text.at, text.length, words.at)),
        hint: (lesson, text) => within(lesson, [text], text => exports.hint(text.at, text.length)),
        lab: (lesson, text, rows) => within(lesson, [text], text => exports.lab(text.at, text.length, rows)),
        run: (lesson, text, block) => within(lesson, [text, block], (text, block) =>
            exports.run(text.at, text.length, block.at)),
    };
}
