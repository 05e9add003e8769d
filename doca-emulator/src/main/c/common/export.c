/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "export.h"
#include "process.h"
#include "sdk_log.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U
#endif
#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#define PR_SET_PTRACER_ANY ((unsigned long)-1)
#endif

/* A copy takes a fraction of a millisecond, unless its process is stopped in the middle. */
#define DRAIN_TIMEOUT_S 5
#define DRAIN_INTERVAL_NS 50000

struct export {
    struct share_descriptor descriptor;
    struct share_block *block;
    /* A page of its own with the nonce in it, of which a child gets an empty one. */
    uint8_t *beacon;
    unsigned int generation;
};

static doca_error_t
refuse_for_errno(const char *what) {
    const int error = errno;
    return SDK_REFUSE(error == ENOMEM || error == EMFILE || error == ENFILE ? DOCA_ERROR_NO_MEMORY
                                                                           : DOCA_ERROR_DRIVER,
                      "Failed to export memory: %s: %s", what, strerror(error));
}

static doca_error_t
create_beacon(struct export *export) {
    uint8_t nonce[SHARE_NONCE_SIZE];
    if (getrandom(nonce, sizeof(nonce), 0) != (ssize_t)sizeof(nonce)) {
        return refuse_for_errno("no random bytes");
    }
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *beacon = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (beacon == MAP_FAILED) {
        return refuse_for_errno("no page of memory");
    }
    export->beacon = beacon;
    if (madvise(beacon, size, MADV_WIPEONFORK) != 0) {
        return refuse_for_errno("a page cannot be kept from children");
    }
    memcpy(beacon, nonce, sizeof(nonce));
    memcpy(export->descriptor.terms.nonce, nonce, sizeof(nonce));
    return DOCA_SUCCESS;
}

/* A file without a name, which only this user can open and nobody can resize. */
static doca_error_t
create_file(int *file) {
    static const char name[] = "doca-export";
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_NOEXEC_SEAL);
    if (fd < 0 && errno == EINVAL) {
        /* A kernel before 6.3. */
        fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    }
    if (fd < 0) {
        return refuse_for_errno("memfd_create");
    }
    *file = fd;
    if (fchmod(fd, S_IRUSR | S_IWUSR) != 0 || ftruncate(fd, sizeof(struct share_block)) != 0 ||
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
        return refuse_for_errno("the control block cannot be set up");
    }
    return DOCA_SUCCESS;
}

static doca_error_t
create_block(struct export *export, const struct topology_function *function) {
    const doca_error_t result = create_file(&export->descriptor.fd);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    struct share_block *block =
            mmap(NULL, sizeof(*block), PROT_READ | PROT_WRITE, MAP_SHARED, export->descriptor.fd, 0);
    if (block == MAP_FAILED) {
        return refuse_for_errno("the control block cannot be mapped");
    }
    export->block = block;
    struct share_header *header = &block->header;
    memcpy(header->magic, SHARE_BLOCK_MAGIC, SHARE_MAGIC_SIZE);
    header->version = SHARE_VERSION;
    header->size = sizeof(*block);
    header->terms = export->descriptor.terms;
    header->exporter = process_self();
    header->beacon = (uintptr_t)export->beacon;
    memcpy(header->pci_addr, function->pci_addr, sizeof(header->pci_addr));
    memcpy(header->vuid, function->vuid, sizeof(header->vuid));
    if (header->exporter == 0) {
        return SDK_REFUSE(DOCA_ERROR_DRIVER, "Failed to export memory: /proc cannot be read");
    }
    atomic_store(&block->is_live, 1);
    return DOCA_SUCCESS;
}

/* Gives back what the export has got so far. */
static void
release(struct export *export) {
    if (export->block != NULL) {
        munmap(export->block, sizeof(*export->block));
    }
    if (export->descriptor.fd >= 0) {
        close(export->descriptor.fd);
    }
    if (export->beacon != NULL) {
        munmap(export->beacon, (size_t)sysconf(_SC_PAGESIZE));
    }
    free(export);
}

doca_error_t
export_create(enum share_kind kind, const void *addr, size_t len, uint32_t permissions,
              const struct topology_function *function, struct export **export) {
    struct export *created = calloc(1, sizeof(*created));
    if (created == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    created->generation = process_generation();
    created->descriptor = (struct share_descriptor){
            .magic = SHARE_DESCRIPTOR_MAGIC,
            .version = SHARE_VERSION,
            .size = sizeof(struct share_descriptor),
            .terms = {.addr = (uintptr_t)addr,
                      .len = len,
                      .kind = kind,
                      .permissions = permissions,
                      .pid = getpid(),
                      .user = geteuid()},
            .fd = -1,
    };
    doca_error_t result = create_beacon(created);
    if (result == DOCA_SUCCESS) {
        result = create_block(created, function);
    }
    if (result != DOCA_SUCCESS) {
        release(created);
        return result;
    }
    created->descriptor.checksum = share_checksum(&created->descriptor);
    /*
     * The Yama security module lets only parents access a process, unless it allows others to. That fails where there
     * is no Yama, and then is not needed.
     */
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    *export = created;
    return DOCA_SUCCESS;
}

const struct share_descriptor *
export_descriptor(const struct export *export) {
    return &export->descriptor;
}

bool
export_is_inherited(const struct export *export) {
    return export->generation != process_generation();
}

/* Whether somebody who still runs is at it through the slot. */
static bool
is_in_use(struct share_slot *slot) {
    if (atomic_load(&slot->num_pins) == 0) {
        return false;
    }
    const process_id importer = atomic_load(&slot->importer);
    return importer != 0 && !process_has_ended(importer);
}

static void
drain(struct share_block *block) {
    const uint64_t deadline = clock_now() + DRAIN_TIMEOUT_S * NS_PER_S;
    for (size_t i = 0; i < SHARE_NUM_SLOTS; i++) {
        struct share_slot *slot = &block->slots[i];
        while (is_in_use(slot)) {
            if (clock_now() > deadline) {
                SDK_LOG_ERR("Process %d is still accessing exported memory %d s after the end of the export",
                            (int)process_pid(atomic_load(&slot->importer)), DRAIN_TIMEOUT_S);
                return;
            }
            nanosleep(&(struct timespec){.tv_nsec = DRAIN_INTERVAL_NS}, NULL);
        }
    }
}

void
export_destroy(struct export *export) {
    if (!export_is_inherited(export)) {
        atomic_store(&export->block->is_live, 0);
        drain(export->block);
    }
    release(export);
}
