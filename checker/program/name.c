/* Compiled once for every lesson: the name that its folder, header and texts share. */
#include "run.h"

const char lesson_name[] = LESSON_NAME;
