/* A clock that a test sets and a disk that it fills, for the processes it starts. Preloaded;
   see chaos.py. TEGEL_FAULTS names a file of two numbers: milliseconds that the clock is ahead,
   and whether the disk is full: then no file can grow, and what it has can be written over. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const volatile int64_t calm[2] = {0, 0};
static const volatile int64_t *faults = calm;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("TEGEL_FAULTS");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *found = mmap(NULL, sizeof calm, PROT_READ, MAP_SHARED, fd, 0);
    if (found != MAP_FAILED) faults = found;
    close(fd);
}

int clock_gettime(clockid_t id, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = REAL(clock_gettime);
    int failed = real(id, now);
    if (!failed && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
        int64_t all = now->tv_nsec + faults[0] % 1000 * 1000000;
        now->tv_sec += faults[0] / 1000 + (all >= 1000000000) - (all < 0);
        now->tv_nsec = (all + 1000000000) % 1000000000;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec found;
    int failed = clock_gettime(CLOCK_REALTIME, &found);
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return failed;
}

time_t time(time_t *now) {
    struct timespec found;
    clock_gettime(CLOCK_REALTIME, &found);
    if (now) *now = found.tv_sec;
    return found.tv_sec;
}

/* Whether a file can't have bytes up to an end. */
static int refused(int fd, off64_t end) {
    struct stat found;
    if (!faults[1] || fd <= 2 || fstat(fd, &found) || !S_ISREG(found.st_mode)) return 0;
    if (end <= found.st_size) return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return refused(fd, at + (off64_t)size) ? -1 : REAL(pwrite64)(fd, bytes, size, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return pwrite64(fd, bytes, size, at);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
    off64_t end = at;
    for (int i = 0; i < count; i++) end += (off64_t)parts[i].iov_len;
    return refused(fd, end) ? -1 : REAL(pwritev)(fd, parts, count, at);
}

ssize_t write(int fd, const void *bytes, size_t size) {
    if (faults[1] && fd > 2) {
        off64_t at = lseek64(fd, 0, SEEK_CUR);
        if (at >= 0 && refused(fd, at + (off64_t)size)) return -1;
    }
    return REAL(write)(fd, bytes, size);
}

int ftruncate64(int fd, off64_t length) {
    return refused(fd, length) ? -1 : REAL(ftruncate64)(fd, length);
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int posix_fallocate(int fd, off_t at, off_t size) {
    return refused(fd, at + size) ? ENOSPC : REAL(posix_fallocate)(fd, at, size);
}
