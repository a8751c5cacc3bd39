/* cli/speak.c: messages in the reader's language.
 *
 * Only what is said to people follows the locale (LC_ALL, LC_MESSAGES, LANG,
 * and LANGUAGE before them).  Notation, files, JSON and numbers never do, so
 * LC_NUMERIC and the others stay those of C. */
#include "cli/cli.h"

#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const wishes[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

/* The system lacks the locale that is asked for.  The words are ours: all
 * gettext needs is some locale other than C, and the wish. */
static void follow_wish(void)
{
    for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
        const char *wish = getenv(wishes[i]);
        if (!wish || !*wish)
            continue;
        const char *language = getenv("LANGUAGE");
        if (setlocale(LC_MESSAGES, "C.UTF-8") && !(language && *language))
            setenv("LANGUAGE", wish, 1);
        return;
    }
}

/* The catalogues lie beside the program where it was built, or where a system
 * keeps them. */
static bool find_catalogues(char *to, size_t cap)
{
    static const char *const places[] = {"po", "../share/locale"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct stat found;
        int needed = snprintf(to, cap, "%s/%s", self, places[i]);
        if (needed > 0 && (size_t)needed < cap && stat(to, &found) == 0)
            return true;
    }
    return false;
}

void speak_begin(void)
{
    char folder[PATH_MAX + 32];
    if (!setlocale(LC_CTYPE, ""))
        setlocale(LC_CTYPE, "C.UTF-8");
    if (!setlocale(LC_MESSAGES, ""))
        follow_wish();
    if (!find_catalogues(folder, sizeof folder))
        return;
    bindtextdomain("terra", folder);
    bind_textdomain_codeset("terra", "UTF-8");
    textdomain("terra");
}

int columns_of(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

int padded(const char *text, int columns)
{
    return columns + (int)strlen(text) - columns_of(text);
}

void put_headings(const struct column *list, int count, int *width)
{
    for (int i = 0; i < count; i++) {
        const char *title = tr(list[i].title);
        bool left = list[i].width < 0;
        int least = left ? -list[i].width : list[i].width;
        int needed = columns_of(title);
        width[i] = needed > least ? needed : least;
        int bytes = padded(title, width[i]);
        printf("%s%*s", i ? " " : "", left ? -bytes : bytes, title);
    }
    putchar('\n');
}

const char *speak_phrase(const struct fault_text *entry)
{
    char key[96];
    snprintf(key, sizeof key, "fault\004%s", entry->name);
    const char *found = gettext(key);
    return strcmp(found, key) == 0 ? entry->phrase : found;
}

void speak_fault(const struct game *game, const struct fault *f, char *to,
                 size_t cap)
{
    const struct fault_text *entry = fault_text(game, f->code);
    const char *rule = entry->paragraph;
    snprintf(to, cap, "%s: %s%s%s%s%s%s%s", entry->name, speak_phrase(entry),
             f->subject[0] ? ": '" : "", f->subject, f->subject[0] ? "'" : "",
             rule ? " (" : "", rule ? rule : "", rule ? ")" : "");
}
