/* The editor: CodeMirror with what C needs, its colours the book's (book.css). It is loaded when a
 * place to write comes near, as a script that leaves `workbookEditor`.
 *
 * Tab indents, so it can't leave: Escape and then Tab does, as CodeMirror has it. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { search, searchKeymap } from "@codemirror/search";
import { EditorState, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, drawSelection, EditorView, GutterMarker, gutterLineClass, highlightActiveLine,
         highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
    { tag: [tags.keyword, tags.null, tags.bool], class: "word" },
    { tag: [tags.typeName, tags.standard(tags.typeName)], class: "type" },
    { tag: tags.function(tags.variableName), class: "call" },
    { tag: [tags.string, tags.character], class: "string" },
    { tag: tags.number, class: "number" },
    { tag: tags.comment, class: "comment" },
    { tag: tags.processingInstruction, class: "directive" },
]);

/* ---- the lines that the verdict speaks of ---- */
const markLines = StateEffect.define();
const inText = Decoration.line({ class: "wrong-line" });
const inGutter = new (class extends GutterMarker {
    elementClass = "wrong-line";
})();

function marksAt(state, lines, mark) {
    const known = [...new Set(lines)].filter((line) => line >= 1 && line <= state.doc.lines);
    return RangeSet.of(known.sort((a, b) => a - b).map((line) => mark.range(state.doc.line(line).from)));
}

/* They go with their text, and away when the next verdict comes. */
function markedBy(mark, provide) {
    return StateField.define({
        create: () => RangeSet.empty,
        update: (marks, change) => {
            for (const effect of change.effects)
                if (effect.is(markLines))
                    return marksAt(change.state, effect.value, mark);
            return marks.map(change.changes);
        },
        provide,
    });
}
const marks = [markedBy(inText, (field) => EditorView.decorations.from(field)),
               markedBy(inGutter, (field) => gutterLineClass.from(field))];

/* ---- an editor ---- */
function placeOf(doc, number, column) {
    const line = doc.line(Math.min(Math.max(number, 1), doc.lines));
    return Math.min(line.from + Math.max(column - 1, 0), line.to);
}

/* options: text, label, describedBy (an element's id), small, changed(text), check(). */
window.workbookEditor = function (parent, options) {
    const ownChange = { set: false };
    const check = () => {
        options.check();
        return true;
    };
    const view = new EditorView({
        parent,
        state: EditorState.create({
            doc: options.text,
            extensions: [
                options.small ? [] : [lineNumbers(), highlightActiveLine(), search({ top: true })],
                history(), highlightSpecialChars(), drawSelection(), bracketMatching(), indentOnInput(),
                indentUnit.of("    "), EditorState.tabSize.of(4), cpp(), syntaxHighlighting(colours), marks,
                keymap.of([{ key: "Mod-Enter", run: check }, ...defaultKeymap, ...historyKeymap,
                           ...(options.small ? [] : searchKeymap), indentWithTab]),
                EditorView.contentAttributes.of({ "aria-label": options.label, tabindex: "0",
                                                  "aria-describedby": options.describedBy }),
                EditorView.updateListener.of((update) => {
                    if (update.docChanged && !ownChange.set)
                        options.changed(update.state.doc.toString());
                }),
            ],
        }),
    });

    return {
        dom: view.dom,
        text: () => view.state.doc.toString(),
        focus: () => view.focus(),
        hasFocus: () => view.hasFocus,
        /* Another text in its place; the editor's undo brings the old one back. */
        set: (text) => {
            if (text === view.state.doc.toString())
                return;
            ownChange.set = true;
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
            ownChange.set = false;
        },
        mark: (lines) => view.dispatch({ effects: markLines.of(lines) }),
        /* The cursor goes there, and the window to the cursor. */
        go: (number, column) => {
            const place = placeOf(view.state.doc, number, column);
            view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
        },
        /* The cursor goes to the end of a line, and that of `at` to the editor's top; the window stays. */
        show: (number, at) => {
            view.dispatch({ selection: { anchor: placeOf(view.state.doc, number, Infinity) } });
            view.scrollDOM.scrollTop = view.lineBlockAt(at).top;
        },
        insert: (text) => {
            view.dispatch(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
            view.focus();
        },
        destroy: () => view.destroy(),
    };
};
