// The clock goes by as many seconds as the file that CLOCK_STEPS names says: cc -shared -fPIC -o stepclock.so stepclock.c -ldl,
// then LD_PRELOAD. What is measured between two moments (CLOCK_MONOTONIC) stays as it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const char *steps;
static int (*real_clock)(clockid_t, struct timespec *);

__attribute__((constructor)) static void open_steps(void) {
  real_clock = dlsym(RTLD_NEXT, "clock_gettime");
  const char *path = getenv("CLOCK_STEPS");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *mapped = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) steps = mapped;
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!real_clock) real_clock = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real_clock(clock, time);
  if (result == 0 && steps && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += atol(steps);
  return result;
}

int gettimeofday(struct timeval *time, void *zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
