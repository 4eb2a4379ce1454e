/* Hints on the step that the learner is at, one at a press: first those about what they wrote, then the
 * lesson's, each tier once. Those about what they wrote begin anew with another mistake. */
const AGAIN = "Again for the next one.", LAST = "That was the last one.";

export function hintsOf({ lesson, machine }) {
    const tiers = {};          /* of each step, how many of the lesson's were told */
    let about = "", told = 0;  /* what was written, and how many of its hints */

    /* Lines move when others come before them; the mistake is the same. */
    const mistakeOf = ({ step, own }) => step + own.map((hint) => hint.text.replace(/\d+/g, "")).join();

    return {
        /* A promise of the next one, as lines. */
        async next(text, signal) {
            let said = "";
            const code = await machine.ask("hint", [lesson, text], (more) => { said += more; }, signal);
            const found = JSON.parse(said);
            if (!found.step)
                return code ? "First mend what the compiler says.\n" : "All of it passes: nothing to hint at.\n";
            if (mistakeOf(found) !== about)
                told = 0;
            about = mistakeOf(found);
            if (told < found.own.length) {
                const hint = found.own[told++];
                return `${hint.title}\n\n${hint.text}\nAgain for more.\n`;
            }
            const tier = Math.min((tiers[found.step] ?? 0) + 1, found.general.length);
            tiers[found.step] = tier;
            const hint = found.general[tier - 1];
            return `${hint.title}\n\n${hint.text}\n\n${tier < found.general.length ? AGAIN : LAST}\n`;
        },
    };
}
