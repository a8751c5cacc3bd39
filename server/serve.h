/* server/serve.h: the commands `terra serve`, `terra admin`, `terra worker`
 * and `terra protocol`. */
#ifndef SERVER_SERVE_H
#define SERVER_SERVE_H

#include <libintl.h>

/* What is said to those who run a server, in their language: tr("...") says
 * it, TR("...") marks a text that is handed to tr() later.  tools/catalogues
 * looks that po/ has them all.  The log and what clients get stay the same
 * everywhere. */
#define tr(text) gettext(text)
#define TR(text) text

/* argv[0] is the command's name.  Returns the exit status. */
int serve_main(int argc, char **argv);
int admin_main(int argc, char **argv);
int worker_main(int argc, char **argv);
int protocol_main(int argc, char **argv);

#endif
