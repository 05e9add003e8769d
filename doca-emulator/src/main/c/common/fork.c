/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fork.h"
#include "sdk_log.h"

#define MAX_NUM_GUARDS 16

struct file {
    int fd;
    bool is_event;
};

struct guard {
    pthread_mutex_t *lock;
    void (*forget)(void);
};

static struct {
    /*
     * Guards the members below. Held during a fork, so that the child's copy is consistent. A fork takes this lock
     * last.
     */
    pthread_mutex_t lock;
    struct file *files;
    size_t num_files;
    size_t capacity;
    /* /dev/null, or negative. */
    int empty;
} withheld = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .empty = -1,
};

static struct {
    /* Held during an addition and during a fork. A fork takes this lock first. */
    pthread_mutex_t lock;
    struct guard guards[MAX_NUM_GUARDS];
    size_t num_guards;
} guarded = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
};

static void
lock_all(void) {
    pthread_mutex_lock(&guarded.lock);
    for (size_t i = 0; i < guarded.num_guards; i++) {
        pthread_mutex_lock(guarded.guards[i].lock);
    }
    pthread_mutex_lock(&withheld.lock);
}

static void
unlock_all(void) {
    pthread_mutex_unlock(&withheld.lock);
    for (size_t i = guarded.num_guards; i > 0; i--) {
        pthread_mutex_unlock(guarded.guards[i - 1].lock);
    }
    pthread_mutex_unlock(&guarded.lock);
}

/* Returns false if there is no memory to record another file; the child then has /dev/null. */
static bool
renew_event(int fd) {
    const int own = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (own < 0) {
        return false;
    }
    (void)dup3(own, fd, O_CLOEXEC);
    close(own);
    return true;
}

/* Calls only functions that are allowed in a forked child of a process with threads. */
static void
replace_files(void) {
    size_t num_left = 0;
    for (size_t i = 0; i < withheld.num_files; i++) {
        const struct file file = withheld.files[i];
        if (file.is_event && renew_event(file.fd)) {
            withheld.files[num_left++] = file;
        } else if (withheld.empty >= 0) {
            (void)dup3(withheld.empty, file.fd, O_CLOEXEC);
        }
    }
    withheld.num_files = num_left;
}

static void
begin_child(void) {
    replace_files();
    for (size_t i = 0; i < guarded.num_guards; i++) {
        if (guarded.guards[i].forget != NULL) {
            guarded.guards[i].forget();
        }
    }
    unlock_all();
}

static void
watch_forks(void) {
    pthread_atfork(lock_all, unlock_all, begin_child);
}

static void
watch_forks_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
}

/* A child needs it. If it cannot be opened now, the next addition tries again. */
static void
open_empty(void) {
    if (withheld.empty < 0) {
        withheld.empty = open("/dev/null", O_RDWR | O_CLOEXEC);
    }
}

static void
add_file(struct file file) {
    if (withheld.num_files == withheld.capacity) {
        const size_t capacity = withheld.capacity == 0 ? 16 : 2 * withheld.capacity;
        struct file *files = realloc(withheld.files, capacity * sizeof(*files));
        if (files == NULL) {
            return;
        }
        withheld.files = files;
        withheld.capacity = capacity;
    }
    withheld.files[withheld.num_files++] = file;
}

static void
add_file_under_lock(struct file file) {
    int cancel_state;
    watch_forks_once();
    /* A thread that is cancelled while it opens the file would keep the lock. */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_mutex_lock(&withheld.lock);
    open_empty();
    add_file(file);
    pthread_mutex_unlock(&withheld.lock);
    pthread_setcancelstate(cancel_state, NULL);
}

void
fork_withhold(int fd) {
    add_file_under_lock((struct file){.fd = fd});
}

void
fork_renew_event(int fd) {
    add_file_under_lock((struct file){.fd = fd, .is_event = true});
}

/* Searches from the newest, as files opened last are often closed first. */
void
fork_release(int fd) {
    pthread_mutex_lock(&withheld.lock);
    for (size_t i = withheld.num_files; i > 0; i--) {
        if (withheld.files[i - 1].fd == fd) {
            withheld.files[i - 1] = withheld.files[--withheld.num_files];
            break;
        }
    }
    pthread_mutex_unlock(&withheld.lock);
}

void
fork_guard(pthread_mutex_t *lock, void (*forget)(void)) {
    watch_forks_once();
    pthread_mutex_lock(&guarded.lock);
    if (guarded.num_guards < MAX_NUM_GUARDS) {
        guarded.guards[guarded.num_guards++] = (struct guard){.lock = lock, .forget = forget};
    } else {
        SDK_LOG_ERR("Failed to guard a lock during forks: there are %d already", MAX_NUM_GUARDS);
    }
    pthread_mutex_unlock(&guarded.lock);
}
