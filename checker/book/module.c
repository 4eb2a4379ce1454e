/* What the page calls of a figure: WebAssembly's side of figure.h. */
#include "figure.h"

__attribute__((export_name("set"))) void figure_set(int row, int i, float number)
{
    figure.rows[row].number[i] = number;
}

__attribute__((export_name("get"))) float figure_get(int row, int i)
{
    return figure.rows[row].number[i];
}

__attribute__((export_name("compute"))) void figure_compute(void)
{
    figure.compute();
}
