/* What memory.h (checker/box/) gives a lesson's calls.c, for its copies: trial.c has the
 * functions. */
void fail_allocation(int nth);
int allocations(void);
int blocks_held(void);
void free_since(int held);
