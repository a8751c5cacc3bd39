/* game/fault.c: the faults every game can have, and how a fault reads. */
#include "game/fault.h"

#include "base/text.h"
#include "game/game.h"

#include <string.h>

static const struct fault_text shared[] = {
    {FAULT_NONE, "none", "no fault", NULL},
    {FAULT_SEATS, "setup.seats", "this number of seats is not possible", NULL},
    {FAULT_OPTION, "setup.option", "there is no such option", NULL},
    {FAULT_VALUE, "setup.value", "the option cannot have this value", NULL},
    {FAULT_GIVEN, "setup.given", "nothing of this name can be given", NULL},
    {FAULT_ENCODING, "text.encoding", "the text is not UTF-8", NULL},
    {FAULT_SIZE, "text.size", "the text is too large", NULL},
    {FAULT_SYNTAX, "text.syntax", "this is no action", NULL},
    {FAULT_TURN, "order.turn", "this seat is not to act", NULL},
    {FAULT_OVER, "order.over", "the match is over", NULL},
    {FAULT_FORMAT, "text.format", "the format is not known", NULL},
    {FAULT_TRUNCATED, "text.truncated", "the text ends too early", NULL},
    {FAULT_HIDDEN, "text.hidden", "this tells what the seat cannot know", NULL},
    {0, NULL, NULL, NULL},
};

bool fault_span(struct fault *f, int code, int line, int column,
                const char *subject, size_t length)
{
    f->code = code;
    f->line = line;
    f->column = column;
    span_copy((struct span){subject, length}, f->subject, sizeof f->subject);
    for (char *at = f->subject; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = '?';
    return false;
}

bool fault_set(struct fault *f, int code, int line, int column,
               const char *subject)
{
    return fault_span(f, code, line, column, subject, strlen(subject));
}

const struct fault_text *fault_shared(void)
{
    return shared;
}

static const struct fault_text *find(const struct fault_text *in, int code)
{
    for (; in && in->name; in++)
        if (in->code == code)
            return in;
    return NULL;
}

const struct fault_text *fault_text(const struct game *game, int code)
{
    const struct fault_text *found = find(shared, code);
    if (!found && game)
        found = find(game->faults, code);
    return found ? found : &shared[0];
}

int fault_write(const struct game *game, const struct fault *f, char *to,
                size_t cap)
{
    const struct fault_text *entry = fault_text(game, f->code);
    struct text t = text_begin(to, cap);
    text_put(&t, entry->name);
    text_put(&t, ": ");
    text_put(&t, entry->phrase);
    if (f->subject[0]) {
        text_put(&t, ": '");
        text_put(&t, f->subject);
        text_put(&t, "'");
    }
    if (entry->paragraph) {
        text_put(&t, " (");
        text_put(&t, entry->paragraph);
        text_put(&t, ")");
    }
    return text_end(&t);
}
