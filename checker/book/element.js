/* Elements, of HTML that stands in a script of ours. What is a learner's goes in by append(), as text. */
export function element(html) {
    const made = document.createElement("template");
    made.innerHTML = html;
    return made.content.firstElementChild;
}

export function button(words, act, name = "") {
    const made = document.createElement("button");
    made.type = "button";
    made.className = name;
    made.append(words);
    made.addEventListener("click", act);
    return made;
}
