/* Archives: files go into one as they are, and come out of one that any program made. */

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++)
        n = n & 1 ? n >>> 1 ^ 0xEDB88320 : n >>> 1;
    return n >>> 0;
});

function crc32(bytes) {
    let crc = 0xFFFFFFFF;
    for (const byte of bytes)
        crc = crc >>> 8 ^ TABLE[(crc ^ byte) & 255];
    return (crc ^ 0xFFFFFFFF) >>> 0;
}

/* numbers: [value, bytes that it takes] */
function packed(...numbers) {
    const bytes = [];
    for (let [value, size] of numbers)
        for (; size > 0; size--, value = Math.floor(value / 256))
            bytes.push(value % 256);
    return Uint8Array.from(bytes);
}

const LOCAL = 0x04034b50, ENTRY = 0x02014b50, END = 0x06054b50;
const NEEDS = 20, UTF8 = 0x800, STORED = 0, DEFLATED = 8;

/* files: [[name, text], ...] -> a Blob */
export function zipOf(files) {
    const parts = [], entries = [], now = new Date();
    const date = (Math.max(now.getFullYear(), 1980) - 1980) << 9 | (now.getMonth() + 1) << 5 | now.getDate();
    const time = now.getHours() << 11 | now.getMinutes() << 5 | now.getSeconds() >> 1;
    let at = 0;
    for (const [name, text] of files) {
        const title = new TextEncoder().encode(name), bytes = new TextEncoder().encode(text);
        const same = [[UTF8, 2], [STORED, 2], [time, 2], [date, 2], [crc32(bytes), 4], [bytes.length, 4],
                      [bytes.length, 4], [title.length, 2], [0, 2]];
        const head = packed([LOCAL, 4], [NEEDS, 2], ...same);
        parts.push(head, title, bytes);
        entries.push(packed([ENTRY, 4], [NEEDS, 2], [NEEDS, 2], ...same, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
                     title);
        at += head.length + title.length + bytes.length;
    }
    const size = entries.reduce((sum, part) => sum + part.length, 0);
    const end = packed([END, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [at, 4], [0, 2]);
    return new Blob([...parts, ...entries, end], { type: "application/zip" });
}

async function inflated(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* An archive's bytes -> [[name, bytes], ...], by its table of contents. Throws where it is none. */
export async function filesOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length), files = [];
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== END)
        end--;
    if (end < 0)
        throw new Error("it is no zip archive");
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
        if (view.getUint32(at, true) !== ENTRY)
            throw new Error("it is no zip archive");
        const method = view.getUint16(at + 10, true), size = view.getUint32(at + 20, true);
        const length = view.getUint16(at + 28, true), local = view.getUint32(at + 42, true);
        const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
        const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
        const data = bytes.subarray(from, from + size);
        if (!name.endsWith("/") && (method === STORED || method === DEFLATED))
            files.push([name, method === STORED ? data : await inflated(data)]);
        at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    return files;
}
