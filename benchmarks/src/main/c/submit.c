/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <string.h>

#include "submit.h"

static doca_error_t
submit_plain(struct doca_task *task, uint32_t flags) {
    (void)flags;
    return doca_task_submit(task);
}

doca_error_t (*submit_with_flags)(struct doca_task *task, uint32_t flags) = submit_plain;

static void __attribute__((constructor))
find_function(void) {
    void *found = dlsym(RTLD_DEFAULT, "doca_task_submit_ex");
    if (found != NULL) {
        memcpy(&submit_with_flags, &found, sizeof(found));
    }
}
