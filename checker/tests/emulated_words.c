/* What the emulator makes of single instructions: test_emulator_words.py asks, and holds it against
 * another machine.
 *
 * Standard input: records of a Record, the state before and the instruction. Standard output: as
 * many, the state afterwards; `ended` where there is none. */
#include "machine.h"

#include <stdlib.h>

enum { MEMORY = 512, RETURN = (int)0xd65f03c0 };

typedef struct {
    uint64_t x[16]; /* x13: an address within the memory, as an offset */
    uint64_t v[8][2];
    uint64_t flags; /* N, Z, C, V at bits 31 to 28 */
    unsigned char memory[MEMORY];
    uint32_t word, ended;
} Record;

static void put_state(Machine *m, const Record *r, uint64_t memory)
{
    memcpy(m->x, r->x, sizeof r->x);
    memcpy(m->v, r->v, sizeof r->v);
    m->x[13] += memory;
    m->negative = r->flags >> 31 & 1;
    m->zero = r->flags >> 30 & 1;
    m->carry = r->flags >> 29 & 1;
    m->overflow = r->flags >> 28 & 1;
}

static void take_state(const Machine *m, Record *r, uint64_t memory)
{
    memcpy(r->x, m->x, sizeof r->x);
    memcpy(r->v, m->v, sizeof r->v);
    r->x[13] -= memory;
    r->flags = (uint64_t)m->negative << 31 | (uint64_t)m->zero << 30 | (uint64_t)m->carry << 29 |
               (uint64_t)m->overflow << 28;
}

static void try_word(Machine *m, Image *image, Record *r)
{
    const size_t memory = image->code_size;
    memcpy(image->bytes, &r->word, sizeof r->word);
    decode(image, 0, m->code);
    machine_begin(m);
    put_state(m, r, REGION_START(IMAGE_REGION) + memory);
    memcpy(m->regions[IMAGE_REGION].memory + memory, r->memory, MEMORY);
    m->left = 100;
    r->ended = !machine_call(m, REGION_START(IMAGE_REGION));
    take_state(m, r, REGION_START(IMAGE_REGION) + memory);
    memcpy(r->memory, m->regions[IMAGE_REGION].memory + memory, MEMORY);
}

int main(void)
{
    static unsigned char bytes[64 + MEMORY], nobodys[64 + MEMORY];
    Image image = {.bytes = bytes, .nobodys = nobodys, .size = sizeof bytes, .code_size = 64};
    const uint32_t back = (uint32_t)RETURN;
    Machine m;
    Record r;
    memcpy(bytes + 4, &back, sizeof back);
    machine_open(&m, &image);
    while (fread(&r, sizeof r, 1, stdin) == 1) {
        try_word(&m, &image, &r);
        fwrite(&r, sizeof r, 1, stdout);
    }
    machine_close(&m);
    return 0;
}
