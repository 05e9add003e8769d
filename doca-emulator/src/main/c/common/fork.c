/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "fork.h"

static struct {
    /* Guards all that follows; held during a fork, so that the child finds all of it whole. */
    pthread_mutex_t lock;
    int *files;
    size_t num_files;
    size_t capacity;
    /* /dev/null, or negative. */
    int empty;
} withheld = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .empty = -1,
};

static void
lock(void) {
    pthread_mutex_lock(&withheld.lock);
}

static void
unlock(void) {
    pthread_mutex_unlock(&withheld.lock);
}

/* Only calls what may be called in a child of a process with threads. */
static void
replace_in_child(void) {
    for (size_t i = 0; i < withheld.num_files && withheld.empty >= 0; i++) {
        (void)dup3(withheld.empty, withheld.files[i], O_CLOEXEC);
    }
    withheld.num_files = 0;
    unlock();
}

static void
watch_forks(void) {
    withheld.empty = open("/dev/null", O_RDWR | O_CLOEXEC);
    pthread_atfork(lock, unlock, replace_in_child);
}

static void
add(int fd) {
    if (withheld.num_files == withheld.capacity) {
        const size_t capacity = withheld.capacity == 0 ? 16 : 2 * withheld.capacity;
        int *files = realloc(withheld.files, capacity * sizeof(*files));
        if (files == NULL) {
            return;
        }
        withheld.files = files;
        withheld.capacity = capacity;
    }
    withheld.files[withheld.num_files++] = fd;
}

void
fork_withhold(int fd) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    lock();
    add(fd);
    unlock();
}

/* The newest first, as what is opened last is often closed first. */
void
fork_release(int fd) {
    lock();
    for (size_t i = withheld.num_files; i > 0; i--) {
        if (withheld.files[i - 1] == fd) {
            withheld.files[i - 1] = withheld.files[--withheld.num_files];
            break;
        }
    }
    unlock();
}
