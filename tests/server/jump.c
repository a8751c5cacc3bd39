/* tests/server/jump.c: lets the time of day of one process jump.
 *
 *     LD_PRELOAD=jump.so TERRA_JUMPS=FOLDER
 *
 * A process whose number is the name of a file in FOLDER has a time of day as
 * many seconds later as the file says, from when it is there until it is not.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long jump(void)
{
    char place[256], digits[24] = "";
    const char *folder = getenv("TERRA_JUMPS");
    if (!folder)
        return 0;
    snprintf(place, sizeof place, "%s/%d", folder, (int)getpid());
    int file = open(place, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t length = read(file, digits, sizeof digits - 1);
    close(file);
    return length > 0 ? strtol(digits, NULL, 10) : 0;
}

int clock_gettime(clockid_t which, struct timespec *t)
{
    long failed = syscall(SYS_clock_gettime, which, t);
    if (!failed && which == CLOCK_REALTIME)
        t->tv_sec += jump();
    return (int)failed;
}
