/* For test_book.py: the least contrast between a text of the page and what is behind it, as WCAG works it
 * out, with the text; the value of this expression is JSON. */
(function () {
    const numbers = (colour) => (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);

    function light([r, g, b]) {
        const part = (v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    }

    function behind(element) {
        for (let at = element; at; at = at.parentElement) {
            const ground = numbers(getComputedStyle(at).backgroundColor);
            if (ground.length === 3 || ground[3] > 0)
                return ground;
        }
        return [255, 255, 255];
    }

    let least = 21, where = "", looked_at = 0;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement, style = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        if (!walk.currentNode.data.trim() || !box.width || style.visibility === "hidden" ||
            element.closest("script, .anchor"))
            continue;
        const ink = element instanceof SVGElement ? style.fill : style.color;
        const [a, b] = [light(numbers(ink)), light(behind(element))].sort((x, y) => y - x);
        looked_at++;
        if ((a + 0.05) / (b + 0.05) < least) {
            least = (a + 0.05) / (b + 0.05);
            where = walk.currentNode.data.trim().slice(0, 60);
        }
    }
    return JSON.stringify({ least, where, looked_at });
})()
