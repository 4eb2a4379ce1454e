/* What a lab's picture is drawn on: its size, and its colours by day and by night. They are the
 * book's (checker/book/book.css), and written out, for not every viewer knows variables. */
#include "labs.h"

#include "markup.h"

/* Of the curves, and of what is around them: the ground, the words, what is beside them, lines. */
static const char *const day[LOOKS] = {"#0a5aa8", "#8f5208", "#8a2a7c",
                                       "#0b6570", "#1d6e39", "#5d6570"};
static const char *const night[LOOKS] = {"#86bdfc", "#e0a158", "#e29bd6",
                                         "#6fcbd6", "#7ccf95", "#9aa3b0"};

static void write_colours(FILE *out, const char *const colours[LOOKS], const char *ground,
                          const char *ink, const char *soft, const char *line)
{
    fprintf(out, "text{fill:%s}.note,.up,.beside{fill:%s}.ground{fill:%s}", ink, soft, ground);
    fprintf(out, ".grid{stroke:%s}.zero,.pale,.leader{stroke:%s}.mark{stroke:%s}", line, soft, ink);
    fprintf(out, ".ridge{stroke:%s}", ground);
    for (int i = 0; i < LOOKS; i++)
        fprintf(out, ".line%d{stroke:%s}.fill%d{fill:%s}", i, colours[i], i, colours[i]);
}

void paper_begin(FILE *out, int width, int height, const char *title)
{
    Buffer words = {0};
    html_text(&words, title);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
            "%d\" role=\"img\">\n<title>%.*s</title>\n<style>\n",
            7 * width / 4, 7 * height / 4, width, height, (int)words.length, words.data);
    fputs("svg{max-width:100%;height:auto}text{font:11px system-ui,\"Segoe UI\",\"Noto Sans\","
          "\"DejaVu Sans\",sans-serif}.title{font-size:13px;font-weight:600}"
          ".band{opacity:.15}.pale{stroke-width:1;opacity:.4}path{stroke-width:1.8}"
          "[class^=line],.leader,.pale,.mark{fill:none}.leader{stroke-width:1}"
          ".grid{stroke-width:.8}.ridge{stroke-width:.5}\n",
          out);
    write_colours(out, day, "#fdfcf9", "#22252b", "#595f69", "#ddd7ca");
    fputs("\n@media (prefers-color-scheme:dark){", out);
    write_colours(out, night, "#15181d", "#e5e3dd", "#a6adb8", "#39414d");
    fputs("}\n</style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n", out);
    buffer_free(&words);
}
