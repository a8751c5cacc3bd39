/* server/trouble.c: the pages that say what went wrong.
 *
 * Whoever gets here has no client running that could translate, so the words
 * are here, and the request says which language it likes. */
#include "server/trouble.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LANGUAGES = 4, SAFE_BYTES = 256 };

struct words {
    const char *title, *help;
};

static const char *const languages[LANGUAGES] = {"en", "nl", "sv", "de"};

static const char *const home[LANGUAGES] = {
    "Go to the start page",
    "Naar de startpagina",
    "Till startsidan",
    "Zur Startseite",
};

static const struct {
    unsigned status;
    struct words in[LANGUAGES];
} troubles[TROUBLES] = {
    [TROUBLE_MISSING] =
        {404,
         {{"Page not found",
           "Nothing has this address. If you typed it, check the spelling; a "
           "shared game begins with /#."},
          {"Pagina niet gevonden",
           "Op dit adres staat niets. Heb je het ingetypt, controleer dan de "
           "spelling; het adres van een gedeelde partij begint met /#."},
          {"Sidan finns inte",
           "Det finns inget på den här adressen. Om du skrev in den själv, "
           "kontrollera stavningen; adressen till ett delat parti börjar med "
           "/#."},
          {"Seite nicht gefunden",
           "Unter dieser Adresse gibt es nichts. Hast du sie eingetippt, prüfe "
           "die Schreibweise; die Adresse einer geteilten Partie beginnt mit "
           "/#."}}},
    [TROUBLE_LONG] =
        {414,
         {{"Address too long", "No page here has so long an address."},
          {"Adres te lang", "Geen pagina hier heeft zo’n lang adres."},
          {"För lång adress", "Ingen sida här har en så lång adress."},
          {"Adresse zu lang", "Keine Seite hier hat eine so lange Adresse."}}},
    [TROUBLE_METHOD] =
        {405,
         {{"Method not allowed", "This server answers GET and HEAD."},
          {"Methode niet toegestaan", "Deze server beantwoordt GET en HEAD."},
          {"Metoden är inte tillåten",
           "Den här servern svarar på GET och HEAD."},
          {"Methode nicht erlaubt",
           "Dieser Server beantwortet GET und HEAD."}}},
    [TROUBLE_BUSY] = {503,
                      {{"Try again later", "Others are downloading just now."},
                       {"Probeer het straks opnieuw",
                        "Anderen zijn op dit moment aan het downloaden."},
                       {"Försök igen om en stund", "Andra laddar ner just nu."},
                       {"Versuche es später noch einmal",
                        "Gerade laden andere etwas herunter."}}},
    [TROUBLE_FOREIGN] =
        {403,
         {{"Not from here", "This was sent by a page of another site."},
          {"Niet van hier",
           "Dit is verstuurd door een pagina van een andere site."},
          {"Inte härifrån",
           "Detta skickades av en sida på en annan webbplats."},
          {"Nicht von hier",
           "Das wurde von einer Seite einer anderen Website gesendet."}}},
    [TROUBLE_COMMAND] = {404,
                         {{"No such command", "See docs/protocol.md."},
                          {"Onbekend commando", "Zie docs/protocol.md."},
                          {"Okänt kommando", "Se docs/protocol.md."},
                          {"Unbekannter Befehl", "Siehe docs/protocol.md."}}},
};

/* ---- which language ---- */

static int known(const char *tag)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (strncasecmp(tag, languages[i], 2) == 0 && strchr(",;- \t", tag[2]))
            return i;
    return -1;
}

/* How much a language range is liked, in thousandths; ";q=" is 1 unless said
 * otherwise (RFC 9110 §12.4.2).  By hand: strtod() follows the locale. */
static int liking(const char *range)
{
    const char *end = range + strcspn(range, ","), *q = strstr(range, "q=");
    if (!q || q >= end || q[2] == '1')
        return 1000;
    if (q[2] != '0' || q[3] != '.')
        return 0;
    int much = 0;
    q += 4;
    for (int unit = 100; unit > 0 && *q >= '0' && *q <= '9'; unit /= 10)
        much += (*q++ - '0') * unit;
    return much;
}

static int index_of(const char *accepts)
{
    int best = 0, most = 0;
    while (accepts && *accepts) {
        accepts += strspn(accepts, ", \t");
        int language = known(accepts), much = liking(accepts);
        if (language >= 0 && much > most) {
            best = language;
            most = much;
        }
        accepts += strcspn(accepts, ",");
    }
    return best;
}

const char *trouble_language(const char *accepts)
{
    return languages[index_of(accepts)];
}

/* ---- the page ---- */

/* The few characters of a path that mean something in HTML. */
static void escape(const char *from, char *to, size_t cap)
{
    size_t used = 0;
    for (; *from && used + 7 < cap; from++) {
        const char *safe = *from == '<'   ? "&lt;"
                           : *from == '>' ? "&gt;"
                           : *from == '&' ? "&amp;"
                                          : NULL;
        if (!safe) {
            to[used++] = *from;
            continue;
        }
        memcpy(to + used, safe, strlen(safe));
        used += strlen(safe);
    }
    to[used] = '\0';
}

unsigned trouble_status(enum trouble t)
{
    return troubles[t].status;
}

size_t trouble_page(enum trouble t, const char *language, const char *path,
                    char *to, size_t cap)
{
    int in = index_of(language);
    const struct words *words = &troubles[t].in[in];
    char safe[SAFE_BYTES];
    escape(path, safe, sizeof safe);
    int length = snprintf(
        to, cap,
        "<!doctype html><html lang=\"%s\"><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width\">"
        "<meta name=\"color-scheme\" content=\"light dark\">"
        "<link rel=\"icon\" href=\"/icon.svg\"><title>%s – Terrarium</title>"
        "<body style=\"font:17px/1.5 system-ui,sans-serif;max-width:34em;"
        "margin:12vh auto;padding:0 20px;overflow-wrap:anywhere\">"
        "<main><img src=\"/icon.svg\" alt=\"\" width=\"64\" height=\"64\">"
        "<h1>%s</h1><p><code>%s</code></p><p>%s</p>"
        "<p><a href=\"/\" style=\"display:inline-block;padding:10px 0\">%s</a>"
        "</p></main></html>\n",
        languages[in], words->title, words->title, safe, words->help, home[in]);
    return (size_t)length < cap ? (size_t)length : cap - 1;
}
