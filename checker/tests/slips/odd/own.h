/* The header of right_01_own_header.c and wrong_01_own_header.c. */
#define DIVIDED(a, b) ((a) / (b))
