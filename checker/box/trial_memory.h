/* What memory.h (checker/box/) gives a lesson's calls.c, for its copies: trial_library.c
 * has the functions. In the one text they must not be taken for a learner's own: see CALLS_PREFIX.
 */
void __calls_fail_allocation(int nth);
int __calls_allocations(void);
int __calls_blocks_held(void);
void __calls_leave_since(int held);
void __calls_leave_hidden(void);
