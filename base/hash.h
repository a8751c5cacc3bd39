/* base/hash.h: a fast 64-bit hash of flat memory.
 *
 * Not for secrets or hostile keys: it recognises positions.  Reads its input
 * byte order independently of the machine only on little-endian machines,
 * which is all we build for (x86-64, arm64, WebAssembly). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/rng.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ (hash >> 35);
}

static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    for (; size >= 8; at += 8, size -= 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = hash_word(hash, word);
    }
    if (size > 0) {
        uint64_t word = 0;
        memcpy(&word, at, size);
        hash = hash_word(hash, word + size);
    }
    return rng_mix(hash);
}

#endif
