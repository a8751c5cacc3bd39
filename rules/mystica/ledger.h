/* rules/mystica/ledger.h: games of the public server (docs/notation.md). */
#ifndef RULES_MYSTICA_LEDGER_H
#define RULES_MYSTICA_LEDGER_H

#include "game/record.h"

/* The base map by the name that brings the start VP of 2017 with it. */
extern const char map_of_2017[];

bool ledger_recognise(const char *text, size_t length);
bool ledger_read(const char *text, size_t length, struct record *r,
                 struct fault *f);
bool commands_recognise(const char *text, size_t length);
int commands_write(const struct record *r, int viewer, char *to, size_t cap);

#endif
