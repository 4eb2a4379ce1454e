# Turns one of the machine's package lists, in either of apt's two formats, into what fetch.sh reads:
# `types` ("deb-src") in place of deb, and only the main archive and its security updates. Whatever
# says how to trust an archive (Signed-By and the like) stays as it is.

function wanted_suites(suites, words, count, i, kept) {
    count = split(suites, words)
    for (i = 1; i <= count; i++)
        if (words[i] in wanted)
            kept = kept " " words[i]
    return kept
}

function wanted_components(components, words, count, i, kept) {
    count = split(components, words)
    for (i = 1; i <= count; i++)
        if (words[i] == "main" || words[i] == "universe")
            kept = kept " " words[i]
    return kept
}

function print_stanza(suites, components, uris) {
    suites = wanted_suites(field["suites"])
    components = wanted_components(field["components"])
    uris = field["uris"]
    if (field["types"] ~ /(^|[ \t])deb([ \t]|$)/ && field["enabled"] !~ /no|false|off/ &&
        suites != "" && components != "" && uris !~ /cdrom:/)
        print "Types: " types "\nSuites:" suites "\nComponents:" components "\n" other
    split("", field)
    other = name = ""
}

BEGIN {
    stanzas = file ~ /\.sources$/
    names = codenames " stable oldstable testing unstable sid"
    count = split(names, words)
    for (i = 1; i <= count; i++) {
        wanted[words[i]]
        wanted[words[i] "-security"]
        wanted[words[i] "/updates"]
    }
}

{ sub(/\r$/, "") }

# One line an archive: deb [options] URI suite components
!stanzas && /^[ \t]*deb[ \t]/ && !/cdrom:/ {
    sub(/#.*/, "")
    sub(/^[ \t]*deb[ \t]+/, "")
    options = ""
    if (match($0, /^\[[^]]*\]/)) {
        options = substr($0, 1, RLENGTH) " "
        $0 = substr($0, RLENGTH + 1)
    }
    uri = $1
    suites = wanted_suites($2)
    $1 = $2 = ""
    components = wanted_components($0)
    if (suites != "" && components != "") {
        count = split(types, words)
        for (i = 1; i <= count; i++)
            print words[i] " " options uri suites components
    }
}

# Stanzas of fields, as in a mail's head; a line that starts with a space goes on with its field.
stanzas && /^#/ { next }
stanzas && /^[ \t]*$/ { print_stanza(); next }
stanzas {
    value = $0
    if (!/^[ \t]/) {
        name = tolower(substr($0, 1, index($0, ":") - 1))
        value = substr($0, index($0, ":") + 1)
    }
    field[name] = field[name] " " value
    if (name != "types" && name != "suites" && name != "components")
        other = other $0 "\n"
}
END { if (stanzas) print_stanza() }
