/* Lesson 17 in the race. The first two of its functions are not raced: what they cost is a part of
 * layer_norm_fast's time. */
#include "race.h"

const Race race = {
    .plain = "checker/lessons/17_fast/plain.c",
    .solution = "solutions/17_fast.c",
    .functions = {{"layer_norm_fast", FORWARD}, {"layer_norm_backward_fast", BACKWARD}}};
