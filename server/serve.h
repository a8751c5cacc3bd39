/* server/serve.h: the commands `terra serve`, `terra admin`, `terra worker`
 * and `terra protocol`. */
#ifndef SERVER_SERVE_H
#define SERVER_SERVE_H

/* argv[0] is the command's name.  Returns the exit status. */
int serve_main(int argc, char **argv);
int admin_main(int argc, char **argv);
int worker_main(int argc, char **argv);
int protocol_main(int argc, char **argv);

#endif
