/* server/files.h: a folder of static files, kept in memory.
 *
 * The client is some dozens of small files that never change while the server
 * runs, each with a brotli and a gzip variant beside it.  Requests look names
 * up in this table, so no path from outside ever reaches the file system. */
#ifndef SERVER_FILES_H
#define SERVER_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum encoding { ENCODING_NONE, ENCODING_GZIP, ENCODING_BROTLI, ENCODINGS };

struct content {
    unsigned char *data; /* owned; NULL: there is no such variant */
    size_t size;
};

struct file {
    char *path; /* owned: "/assets/index-3f.js" */
    struct content content[ENCODINGS];
    char etag[20]; /* "\"16 digits\"" */
};

struct files {
    struct file *list; /* owned, sorted by path */
    size_t count, cap;
};

/* Reads the folder; false and a reason if that is impossible. */
bool files_load(struct files *f, const char *root, char *why, size_t cap);
void files_release(struct files *f);
/* Tells the first page where the site is, "https://example.org": other sites
 * show the picture of a link only by its whole address.  False and a reason if
 * that is no address. */
bool files_site(struct files *f, const char *site, char *why, size_t cap);

/* The file of a request path, "/" being "/index.html"; NULL if none. */
const struct file *files_find(const struct files *f, const char *path);

/* The best variant for an Accept-Encoding header (may be NULL). */
enum encoding files_choose(const struct file *file, const char *accepts);

/* What to say about a path: its type, and how long it may be kept. */
const char *files_type(const char *path);
const char *files_cache(const char *path);

#endif
