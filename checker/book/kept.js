/* What a learner wrote, kept in the browser: IndexedDB, every change at once, the last 50 versions of a lesson.
 *
 * A text is the newest version of its lesson. While one goes on typing, the version at hand is written over;
 * another one begins with a check, after a pause, and where a text is put in another's place.
 *
 * The invariant: a tab writes over its own versions only, each of which has a number that no other tab
 * draws. So of two tabs on one lesson both texts stay; a tab shows what was written last.
 *
 * Where the browser refuses, all this is held in memory, and `refused` is true: the page says so. What it takes
 * it may still forget, a private window's with the window, unless it has promised not to. No page is told
 * whether its window is private: only that promise can be asked for. */
const VERSIONS = 50;
const PAUSE = 20000; /* milliseconds without a key, and a new version begins */
const NAME = "layer-norm-workbook";

const request = (asked) => new Promise((done, fail) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
});

function openBase() {
    return new Promise((done, fail) => {
        const opening = indexedDB.open(NAME, 1);
        opening.onupgradeneeded = () => {
            const versions = opening.result.createObjectStore("versions", { keyPath: "id" });
            versions.createIndex("lesson", "lesson");
            opening.result.createObjectStore("progress", { keyPath: "lesson" });
        };
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => fail(opening.error);
    });
}

/* Two stores of records: versions, by `id`, and progress, by `lesson`. */
function stored(base) {
    function write(name, act) {
        const store = base.transaction(name, "readwrite").objectStore(name), done = act(store);
        store.transaction.commit?.(); /* now: with the next key the page may be closed */
        return done;
    }
    const read = (name) => base.transaction(name, "readonly").objectStore(name);
    return {
        put: (name, record) => write(name, (store) => request(store.put(record))),
        drop: (name, keys) => write(name, (store) => Promise.all(keys.map((key) => request(store.delete(key))))),
        all: (name) => request(read(name).getAll()),
        versions: (lesson) => request(read("versions").index("lesson").getAll(lesson)),
    };
}

/* The same where there is no IndexedDB. */
function inMemory() {
    const stores = { versions: new Map(), progress: new Map() };
    const all = async (name) => [...stores[name].values()];
    return {
        put: async (name, record) => { stores[name].set(record.id ?? record.lesson, record); },
        drop: async (name, keys) => keys.forEach((key) => stores[name].delete(key)),
        all,
        versions: async (lesson) => (await all("versions")).filter((version) => version.lesson === lesson),
    };
}

const byTime = (versions) => versions.sort((a, b) => a.time - b.time || a.id - b.id);

/* Greater than all before, in this tab and, but for the clock, in others. */
let lastId = 0;
function newId() {
    lastId = Math.max(lastId + 1, Date.now() * 1000 + Math.floor(Math.random() * 1000));
    return lastId;
}

export async function openKept() {
    let base, refused = false;
    try {
        base = stored(await openBase());
        await base.all("progress");
    } catch {
        base = inMemory();
        refused = true;
    }
    const put = (lesson, text, kind, id = newId()) =>
        base.put("versions", { id, lesson, text, kind, time: Date.now() });
    return {
        refused,
        isPromised: async () => await navigator.storage?.persisted?.() ?? false,
        canBeAsked: Boolean(navigator.storage?.persist),
        /* A browser may ask who sits in front of it: so only when they press for it. */
        askToPromise: () => navigator.storage.persist(),
        progress: () => base.all("progress"),
        setProgress: (record) => base.put("progress", record),
        /* [lesson, text] of all that is kept. */
        all: async () => [...new Map(byTime(await base.all("versions")).map(({ lesson, text }) => [lesson, text]))].sort(),
        /* A lesson's text, from outside. */
        bring: (lesson, text) => put(lesson, text, "brought in"),
        lesson: (name, stub, shown) => openLesson(base, put, name, stub, shown),
    };
}

/* One lesson's text. shown(text): what another tab has written since. */
async function openLesson(base, put, lesson, stub, shown) {
    const channel = "BroadcastChannel" in window ? new BroadcastChannel(`${NAME} ${lesson}`) : null;
    const versions = async () => byTime(await base.versions(lesson));
    let text = (await versions()).at(-1)?.text ?? stub;
    let own = null; /* the id of the version that goes on */
    let changed = 0, saved = Promise.resolve();

    async function forgetOld() {
        const old = (await versions()).slice(0, -VERSIONS);
        if (old.length)
            await base.drop("versions", old.map((version) => version.id));
    }

    function write(to, kind) {
        const begins = own === null;
        own = own ?? newId();
        changed = Date.now();
        text = to;
        saved = put(lesson, text, kind, own).then(() => channel?.postMessage(own));
        if (begins)
            saved = saved.then(forgetOld);
        return saved;
    }

    async function look() {
        const last = (await versions()).at(-1);
        if (!last || last.id === own || last.text === text)
            return;
        text = last.text;
        own = null;
        shown(text);
    }
    channel?.addEventListener("message", look);
    document.addEventListener("visibilitychange", () => {
        if (!document.hidden)
            look();
    });

    return {
        text: () => text,
        change(to) {
            if (Date.now() - changed > PAUSE)
                own = null;
            return write(to, "written");
        },
        /* Another text in its place, as a version of its own. */
        replace(to, kind) {
            own = null;
            const done = write(to, kind);
            own = null;
            return done;
        },
        /* What comes next is another version. */
        end() {
            own = null;
        },
        /* The newest first. */
        versions: async () => {
            await saved;
            return (await versions()).reverse();
        },
        saved: () => saved,
    };
}
