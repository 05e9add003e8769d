/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "fork.h"
#include "process.h"

struct file {
    int fd;
    bool is_event;
};

static struct {
    /* Guards the members below. Held during a fork, so that the child's copy is consistent. */
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

/* Held during an addition and during a fork. No thread takes another lock under it. */
static pthread_mutex_t guarded_lock = PTHREAD_MUTEX_INITIALIZER;
static struct fork_guarded withheld_guard = {.lock = &withheld.lock};
/* All of them, under the lock. */
static struct fork_guarded *guarded = &withheld_guard;

static void
unlock_until(const struct fork_guarded *end, const struct fork_guarded *except) {
    for (const struct fork_guarded *each = guarded; each != end; each = each->next) {
        if (each != except) {
            pthread_mutex_unlock(each->lock);
        }
    }
}

/* Takes all locks except the one that is held. Returns NULL; or the first one that is not free, with no other taken. */
static struct fork_guarded *
try_others(const struct fork_guarded *held) {
    for (struct fork_guarded *each = guarded; each != NULL; each = each->next) {
        if (each != held && pthread_mutex_trylock(each->lock) != 0) {
            unlock_until(each, held);
            return each;
        }
    }
    return NULL;
}

/*
 * Threads take some of the locks under others, and each pair in an order of its own. So a fork waits only for a lock
 * while it holds none of the others.
 */
static void
lock_all(void) {
    struct fork_guarded *busy;
    pthread_mutex_lock(&guarded_lock);
    struct fork_guarded *held = guarded;
    pthread_mutex_lock(held->lock);
    while ((busy = try_others(held)) != NULL) {
        pthread_mutex_unlock(held->lock);
        held = busy;
        pthread_mutex_lock(held->lock);
    }
}

static void
unlock_all(void) {
    unlock_until(NULL, NULL);
    pthread_mutex_unlock(&guarded_lock);
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

/* The locks come first, because the other steps make system calls, whose faults take one. There is no other thread yet. */
static void
begin_child(void) {
    process_count_fork();
    unlock_all();
    replace_files();
    for (const struct fork_guarded *each = guarded; each != NULL; each = each->next) {
        if (each->forget != NULL) {
            each->forget();
        }
    }
}

static void __attribute__((constructor))
watch_forks(void) {
    (void)pthread_atfork(lock_all, unlock_all, begin_child);
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
fork_guard(struct fork_guarded *guard) {
    pthread_mutex_lock(&guarded_lock);
    guard->next = guarded;
    guarded = guard;
    pthread_mutex_unlock(&guarded_lock);
}
