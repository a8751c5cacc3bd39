/* store/schema.h: the tables of the SQL back ends, as a list of steps.
 *
 * A store remembers how many steps it has taken and takes the others when it
 * is opened.  A step that was ever released is never changed: a new one is
 * added behind it. */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

static const char *const store_schema[] = {
    /* 1: records and logs */
    "CREATE TABLE record ("
    "  kind TEXT NOT NULL, key TEXT NOT NULL,"
    "  version INTEGER NOT NULL CHECK (version > 0), text TEXT NOT NULL,"
    "  PRIMARY KEY (kind, key)) WITHOUT ROWID;"
    "CREATE TABLE line ("
    "  log TEXT NOT NULL, sequence INTEGER NOT NULL CHECK (sequence > 0),"
    "  at INTEGER NOT NULL, text TEXT NOT NULL,"
    "  PRIMARY KEY (log, sequence)) WITHOUT ROWID;",
    /* 2: jobs that several servers can share */
    "CREATE TABLE job ("
    "  kind TEXT NOT NULL, key TEXT NOT NULL, due INTEGER NOT NULL,"
    "  holder TEXT NOT NULL DEFAULT '', until INTEGER NOT NULL DEFAULT 0,"
    "  text TEXT NOT NULL, PRIMARY KEY (kind, key)) WITHOUT ROWID;"
    "CREATE INDEX job_due ON job (kind, due);",
    /* 3: notes, whose keys were TABLE:USER, are found by their writer */
    ("UPDATE record SET key = substr(key, 14) || ':' || substr(key, 1, 12)"
     "  WHERE kind = 'note' AND length(key) = 25;"),
    /* 4: who has a name is a record of its own: see server/people.c */
    "INSERT OR IGNORE INTO record (kind, key, version, text)"
    "  SELECT 'name', replace(replace(replace(lower("
    "    json_extract(text, '$.name')), ' ', '-'), '.', '-'), '_', '-'), 1, key"
    "  FROM record WHERE kind = 'user' AND json_valid(text)"
    "    AND json_extract(text, '$.name') IS NOT NULL"
    "    AND coalesce(json_extract(text, '$.gone'), 0) = 0;",
    /* 5: games that are over are found by lists: see server/past.c */
    ("WITH past AS (SELECT key, text, json_extract(text, '$.game') AS game,"
     "  json_extract(text, '$.finished') AS at FROM record"
     "  WHERE kind = 'match' AND json_valid(text)"
     "    AND json_extract(text, '$.status') = 'over'"
     "    AND json_extract(text, '$.started') > 0),"
     " listed AS (SELECT 'all' AS list, past.* FROM past"
     "    WHERE NOT json_extract(text, '$.hidden')"
     "  UNION SELECT game, past.* FROM past"
     "    WHERE NOT json_extract(text, '$.hidden')"
     "  UNION SELECT json_extract(seat.value, '$.user'), past.*"
     "    FROM past, json_each(past.text, '$.seats') AS seat"
     "    WHERE json_extract(seat.value, '$.user') IS NOT NULL)"
     "INSERT OR IGNORE INTO record (kind, key, version, text)"
     "  SELECT 'over', list || ':' || printf('%013d', 9999999999999 - at)"
     "    || ':' || key, 1, text FROM listed"
     "  UNION SELECT 'over', 'rated:' || game || ':' || printf('%013d', at)"
     "    || ':' || key, 1, text FROM past"
     "    WHERE json_extract(text, '$.rated');"),
};

enum { STORE_SCHEMA = sizeof store_schema / sizeof store_schema[0] };

#endif
