/* server/serve.h: the command `terra serve`. */
#ifndef SERVER_SERVE_H
#define SERVER_SERVE_H

/* argv[0] is the command's name.  Returns the exit status. */
int serve_main(int argc, char **argv);

#endif
