/* server/feed.c: "your turn" for feed readers. */
#include "server/feed.h"

#include "server/hub.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

static void put_xml(struct out *o, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<':
            out_put(o, "&lt;");
            break;
        case '>':
            out_put(o, "&gt;");
            break;
        case '&':
            out_put(o, "&amp;");
            break;
        case '"':
            out_put(o, "&quot;");
            break;
        default:
            out_bytes(o, text, 1);
        }
}

static void put_time(struct out *o, int64_t ms)
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm parts;
    char text[40];
    gmtime_r(&seconds, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    out_put(o, "<updated>");
    out_put(o, text);
    out_put(o, "</updated>");
}

/* A new entry for every turn, as old as the turn is if that is known. */
static void put_entry(struct out *o, const struct table *t, int seat)
{
    out_put(o, "<entry><id>urn:terrarium:");
    out_put(o, t->id);
    out_put(o, ":");
    out_int(o, t->version);
    out_put(o, "</id><title>");
    put_xml(o, t->title);
    out_put(o, "</title><link href=\"/#/table/");
    out_put(o, t->id);
    out_put(o, "\"/>");
    put_time(o, t->clock.since[seat] ? t->clock.since[seat] : t->started);
    out_put(o, "</entry>");
}

static const struct user *owner_of(const struct hub *h, const char *token)
{
    char hash[64];
    size_t at = 0;
    token_hash(token, hash);
    for (const struct user *u; (u = dict_next(&h->users, &at));)
        if (strlen(u->feed) == strlen(hash) && !u->banned && !u->gone &&
            sodium_memcmp(u->feed, hash, strlen(hash)) == 0)
            return u;
    return NULL;
}

bool feed_write(const struct hub *h, const char *token, struct out *o)
{
    const struct user *u = owner_of(h, token);
    size_t at = 0;
    if (!u)
        return false;
    out_put(o, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
               "<feed xmlns=\"http://www.w3.org/2005/Atom\">"
               "<id>urn:terrarium:");
    out_put(o, u->id);
    out_put(o, "</id><title>Terrarium: your turn</title>");
    put_time(o, hub_now(h));
    for (const struct table *t; (t = dict_next(&h->tables, &at));) {
        int seat = table_seat(t, u);
        if (seat >= 0 && t->status == TABLE_RUNNING && t->asked >> seat & 1)
            put_entry(o, t, seat);
    }
    out_put(o, "</feed>\n");
    return true;
}
