/* rules/mystica/record.h: the file formats of Terra Mystica. */
#ifndef RULES_MYSTICA_RECORD_H
#define RULES_MYSTICA_RECORD_H

#include "game/record.h"

extern const struct record_format mystica_formats[];

#endif
