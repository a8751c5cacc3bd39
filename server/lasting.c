/* server/lasting.c: memory for what stays, in blocks by size. */
#include "server/lasting.h"

#include "server/out.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 16, SIZES = 64, LARGEST = STEP * SIZES, BLOCK = 16384 };

/* A piece that nobody has. */
struct piece {
    struct piece *next;
};

static struct piece *unused[SIZES];

static void cut_block(size_t kind)
{
    size_t size = (kind + 1) * STEP;
    char *block = sure(malloc(BLOCK));
    for (size_t at = 0; at + size <= BLOCK; at += size) {
        struct piece *p = (struct piece *)(void *)(block + at);
        p->next = unused[kind];
        unused[kind] = p;
    }
}

/* A sanitizer wants to see every piece come and go. */
static bool by_itself(size_t size)
{
#ifdef __SANITIZE_ADDRESS__
    return size > 0;
#else
    return size > LARGEST;
#endif
}

void *lasting_new(size_t size)
{
    size += size == 0;
    if (by_itself(size))
        return sure(calloc(1, size));
    size_t kind = (size - 1) / STEP;
    if (!unused[kind])
        cut_block(kind);
    struct piece *p = unused[kind];
    unused[kind] = p->next;
    return memset(p, 0, size);
}

void lasting_free(void *memory, size_t size)
{
    size += size == 0;
    if (!memory)
        return;
    if (by_itself(size)) {
        free(memory);
        return;
    }
    struct piece *p = memory;
    p->next = unused[(size - 1) / STEP];
    unused[(size - 1) / STEP] = p;
}

char *lasting_text(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(lasting_new(size), text, size);
}

void lasting_forget(char *text)
{
    if (text)
        lasting_free(text, strlen(text) + 1);
}
