/* Figures that move: a bar is dragged, or moved with the keys; the lesson's C code, as WebAssembly,
 * works everything out again; the bars are drawn anew. What a figure is stands in the page (still.c). */
"use strict";

(function () {
    const PAGE = 10; /* how many steps PageUp goes */
    const THICKEST = 16; /* a line of a whole scale's number */
    const BELOW = 22; /* what stands under a row */

    /* As C's %.4g, with 1e-5 for 1e-05. */
    function number_text(number, digits) {
        if (!Number.isFinite(number))
            return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
        if (number === 0)
            return "0";
        const [digits_of, power] = number.toExponential(digits - 1).split("e");
        if (power < -4 || power >= digits)
            return String(Number(digits_of)) + "e" + Number(power);
        return String(Number(number.toPrecision(digits)));
    }

    /* Without an exponent, which ARIA's numbers have not. */
    function decimal(number) {
        return number.toLocaleString("en", { useGrouping: false, maximumSignificantDigits: 9 });
    }

    /* Along the picture where a number lies alone, and up it where they stand: `place` is where, in its
     * pixels; `value` what is even on the scale. */
    function scale_of(svg) {
        const data = svg.dataset, lies = "left" in data, powers = data.scale === "powers";
        const on = powers ? (number) => number > 0 ? Math.log10(number) : -Infinity
            : data.scale === "signed" ? (number) => Math.sign(number) * Math.log10(1 + Math.abs(number))
            : (number) => number;
        const low = on(Number(data.low)), high = on(Number(data.high));
        const from = Number(lies ? data.left : data.top), length = Number(data.height), step = Number(data.step);
        return {
            lies,
            low: Number(data.low),
            high: Number(data.high),
            zero: powers ? Number(data.low) : 0,
            place: (number) => {
                const at = Math.min(1, Math.max(0, (on(number) - low) / (high - low)));
                return from + length * (lies ? at : 1 - at);
            },
            /* The value at a place of the picture, and the one so many steps from a number's. */
            at: (place) => low + (lies ? place - from : from + length - place) / length * (high - low),
            from: (number, steps) => on(number) + steps * step,
            /* The nearest one that is whole steps away from 0. */
            number: (value) => {
                const held = Math.min(high, Math.max(low, Math.round(value / step) * step));
                return Number((powers ? 10 ** held : held).toPrecision(6));
            },
        };
    }

    /* The sign of a number that is off the scale, at that end. */
    function beyond(bar, number) {
        const { top, left, height } = bar.svg.dataset, box = bar.fill;
        const above = number > Math.fround(bar.scale.high), end = Number(bar.scale.lies ? left : top);
        const [edge, size] = bar.scale.lies ? ["y", "height"] : ["x", "width"];
        const middle = (Number(box.getAttribute(edge)) + Number(box.getAttribute(size)) / 2 - 6).toFixed(1);
        if (!above && !(number < Math.fround(bar.scale.low)))
            return "";
        return bar.scale.lies ? `M${end + (above ? Number(height) : 0)} ${middle}v12l${above ? 8 : -8} -6z`
            : `M${middle} ${end + (above ? 0 : Number(height))}h12l-6 ${above ? -8 : 8}z`;
    }

    /* Which numbers belong together: neighbours are in a frame; for others a line is drawn below, with a
     * mark at each. */
    function group(svg, groups, first, own) {
        const bottom = Number(svg.dataset.top) + Number(svg.dataset.height);
        const slot = svg.viewBox.baseVal.width / groups.length, last = groups.lastIndexOf(own);
        const members = groups.map((_, i) => i).filter((i) => groups[i] === own);
        const at = (place) => (slot * place).toFixed(1), line = bottom + 3 + 4 * own;
        if (members.length === last - first + 1)
            return `M${(slot * first + 2).toFixed(1)} 1H${(slot * (last + 1) - 2).toFixed(1)}V${bottom + BELOW}`
                + `H${(slot * first + 2).toFixed(1)}Z`;
        return `M${at(first + 0.5)} ${line}H${at(last + 0.5)}`
            + members.map((i) => `M${at(i + 0.5)} ${bottom - 1}V${line}`).join("");
    }

    /* The arrow from the line through a row to one of its numbers. */
    function away(bar, line, at) {
        const head = Math.min(5, Math.abs(at - line)) * (at < line ? 1 : -1);
        bar.away.setAttribute("d", bar.away.getAttribute("d").replace(/ .*/, "") +
            ` ${line.toFixed(1)}V${at.toFixed(1)}m-4 ${head.toFixed(1)}l4 ${(-head).toFixed(1)}l4 ${head.toFixed(1)}`);
    }

    function draw(bar, number) {
        const zero = bar.scale.place(bar.scale.zero);
        const at = Number.isNaN(number) ? zero : bar.scale.place(number);
        if (bar.line) {
            bar.line.setAttribute("stroke-width", (THICKEST * Math.abs(at - zero) / bar.svg.dataset.height).toFixed(2));
        } else {
            bar.fill.setAttribute(bar.scale.lies ? "x" : "y", Math.min(at, zero).toFixed(2));
            bar.fill.setAttribute(bar.scale.lies ? "width" : "height", Math.abs(at - zero).toFixed(2));
            bar.beyond.setAttribute("d", beyond(bar, number));
        }
        for (const circle of bar.circles)
            circle.setAttribute(bar.scale.lies ? "cx" : "cy", at.toFixed(2));
        if (bar.text)
            bar.text.textContent = number_text(number, Number(bar.svg.dataset.digits));
        if (bar.handle) {
            bar.element.setAttribute("aria-valuenow", decimal(number));
            bar.element.setAttribute("aria-valuetext", number_text(number, 4));
        }
    }

    function bars_of(figure) {
        return [...figure.querySelectorAll(".bar")].map((element) => {
            const svg = element.ownerSVGElement, row = Number(element.dataset.row);
            return {
                element, svg, row,
                index: Number(element.dataset.index),
                of: svg.querySelectorAll(`[data-row="${row}"]`).length,
                away: element.querySelector(".away"),
                scale: scale_of(svg),
                fill: element.querySelector(".fill"),
                line: element.querySelector(".weight"),
                beyond: element.querySelector(".beyond"),
                handle: element.querySelector(".handle"),
                circles: element.querySelectorAll("circle"),
                text: element.querySelector("text"),
            };
        });
    }

    function start(figure, module) {
        const bars = bars_of(figure), first = new Map();

        function show() {
            module.compute();
            for (const bar of bars)
                draw(bar, module.get(bar.row, bar.index));
            for (const line of figure.querySelectorAll(".across[data-of]")) {
                const svg = line.ownerSVGElement, scale = scale_of(svg);
                const at = scale.place(module.get(Number(line.dataset.of), 0)), y = at.toFixed(2);
                line.setAttribute("y1", y);
                line.setAttribute("y2", y);
                for (const bar of bars.filter((one) => one.svg === svg && one.away))
                    away(bar, at, scale.place(module.get(bar.row, bar.index)));
            }
            for (const text of figure.querySelectorAll("[data-number]"))
                text.textContent = number_text(module.get(Number(text.dataset.number), 0), 4);
            for (const frames of figure.querySelectorAll(".groups")) {
                const { of, count } = frames.dataset, svg = frames.ownerSVGElement;
                const groups = Array.from({ length: Number(count) }, (_, i) => module.get(Number(of), i));
                frames.setAttribute("d", groups.map((own, i) => own < 0 || groups.indexOf(own) < i ? ""
                    : group(svg, groups, i, own)).join(""));
            }
            for (const svg of new Set(bars.map((bar) => bar.svg))) {
                const numbers = bars.filter((bar) => bar.svg === svg && !bar.element.matches(".beside"))
                    .map((bar) => number_text(module.get(bar.row, bar.index), 4));
                svg.setAttribute("aria-label", `${svg.dataset.name}: ${numbers.join(", ")}`);
            }
        }

        function set(bar, value) {
            module.set(bar.row, bar.index, bar.scale.number(value));
            show();
        }

        function begin(bar) {
            let off = 0; /* how far from the handle's middle it was taken hold of */
            const place = (event) => {
                const box = bar.svg.getBoundingClientRect(), whole = bar.svg.viewBox.baseVal.width / box.width;
                return (bar.scale.lies ? event.clientX - box.left : event.clientY - box.top) * whole;
            };
            /* A finger on a handle does not scroll the page. (touch-action is for whole pictures.) */
            bar.element.addEventListener("touchstart", (event) => event.preventDefault(),
                                         { passive: false });
            bar.element.addEventListener("pointerdown", (event) => {
                bar.element.setPointerCapture(event.pointerId);
                bar.element.focus();
                bar.element.classList.add("held");
                off = place(event) - Number(bar.handle.getAttribute(bar.scale.lies ? "cx" : "cy"));
            });
            bar.element.addEventListener("pointermove", (event) => {
                if (bar.element.hasPointerCapture(event.pointerId))
                    set(bar, bar.scale.at(place(event) - off));
            });
            bar.element.addEventListener("lostpointercapture",
                                         () => bar.element.classList.remove("held"));
            bar.element.addEventListener("keydown", (event) => {
                const steps = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: PAGE,
                                PageDown: -PAGE, Home: -Infinity, End: Infinity }[event.key];
                if (steps === undefined || event.ctrlKey || event.metaKey || event.altKey)
                    return;
                event.preventDefault();
                set(bar, Number.isFinite(steps)
                    ? bar.scale.from(module.get(bar.row, bar.index), steps) : steps);
            });
        }

        for (const bar of bars.filter((one) => one.handle)) {
            first.set(bar, module.get(bar.row, bar.index));
            const name = bar.of > 1 ? `${bar.svg.dataset.name}[${bar.index}]` : bar.svg.dataset.name;
            for (const [key, value] of Object.entries({
                role: "slider", tabindex: "0", "aria-label": name, "aria-orientation": bar.scale.lies ? "horizontal" : "vertical",
                "aria-valuemin": decimal(bar.scale.low), "aria-valuemax": decimal(bar.scale.high) }))
                bar.element.setAttribute(key, value);
            begin(bar);
        }
        figure.querySelector("button").addEventListener("click", () => {
            for (const [bar, number] of first)
                module.set(bar.row, bar.index, number);
            show();
        });
        figure.module = module;
        show();
        figure.classList.add("moves");
    }

    for (const figure of document.querySelectorAll(".figure")) {
        const bytes = Uint8Array.from(atob(figure.querySelector(".module").textContent.trim()),
                                      (character) => character.charCodeAt(0));
        WebAssembly.instantiate(bytes).then(({ instance }) => start(figure, instance.exports));
    }
})();
