/* tests/fuzz/seeds.c: runs a fuzz target over every file of a folder, where
 * there is no libFuzzer: the seeds are regression tests too. */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>

static void run_file(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return;
    static uint8_t data[1 << 20];
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL; count++)
        if (entry->d_name[0] != '.')
            run_file(argv[1], entry->d_name);
    closedir(folder);
    printf("%d files\n", count - 2);
    return count > 2 ? 0 : 1;
}
