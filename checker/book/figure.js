/* Figures that move: a bar is dragged, or moved with the keys; the lesson's C code, as WebAssembly,
 * works everything out again; the bars are drawn anew. What a figure is stands in the page (still.c). */
"use strict";

(function () {
    const PAGE = 10; /* how many steps PageUp goes */

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

    function scale_of(svg) {
        const data = svg.dataset, powers = "powers" in data;
        const on = powers ? Math.log10 : (number) => number;
        const low = on(Number(data.low)), high = on(Number(data.high));
        const top = Number(data.top), height = Number(data.height), step = Number(data.step);
        return {
            low: Number(data.low),
            high: Number(data.high),
            zero: powers ? Number(data.low) : 0,
            y: (number) => {
                const at = ((number > 0 || !powers ? on(number) : -Infinity) - low) / (high - low);
                return top + height * (1 - Math.min(1, Math.max(0, at)));
            },
            /* The number at a height of the picture, and the one so many steps from another. */
            at: (y) => low + (1 - (y - top) / height) * (high - low),
            from: (number, steps) => on(number) + steps * step,
            /* The nearest one that is whole steps away from 0. */
            number: (value) => {
                const held = Math.min(high, Math.max(low, Math.round(value / step) * step));
                return Number((powers ? 10 ** held : held).toPrecision(6));
            },
        };
    }

    function draw(bar, number) {
        const zero = bar.scale.y(bar.scale.zero);
        const y = Number.isFinite(number) ? bar.scale.y(number) : zero;
        const few = bar.of > 6 ? 3 : 4;
        bar.fill.setAttribute("y", Math.min(y, zero).toFixed(2));
        bar.fill.setAttribute("height", Math.abs(y - zero).toFixed(2));
        for (const circle of bar.circles)
            circle.setAttribute("cy", y.toFixed(2));
        if (bar.text)
            bar.text.textContent = number_text(number, few);
        if (bar.handle) {
            bar.element.setAttribute("aria-valuenow", number);
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
                scale: scale_of(svg),
                fill: element.querySelector(".fill"),
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
            const height = (event) => {
                const box = bar.svg.getBoundingClientRect();
                return (event.clientY - box.top) * bar.svg.viewBox.baseVal.height / box.height;
            };
            /* A finger on a handle does not scroll the page. (touch-action is for whole pictures.) */
            bar.element.addEventListener("touchstart", (event) => event.preventDefault(),
                                         { passive: false });
            bar.element.addEventListener("pointerdown", (event) => {
                bar.element.setPointerCapture(event.pointerId);
                bar.element.focus();
                bar.element.classList.add("held");
                off = height(event) - Number(bar.handle.getAttribute("cy"));
            });
            bar.element.addEventListener("pointermove", (event) => {
                if (bar.element.hasPointerCapture(event.pointerId))
                    set(bar, bar.scale.at(height(event) - off));
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
                role: "slider", tabindex: "0", "aria-label": name, "aria-orientation": "vertical",
                "aria-valuemin": bar.scale.low, "aria-valuemax": bar.scale.high }))
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
