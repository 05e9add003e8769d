/* SPDX-License-Identifier: Apache-2.0 */
#include "service.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "connection.h"
#include "id.h"

/* Written once, with cm_lock() held, before the thread starts. Unlike poll(), it does not keep closed sockets open. */
static int sockets = -1;

/* The id may have been destroyed since the socket became readable. */
static void
handle(struct cm_id *id) {
    if (id == NULL || id->socket < 0) {
        return;
    }
    if (id->state == CM_LISTENING) {
        cm_take_connection(id);
    } else {
        cm_take_message(id);
    }
}

static void *
serve(void *unused) {
    for (;;) {
        struct epoll_event event;
        if (epoll_wait(sockets, &event, 1, -1) == 1) {
            cm_lock();
            handle(cm_find_id(event.data.u64));
            cm_unlock();
        }
    }
    return unused;
}

int
cm_start_service(void) {
    if (sockets >= 0) {
        return 0;
    }
    sockets = epoll_create1(EPOLL_CLOEXEC);
    if (sockets < 0) {
        return errno;
    }
    /* Signals are for the threads of the program. */
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_t thread;
    const int error = pthread_create(&thread, NULL, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0) {
        pthread_detach(thread);
    } else {
        close(sockets);
        sockets = -1;
    }
    return error;
}

int
cm_serve(struct cm_id *id) {
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = id->number};
    return epoll_ctl(sockets, EPOLL_CTL_ADD, id->socket, &event) == 0 ? 0 : errno;
}
