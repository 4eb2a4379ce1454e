/* Lesson 01 in the race. Its solution is the plain version. */
#include "race.h"

const Race race = {.plain = "solutions/01_layer_norm.c", .functions = {{"layer_norm", FORWARD}}};
