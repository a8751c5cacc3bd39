/* server/files.c: a folder of static files, kept in memory. */
#include "server/files.h"

#include "base/hash.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <libintl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 8, PATH_BYTES = 1024 };

static const struct {
    const char *suffix, *type;
} types[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".json", "application/json"},
    {".webmanifest", "application/manifest+json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".jpg", "image/jpeg"},
    {".ico", "image/x-icon"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
    {".map", "application/json"},
};

/* By encoding: the suffix of the variant, and its name in HTTP. */
static const char *const variants[ENCODINGS] = {"", ".gz", ".br"};
static const char *const names[ENCODINGS] = {"", "gzip", "br"};

static bool ends_with(const char *text, const char *suffix)
{
    size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

const char *files_type(const char *path)
{
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (ends_with(path, types[i].suffix))
            return types[i].type;
    return "application/octet-stream";
}

/* The build puts a hash of the content into every name below /assets. */
const char *files_cache(const char *path)
{
    return strncmp(path, "/assets/", 8) == 0
               ? "public, max-age=31536000, immutable"
               : "no-cache";
}

/* ---- loading ---- */

static bool read_content(const char *name, struct content *c)
{
    FILE *in = fopen(name, "rb");
    if (!in)
        return false;
    struct stat about;
    bool good = fstat(fileno(in), &about) == 0 && S_ISREG(about.st_mode);
    if (good) {
        c->size = (size_t)about.st_size;
        c->data = malloc(c->size + 1);
        good = c->data && fread(c->data, 1, c->size, in) == c->size;
    }
    if (good) {
        c->data[c->size] = '\0';
    } else {
        free(c->data);
        *c = (struct content){NULL, 0};
    }
    fclose(in);
    return good;
}

static void set_etag(struct file *file)
{
    const struct content *c = &file->content[ENCODING_NONE];
    struct text t = text_begin(file->etag, sizeof file->etag);
    text_char(&t, '"');
    text_hex(&t, hash_bytes(c->size, c->data, c->size));
    text_char(&t, '"');
    text_end(&t);
}

static struct file *append(struct files *f)
{
    if (f->count == f->cap) {
        size_t cap = f->cap ? 2 * f->cap : 64;
        struct file *list = realloc(f->list, cap * sizeof *list);
        if (!list)
            return NULL;
        f->list = list;
        f->cap = cap;
    }
    struct file *file = &f->list[f->count];
    memset(file, 0, sizeof *file);
    return file;
}

static bool load_file(struct files *f, const char *name, const char *path)
{
    struct file *file = append(f);
    if (!file || !read_content(name, &file->content[ENCODING_NONE]))
        return false;
    f->count++;
    file->path = strdup(path);
    if (!file->path)
        return false;
    set_etag(file);
    for (int i = ENCODING_NONE + 1; i < ENCODINGS; i++) {
        char variant[PATH_BYTES + 8];
        snprintf(variant, sizeof variant, "%s%s", name, variants[i]);
        read_content(variant, &file->content[i]);
    }
    return true;
}

static bool is_variant(const char *name)
{
    return ends_with(name, ".gz") || ends_with(name, ".br");
}

static bool load_folder(struct files *f, const char *root, const char *below,
                        int depth)
{
    char name[PATH_BYTES], path[PATH_BYTES];
    snprintf(name, sizeof name, "%s%s", root, below);
    DIR *folder = opendir(name);
    if (!folder)
        return false;
    bool good = true;
    struct dirent *entry;
    while (good && (entry = readdir(folder))) {
        if (entry->d_name[0] == '.' || is_variant(entry->d_name))
            continue;
        struct stat about;
        int used = snprintf(path, sizeof path, "%s/%s", below, entry->d_name);
        int all = snprintf(name, sizeof name, "%s%s", root, path);
        good = used < PATH_BYTES && all < PATH_BYTES && stat(name, &about) == 0;
        if (good && S_ISDIR(about.st_mode))
            good = depth < DEPTH_MAX && load_folder(f, root, path, depth + 1);
        else if (good)
            good = load_file(f, name, path);
    }
    closedir(folder);
    return good;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct file *)a)->path,
                  ((const struct file *)b)->path);
}

bool files_load(struct files *f, const char *root, char *why, size_t cap)
{
    memset(f, 0, sizeof *f);
    if (!load_folder(f, root, "", 0)) {
        snprintf(why, cap, gettext("cannot read '%s': %s"), root,
                 strerror(errno));
        return false;
    }
    qsort(f->list, f->count, sizeof *f->list, by_path);
    if (!files_find(f, "/")) {
        snprintf(why, cap,
                 gettext("'%s' has no index.html; build the client first"),
                 root);
        return false;
    }
    return true;
}

void files_release(struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->list[i].path);
        for (int e = 0; e < ENCODINGS; e++)
            free(f->list[i].content[e].data);
    }
    free(f->list);
    memset(f, 0, sizeof *f);
}

/* ---- what only the running server knows ---- */

/* An address that needs no quoting in a page. */
static bool plain_address(const char *site)
{
    size_t scheme = strncmp(site, "https://", 8) == 0  ? 8
                    : strncmp(site, "http://", 7) == 0 ? 7
                                                       : 0;
    return scheme && site[scheme] &&
           strspn(site + scheme,
                  "abcdefghijklmnopqrstuvwxyz"
                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                  "0123456789.-_:[]/") == strlen(site + scheme) &&
           !ends_with(site, "/");
}

/* The compressed variants tell the old text; a page is small. */
static void replace(struct file *file, struct content by)
{
    for (int i = 0; i < ENCODINGS; i++) {
        free(file->content[i].data);
        file->content[i] = (struct content){NULL, 0};
    }
    file->content[ENCODING_NONE] = by;
    set_etag(file);
}

bool files_site(struct files *f, const char *site, char *why, size_t cap)
{
    static const char before[] = "property=\"og:image\" content=\"";
    struct file *page = (struct file *)files_find(f, "/");
    struct content *c = &page->content[ENCODING_NONE];
    const char *old = (const char *)c->data, *at = strstr(old, before);
    if (!plain_address(site)) {
        snprintf(why, cap,
                 gettext("--site is like https://example.org, not "
                         "'%s'"),
                 site);
        return false;
    }
    if (!at)
        return true;
    int head = (int)(at - old) + (int)sizeof before - 1;
    struct content with = {NULL, c->size + strlen(site)};
    with.data = malloc(with.size + 1);
    if (!with.data)
        return false;
    snprintf((char *)with.data, with.size + 1, "%.*s%s%s", head, old, site,
             old + head);
    replace(page, with);
    return true;
}

/* ---- looking up ---- */

const struct file *files_find(const struct files *f, const char *path)
{
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    size_t low = 0, high = f->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(path, f->list[middle].path);
        if (order == 0)
            return &f->list[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* Is the coding named in the header, and not with a weight of zero? */
static bool accepted(const char *accepts, const char *name)
{
    struct span rest = span_of(accepts);
    while (rest.length > 0) {
        struct span item = span_trim(span_cut(&rest, ','));
        struct span weight = item;
        struct span coding = span_trim(span_cut(&weight, ';'));
        weight = span_trim(weight);
        if (span_is(coding, name))
            return !span_is(weight, "q=0") && !span_is(weight, "q=0.0");
    }
    return false;
}

enum encoding files_choose(const struct file *file, const char *accepts)
{
    for (int i = ENCODINGS - 1; accepts && i > ENCODING_NONE; i--)
        if (file->content[i].data && accepted(accepts, names[i]))
            return (enum encoding)i;
    return ENCODING_NONE;
}
