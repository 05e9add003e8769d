/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>

#include "guarded.h"
#include "sdk_log.h"

/* A copy that a thread is making, on its stack. */
struct guard {
    sigjmp_buf recovery;
    uintptr_t dst;
    uintptr_t src;
    size_t len;
};

/* The copy of a thread, or NULL. Written by its thread, and read by the handler in this thread. */
struct thread_guard {
    struct guard *volatile copy;
    /* True once the key has the address of this structure. */
    bool is_found;
};

static _Thread_local struct thread_guard own_guard;

/*
 * The struct thread_guard of each thread that has made a copy. The handler runs in any thread of the program, where reading a key
 * allocates nothing, as opposed to the first access to a thread-local variable of a loaded library. Both are constant once
 * the handlers are installed.
 */
static pthread_key_t current;
static bool is_ready;

/* The previous handlers. Written before those of this file are installed, and constant from then on. */
static struct sigaction previous_segv;
static struct sigaction previous_bus;

static bool
is_inside(uintptr_t addr, uintptr_t start, size_t len) {
    return addr >= start && addr - start < len;
}

/* Acts as if this handler had not been installed. */
static void
pass_on(int number, siginfo_t *info, void *context) {
    const struct sigaction *previous = number == SIGBUS ? &previous_bus : &previous_segv;
    if ((previous->sa_flags & SA_SIGINFO) == 0 &&
        (previous->sa_handler == SIG_DFL || previous->sa_handler == SIG_IGN)) {
        /* A signal that a process has sent is sent again. Otherwise, the faulting instruction raises it again. */
        const bool is_sent = info->si_code <= 0;
        if (!is_sent || previous->sa_handler == SIG_DFL) {
            signal(number, SIG_DFL);
        }
        if (is_sent && previous->sa_handler == SIG_DFL) {
            raise(number);
        }
        return;
    }
    /* The return from the signal restores the mask. */
    pthread_sigmask(SIG_BLOCK, &previous->sa_mask, NULL);
    if ((previous->sa_flags & SA_SIGINFO) != 0) {
        previous->sa_sigaction(number, info, context);
    } else {
        previous->sa_handler(number);
    }
}

static void
handle(int number, siginfo_t *info, void *context) {
    struct thread_guard *own = pthread_getspecific(current);
    struct guard *guard = own == NULL ? NULL : own->copy;
    const uintptr_t addr = (uintptr_t)info->si_addr;
    if (guard != NULL && info->si_code > 0 &&
        (is_inside(addr, guard->dst, guard->len) || is_inside(addr, guard->src, guard->len))) {
        own->copy = NULL;
        /* Who has called this handler may have blocked signals: the thread sanitizer blocks all. */
        (void)pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
        siglongjmp(guard->recovery, 1);
    }
    pass_on(number, info, context);
}

/* A previous handler may leave by a jump that restores no mask, and so the signal itself is not blocked here. */
static void
install(int number, struct sigaction *previous) {
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    sigemptyset(&action.sa_mask);
    (void)sigaction(number, NULL, previous);
    (void)sigaction(number, &action, NULL);
}

/* If the program has used up all keys, copies are not guarded. */
static void
install_all(void) {
    if (pthread_key_create(&current, NULL) != 0) {
        return;
    }
    is_ready = true;
    install(SIGSEGV, &previous_segv);
    install(SIGBUS, &previous_bus);
}

void
guarded_prepare(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_all);
}

doca_error_t
guarded_copy(void *dst, const void *src, size_t len) {
    struct thread_guard *own = &own_guard;
    struct guard guard;
    guard.dst = (uintptr_t)dst;
    guard.src = (uintptr_t)src;
    guard.len = len;
    if (is_ready) {
        if (!own->is_found) {
            own->is_found = pthread_setspecific(current, own) == 0;
        }
        if (sigsetjmp(guard.recovery, 0) != 0) {
            return SDK_REFUSE(DOCA_ERROR_IO_FAILED,
                              "A part of the %zu bytes at %p, or at %p, was registered but cannot be accessed any more", len,
                              src, dst);
        }
        own->copy = &guard;
    }
    atomic_signal_fence(memory_order_seq_cst);
    memmove(dst, src, len);
    atomic_signal_fence(memory_order_seq_cst);
    own->copy = NULL;
    return DOCA_SUCCESS;
}
