/* tests/fuzz/messages.c: what clients send, as it comes from the network.
 * Whatever is taken for a message can be judged by every command, and what
 * fits one can be written and read again. */
#include "server/hub.h"
#include "tests/fuzz/fuzz.h"

static void check_fit(const json_t *body, const struct command *c)
{
    char why[200] = "";
    if (!message_fits(body, c->fields, why, sizeof why)) {
        insist(why[0] && !strpbrk(why, "\n\r\033"));
        return;
    }
    char *text = json_dumps(body, 0);
    insist(text);
    json_t *back = message_read(text, strlen(text), why, sizeof why);
    insist(back && json_equal(body, back));
    json_decref(back);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[200] = "";
    json_t *body = message_read((const char *)data, size, why, sizeof why);
    if (!body) {
        insist(why[0]);
        return 0;
    }
    for (const struct command *c = commands; c->name; c++)
        check_fit(body, c);
    json_decref(body);
    return 0;
}
