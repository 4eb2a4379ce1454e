/* What the pages share. See class.h.
 *
 * The invariant: whatever a student wrote or is called is shown as characters. A page says besides
 * that it runs no script and loads nothing. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

#include "../book/book.h" /* add_text(), html_print(), html_escape() */

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color:#1d2733;background:#fff}"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;margin-top:2.5rem;border-bottom:1px solid #ccd3da}"
    "h3{font-size:1rem;margin:1.5rem 0 .4rem}"
    "pre{font:13px/1.45 ui-monospace,monospace;background:#f4f6f8;padding:.6rem .8rem;"
    "margin:.3rem 0 .8rem;white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid "
    "#ccd3da}"
    "pre.failed{border-color:#c0392b}pre.page{background:#fffbea;border-color:#d9a400}"
    "table{border-collapse:collapse}td,th{padding:.15rem .9rem .15rem 0;text-align:left;"
    "vertical-align:top;overflow-wrap:break-word}td.n,th.n{text-align:right;white-space:nowrap;"
    "font-variant-numeric:tabular-nums}"
    "table.wide td,table.wide th{padding-right:.25rem}table.wide td.n{white-space:normal}"
    ".bar{display:inline-block;height:.8em;background:#4a7fb5;margin-right:.5rem;min-width:1px}"
    "ul{padding-left:1.2rem;margin:.3rem "
    "0}.score{color:#556;white-space:pre-line}summary{cursor:pointer}"
    "h3 span{display:inline-block;width:1.2em}.right{color:#2e7d32}.wrong{color:#c0392b}"
    "@media (prefers-color-scheme:dark){body{background:#14191f;color:#dde3ea}"
    "pre{background:#1e252d}pre.page{background:#2b2717}a{color:#8ab8ea}.score{color:#9ab}}"
    "em{color:#9a6700;font-style:normal}"
    "code{font:.9em ui-monospace,monospace}"
    "@media print{body{margin:0;max-width:none;font-size:11pt;color:#000;background:#fff}"
    "h2{break-before:page}h1+h2,h1+p+h2{break-before:auto}h3,h3+p{break-after:avoid}"
    "tr,li,pre{break-inside:avoid}tr.more{break-before:avoid}"
    "details::details-content{content-visibility:visible}table.wide{font-size:6.5pt}"
    "pre,pre.page{background:#fff;border:1px solid #999}a{color:#000;text-decoration:none}"
    ".bar{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

void page_begin(Buffer *out, const char *title)
{
    add_text(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'\">\n<meta name=\"viewport\" "
                  "content=\"width=device-width, initial-scale=1\">\n<title>");
    html_text(out, title);
    html_print(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1><bdi>", style);
    html_text(out, title);
    add_text(out, "</bdi></h1>\n");
}

void page_end(Buffer *out)
{
    add_text(out, "</body>\n</html>\n");
}

void put_block(Buffer *out, const char *class, const char *text)
{
    html_print(out, "<pre class=\"%s\">\n", class);
    html_text(out, text);
    add_text(out, "</pre>\n");
}

void put_bar(Buffer *out, const char *words, int count, int most)
{
    html_print(out,
               "<tr><td class=\"n\">%d</td><td><span class=\"bar\" style=\"width:%.1frem\">"
               "</span></td><td>",
               count, most > 0 ? 16.0 * count / most : 0);
    html_text(out, words);
    add_text(out, "</td></tr>\n");
}
