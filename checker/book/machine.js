/* Who compiles and checks: a worker with the module, from the scripts engine.js and NN_name.files.js. They are
 * scripts, and hold base64, as a page from the disk may load nothing else; and the worker is made of a
 * text, as one from the disk is refused.
 *
 * The invariant: one question at a time, in the order in which they were asked. What is stopped has its
 * worker ended at once, whatever it does, and the next one is made ready. */
export function loadScript(name) {
    return new Promise((done, fail) => {
        const script = document.createElement("script");
        script.src = name;
        script.onload = () => done();
        script.onerror = () => fail(new Error(`${name} can't be loaded.`));
        document.head.append(script);
    });
}

/* What engine.js and the files' scripts leave. */
const parts = {};
window.workbookPart = (name, part) => { parts[name] = part; };

async function unpacked(base64) {
    const packed = await fetch(`data:application/octet-stream;base64,${base64}`);
    return new Response(packed.body.pipeThrough(new DecompressionStream("gzip")));
}

async function prepare(lesson) {
    await Promise.all([loadScript("engine.js"), loadScript(`${lesson}.files.js`)]);
    const source = URL.createObjectURL(new Blob([parts.worker], { type: "text/javascript" }));
    const module = unpacked(parts.module).then((it) => it.arrayBuffer()).then(WebAssembly.compile);
    const files = await Promise.all([parts.files, parts[lesson]].map((one) => unpacked(one).then((it) => it.json())));
    return { source, module: await module, files: Object.assign({}, ...files) };
}

function makeWorker({ source, module, files }) {
    const worker = new Worker(source);
    worker.postMessage({ module });
    worker.postMessage({ files });
    return worker;
}

export function openMachine(lesson) {
    let ready = null, worker = null, last = Promise.resolve();

    function start() {
        ready = ready ?? prepare(lesson).then((all) => {
            worker = makeWorker(all);
            return all;
        });
        return ready;
    }

    async function answer(what, words, hear, signal) {
        const all = await start();
        signal?.throwIfAborted();
        return new Promise((done, fail) => {
            const stop = () => {
                worker.terminate();
                worker = makeWorker(all);
                fail(signal.reason);
            };
            signal?.addEventListener("abort", stop, { once: true });
            worker.onerror = (event) => fail(new Error(event.message));
            worker.onmessage = ({ data }) => {
                if ("text" in data) {
                    hear(data.text, data.isError);
                    return;
                }
                signal?.removeEventListener("abort", stop);
                if ("failed" in data)
                    fail(new Error(data.failed));
                else
                    done(data.code);
            };
            worker.postMessage({ what, words });
        });
    }

    return {
        start,
        /* A function of checker/page/page.js. hear(text, isError): what is printed, as it comes. A promise of
         * the code. signal: an AbortSignal, or nothing. */
        ask(what, words, hear, signal) {
            const turn = last.then(() => answer(what, words, hear, signal));
            last = turn.catch(() => {});
            return turn;
        },
    };
}
