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
    line_words *words; /* for the Tab key, or NULL */
    void *data;
};

/* ---- the Tab key ---- */

/* Keeps of `list` what begins with `start`; returns how many. */
static int keep_matching(char **list, int count, const char *start)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (strncmp(list[i], start, strlen(start)) == 0)
            list[kept++] = list[i];
        else
            free(list[i]);
    }
    return kept;
}

/* How long is what all of them begin with? */
static size_t common(char *const *list, int count)
{
    size_t length = strlen(list[0]);
    for (int i = 1; i < count; i++) {
        size_t k = 0;
        while (k < length && list[i][k] == list[0][k])
            k++;
        length = k;
    }
    return length;
}

static void show_words(char *const *list, int count)
{
    enum { MOST = 60 };
    putchar('\n');
    for (int i = 0; i < count && i < MOST; i++)
        printf("%s%s", list[i], i % 10 == 9 ? "\n" : "  ");
    printf("%s\n", count > MOST ? "..." : "");
    fflush(stdout);
}

/* Adds to the line what is certain, or shows what is possible. */
static unsigned char complete(EditLine *edit, char **list, int count,
                              const char *start)
{
    char more[256];
    size_t known = strlen(start), length = count ? common(list, count) : 0;
    if (count == 0)
        return CC_ERROR;
    if (count > 1 && length <= known) {
        show_words(list, count);
        return CC_REDISPLAY;
    }
    snprintf(more, sizeof more, "%.*s%s", (int)(length - known),
             list[0] + known, count == 1 ? " " : "");
    return el_insertstr(edit, more) == 0 ? CC_REFRESH : CC_ERROR;
}

static unsigned char on_tab(EditLine *edit, int key)
{
    struct line *l = NULL;
    char **list = NULL, before[1024];
    (void)key;
    el_get(edit, EL_CLIENTDATA, &l);
    const LineInfo *info = el_line(edit);
    size_t length = (size_t)(info->cursor - info->buffer), word = length;
    if (!l->words || length >= sizeof before)
        return CC_ERROR;
    memcpy(before, info->buffer, length);
    before[length] = '\0';
    while (word > 0 && !strchr(" ,;:", before[word - 1]))
        word--;
    char *start = need(strdup(before + word));
    before[word] = '\0';
    int count = l->words(l->data, before, &list);
    count = keep_matching(list, count, start);
    unsigned char done = complete(edit, list, count, start);
    keep_matching(list, count, "\n"); /* none: releases all */
    free(list);
    free(start);
    return done;
}

void line_complete(struct line *l, line_words *words, void *data)
{
    l->words = words;
    l->data = data;
}

/* ---- opening and reading ---- */

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
    el_set(l->edit, EL_SIGNAL, 1); /* leaves the terminal as it was */
    /* The wide form keeps the names; the other copies and forgets them. */
    el_wset(l->edit, EL_ADDFN, L"terra-complete", L"complete", on_tab);
    el_set(l->edit, EL_BIND, "^I", "terra-complete", NULL);
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
    /* Before the prompt, so that no key meets an unprepared terminal. */
    el_set(l->edit, EL_PREP_TERM, 1);
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
