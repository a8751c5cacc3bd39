/* cli/line.c: one typed line: edited on a terminal, plain from a pipe. */
#include "cli/line.h"

#include "cli/cli.h"

#include <histedit.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct line {
    EditLine *edit; /* NULL: plain input */
    History *history;
    char *text; /* owned, plain input only */
    size_t cap;
    char prompt[64];
};

static char *show_prompt(EditLine *edit)
{
    struct line *l = NULL;
    el_get(edit, EL_CLIENTDATA, &l);
    return l->prompt;
}

static void edit_begin(struct line *l)
{
    HistEvent event;
    l->edit = el_init("terra", stdin, stdout, stderr);
    if (!l->edit)
        return;
    l->history = history_init();
    if (l->history) {
        history(l->history, &event, H_SETSIZE, 500);
        el_set(l->edit, EL_HIST, history, l->history);
    }
    el_set(l->edit, EL_CLIENTDATA, l);
    el_set(l->edit, EL_PROMPT, show_prompt);
    el_set(l->edit, EL_EDITOR, "emacs");
    el_source(l->edit, NULL);
}

struct line *line_open(void)
{
    struct line *l = need(calloc(1, sizeof *l));
    if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
        edit_begin(l);
    return l;
}

void line_close(struct line *l)
{
    if (l->history)
        history_end(l->history);
    if (l->edit)
        el_end(l->edit);
    free(l->text);
    free(l);
}

bool line_edited(const struct line *l)
{
    return l->edit != NULL;
}

static const char *read_edited(struct line *l)
{
    int count;
    HistEvent event;
    const char *text = el_gets(l->edit, &count);
    if (!text || count <= 0)
        return NULL;
    if (l->history && count > 1)
        history(l->history, &event, H_ENTER, text);
    free(l->text);
    l->text = need(strdup(text));
    return l->text;
}

static const char *read_plain(struct line *l)
{
    return getline(&l->text, &l->cap, stdin) < 0 ? NULL : l->text;
}

const char *line_read(struct line *l, const char *prompt)
{
    snprintf(l->prompt, sizeof l->prompt, "%s", prompt);
    fflush(stdout);
    const char *text = l->edit ? read_edited(l) : read_plain(l);
    if (!text)
        return NULL;
    l->text[strcspn(l->text, "\r\n")] = '\0';
    return l->text;
}
