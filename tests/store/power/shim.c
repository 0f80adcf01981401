/* Preloaded into a child: logs every write, truncation, sync, creation, removal and renaming below POWER_DIR to POWER_LOG,
 * in the order they happened. A sync is only logged, never done: whether it was asked for is the question.
 * power_trouble(kind) makes the disk fail from now on: 0 not, 1 full, 2 syncs fail, 3 writes fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES 1024

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static char *names[FILES];
static const char *folder;
static size_t folder_length;
static int log_file = -1;
static int trouble;

static int (*real_open)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);

__attribute__((constructor)) static void begin(void) {
    real_open = dlsym(RTLD_NEXT, "open64");
    if (!real_open) real_open = dlsym(RTLD_NEXT, "open");
    real_close = dlsym(RTLD_NEXT, "close");
    real_write = dlsym(RTLD_NEXT, "write");
    real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
    if (!real_pwrite) real_pwrite = dlsym(RTLD_NEXT, "pwrite");
    real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
    if (!real_ftruncate) real_ftruncate = dlsym(RTLD_NEXT, "ftruncate");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    real_unlink = dlsym(RTLD_NEXT, "unlink");
    real_rename = dlsym(RTLD_NEXT, "rename");
    folder = getenv("POWER_DIR");
    folder_length = folder ? strlen(folder) : 0;
    if (folder) log_file = real_open(getenv("POWER_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
}

static int watched(const char *path) { return log_file >= 0 && path && strncmp(path, folder, folder_length) == 0; }
static const char *name_of(int file) { return file >= 0 && file < FILES ? names[file] : NULL; }
static int spared(const char *name) { return strstr(name, "/told") != NULL; } /* the child's own notes never fail */

static void note(char what, const char *name, int64_t at, const void *data, size_t size) {
    struct { char what, pad[3]; uint32_t name; int64_t at; uint64_t size; } head = {what, {0}, strlen(name), at, size};
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)name, head.name}, {(void *)data, data ? size : 0}};
    if (writev(log_file, parts, 3) < 0) abort();
}

void power_trouble(int kind) { trouble = kind; }

static int fails(const char *name, int kind, int error) {
    if (!name || spared(name) || trouble != kind) return 0;
    errno = error;
    return 1;
}

static int opened(const char *path, int flags, mode_t mode) {
    struct stat seen;
    pthread_mutex_lock(&one_at_a_time);
    int fresh = watched(path) && (flags & O_CREAT) && stat(path, &seen) != 0;
    int file = fresh && fails(path, 1, ENOSPC) ? -1 : real_open(path, flags, mode);
    if (file >= 0 && file < FILES && watched(path)) {
        free(names[file]);
        names[file] = strdup(path);
        if (fresh) note('C', path, 0, NULL, 0);
        else if (flags & O_TRUNC) note('T', path, 0, NULL, 0);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return file;
}

#define OPEN(name) int name(const char *path, int flags, ...) { \
    va_list rest; va_start(rest, flags); mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; va_end(rest); \
    return opened(path, flags, mode); }
OPEN(open)
OPEN(open64)

int close(int file) {
    pthread_mutex_lock(&one_at_a_time);
    if (name_of(file)) { free(names[file]); names[file] = NULL; }
    int result = real_close(file);
    pthread_mutex_unlock(&one_at_a_time);
    return result;
}

static ssize_t written(int file, const void *data, size_t size, off_t at, int placed) {
    if (!name_of(file)) return placed ? real_pwrite(file, data, size, at) : real_write(file, data, size);
    if (fails(names[file], 1, ENOSPC) || fails(names[file], 3, EIO)) return -1;
    pthread_mutex_lock(&one_at_a_time);
    if (!placed) at = lseek(file, 0, SEEK_CUR);
    ssize_t done = placed ? real_pwrite(file, data, size, at) : real_write(file, data, size);
    if (done > 0) note('W', names[file], at, data, done);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}

ssize_t write(int file, const void *data, size_t size) { return written(file, data, size, 0, 0); }
ssize_t pwrite(int file, const void *data, size_t size, off_t at) { return written(file, data, size, at, 1); }
ssize_t pwrite64(int file, const void *data, size_t size, off_t at) { return written(file, data, size, at, 1); }

static int truncated(int file, off_t size) {
    pthread_mutex_lock(&one_at_a_time);
    int result = real_ftruncate(file, size);
    if (result == 0 && name_of(file)) note('T', names[file], size, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return result;
}

int ftruncate(int file, off_t size) { return truncated(file, size); }
int ftruncate64(int file, off_t size) { return truncated(file, size); }

static int synced(int file) {
    if (!name_of(file)) return real_fsync(file);
    if (fails(names[file], 2, EIO)) return -1;
    pthread_mutex_lock(&one_at_a_time);
    note('S', names[file], 0, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return 0;
}

int fsync(int file) { return synced(file); }
int fdatasync(int file) { return synced(file); }

int unlink(const char *path) {
    pthread_mutex_lock(&one_at_a_time);
    int result = real_unlink(path);
    if (result == 0 && watched(path)) note('U', path, 0, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return result;
}

int rename(const char *path, const char *other) {
    pthread_mutex_lock(&one_at_a_time);
    int result = real_rename(path, other);
    if (result == 0 && watched(path)) note('R', path, 0, other, strlen(other));
    pthread_mutex_unlock(&one_at_a_time);
    return result;
}
