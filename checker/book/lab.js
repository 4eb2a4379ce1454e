/* Lesson 13's lab in the page: as much of it as takes a moment, behind the command that runs all of it. The
 * picture is the lab's own, an SVG, shown as an image: its styles stay its own. */
import { button, element } from "./element.js";

const LESSON = "13_activations", ROWS = 32;
const UNWRITTEN = "Your functions are not written yet: this lab is of what they do.";
const LESS = `Here it takes ${ROWS} of the 256 rows, one of the five seeds, and tanh. A computer adds the rest: ReLU,
 gamma and beta, the gradients, and how much alike the rows are.`;
const PICTURE = "The histograms of all layers, without the norm and with it. Their spreads are in the table.";

/* opened: when page.written is there. A key, or another question, ends it as it ends a check. */
export function openLab(page, opened) {
    const block = page.lesson === LESSON && document.querySelector("pre.machine.lab");
    if (!block)
        return;
    const place = element(`<div class="lab-here"><p>${LESS}</p><div class="progress" role="status"></div>
<div class="block-said" role="log" aria-label="What the lab prints"></div><div class="picture" tabindex="0"></div></div>`);
    const part = (name) => place.querySelector(name), said = part(".block-said"), picture = part(".picture");
    let going = null;

    function stop() {
        going?.abort(new Error("Stopped."));
        going = null;
    }

    async function run() {
        await opened;
        const text = page.written.text(), own = new AbortController();
        page.judged?.stop();
        picture.replaceChildren();
        said.textContent = text === page.stub ? UNWRITTEN : "";
        if (text === page.stub)
            return;
        going = own;
        press.textContent = "Stop";
        let all = "";
        try {
            await page.machine.ask("lab", [page.lesson, text, ROWS], (more, isError) => {
                if (isError)
                    part(".progress").textContent = more;
                else
                    all += more;
            }, own.signal);
        } catch (error) {
            all = `${error.message}\n`;
        }
        show(all);
        if (going === own || !going)
            press.textContent = NAME;
        if (going === own)
            going = null;
    }

    function show(all) {
        const at = all.indexOf("<svg");
        part(".progress").textContent = "";
        said.textContent = at < 0 ? all : all.slice(0, at);
        said.tabIndex = 0; /* the keys scroll it */
        if (at >= 0) {
            const image = document.createElement("img");
            image.alt = PICTURE;
            image.src = `data:image/svg+xml,${encodeURIComponent(all.slice(at))}`;
            picture.append(image);
        }
    }

    const NAME = "Run it here with my functions";
    const press = button(NAME, () => going ? stop() : run());
    place.prepend(press);
    block.classList.add("here");
    block.after(place);
    page.stopLab = stop;
}
