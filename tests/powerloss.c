/* Writes down what a process does to the files of one folder, so that a test can tell what a
   power loss at any instant would leave of them. Preloaded; see disks.py, which reads the trace.

   TEGEL_DISK is the folder, TEGEL_TRACE the file of the trace. Each entry is appended whole,
   after the call that it tells of and before that call returns: whatever the process did on the
   strength of a call comes after its entry. A sync is only written down. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, MADE, WRITE, LENGTH, SYNC, SYNC_FOLDER, GONE, LINK, RENAME };

struct entry {
    uint32_t what, size; /* of the bytes that follow */
    uint64_t file, offset;
};

enum { MOST = 65536 };
static uint64_t files[MOST]; /* by descriptor: the inode of a file in the folder */
static char folder_itself[MOST];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void tell(uint32_t what, uint64_t file, uint64_t offset, const void *bytes, size_t size) {
    static ssize_t (*append)(int, const struct iovec *, int);
    if (trace < 0) {
        append = REAL(writev);
        trace = REAL(open64)(getenv("TEGEL_TRACE"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    struct entry entry = {what, (uint32_t)size, file, offset};
    struct iovec parts[2] = {{&entry, sizeof entry}, {(void *)bytes, size}};
    if (append(trace, parts, 2) != (ssize_t)(sizeof entry + size)) abort();
}

/* The name of a file in the folder, "" for the folder itself, NULL for all else. */
static const char *name(const char *path) {
    const char *folder = getenv("TEGEL_DISK");
    size_t length = folder ? strlen(folder) : 0;
    if (!length || strncmp(path, folder, length)) return NULL;
    if (!path[length]) return path + length;
    return path[length] == '/' && !strchr(path + length + 1, '/') ? path + length + 1 : NULL;
}

static uint64_t inode(int fd) {
    struct stat found;
    return fstat(fd, &found) ? 0 : found.st_ino;
}

static int opened(const char *path, int flags, mode_t mode) {
    const char *file = name(path);
    if (!file) return REAL(open64)(path, flags, mode);
    pthread_mutex_lock(&one_at_a_time);
    int made = access(path, F_OK) != 0;
    int fd = REAL(open64)(path, flags, mode);
    if (fd >= 0 && fd < MOST) {
        folder_itself[fd] = !*file;
        files[fd] = *file ? inode(fd) : 0;
        if (*file) tell(made ? MADE : OPEN, files[fd], 0, file, strlen(file));
        if (*file && !made && (flags & O_TRUNC)) tell(LENGTH, files[fd], 0, NULL, 0);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return fd;
}

static mode_t asked(int flags, va_list more) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
}

int open64(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = asked(flags, more);
    va_end(more);
    return opened(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = asked(flags, more);
    va_end(more);
    return opened(path, flags, mode);
}

int close(int fd) {
    if (fd >= 0 && fd < MOST) files[fd] = folder_itself[fd] = 0;
    return REAL(close)(fd);
}

static int ours(int fd) { return fd >= 0 && fd < MOST && files[fd]; }

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
    if (!ours(fd)) return REAL(pwrite64)(fd, bytes, size, offset);
    pthread_mutex_lock(&one_at_a_time);
    ssize_t done = REAL(pwrite64)(fd, bytes, size, offset);
    if (done > 0) tell(WRITE, files[fd], (uint64_t)offset, bytes, (size_t)done);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
    return pwrite64(fd, bytes, size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    if (!ours(fd)) return REAL(write)(fd, bytes, size);
    pthread_mutex_lock(&one_at_a_time);
    ssize_t done = REAL(write)(fd, bytes, size);
    off_t after = lseek(fd, 0, SEEK_CUR);
    if (done > 0) tell(WRITE, files[fd], (uint64_t)(after - done), bytes, (size_t)done);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}

int ftruncate64(int fd, off64_t length) {
    if (!ours(fd)) return REAL(ftruncate64)(fd, length);
    pthread_mutex_lock(&one_at_a_time);
    int failed = REAL(ftruncate64)(fd, length);
    if (!failed) tell(LENGTH, files[fd], (uint64_t)length, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return failed;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

static int synced(int fd) {
    pthread_mutex_lock(&one_at_a_time);
    tell(folder_itself[fd] ? SYNC_FOLDER : SYNC, files[fd], 0, NULL, 0);
    pthread_mutex_unlock(&one_at_a_time);
    return 0;
}

int fsync(int fd) {
    return ours(fd) || (fd >= 0 && fd < MOST && folder_itself[fd]) ? synced(fd) : REAL(fsync)(fd);
}

int fdatasync(int fd) {
    return ours(fd) || (fd >= 0 && fd < MOST && folder_itself[fd]) ? synced(fd)
                                                                    : REAL(fdatasync)(fd);
}

int unlink(const char *path) {
    const char *file = name(path);
    pthread_mutex_lock(&one_at_a_time);
    int failed = REAL(unlink)(path);
    if (!failed && file) tell(GONE, 0, 0, file, strlen(file));
    pthread_mutex_unlock(&one_at_a_time);
    return failed;
}

/* Two names, the new one after a zero. */
static int twice(uint32_t what, int failed, const char *from, const char *to) {
    const char *old = name(from), *new = name(to);
    if (failed || !old || !new) return failed;
    char both[2 * NAME_MAX + 2];
    size_t size = strlen(old) + 1;
    memcpy(both, old, size);
    memcpy(both + size, new, strlen(new));
    tell(what, 0, 0, both, size + strlen(new));
    return 0;
}

int link(const char *from, const char *to) {
    pthread_mutex_lock(&one_at_a_time);
    int failed = twice(LINK, REAL(link)(from, to), from, to);
    pthread_mutex_unlock(&one_at_a_time);
    return failed;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&one_at_a_time);
    int failed = twice(RENAME, REAL(rename)(from, to), from, to);
    pthread_mutex_unlock(&one_at_a_time);
    return failed;
}
