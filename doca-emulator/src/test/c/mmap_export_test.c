/* SPDX-License-Identifier: Apache-2.0 */
/* Exports and imports of memory maps: descriptors, errors, and clean-up. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "../../main/c/common/share.h"
#include "peer.h"
#include "sdk_errors.h"

#define PAGE ((size_t)4096)
#define NOBODY 65534

static struct doca_dev *dev;

static doca_error_t
import(const void *descriptor, size_t size, struct doca_mmap **imported) {
    return doca_mmap_create_from_export(NULL, descriptor, size, dev, imported);
}

static void
check_imports(const struct host_reply *exported) {
    struct doca_mmap *imported;
    CHECK_SUCCESS(import(exported->descriptor, exported->descriptor_size, &imported));
    CHECK_SUCCESS(doca_mmap_destroy(imported));
    check_nothing_logged();
}

static void
check_refused(doca_error_t error, const char *reason, const struct host_reply *exported) {
    struct doca_mmap *imported = NULL;
    CHECK_ERROR(error, import(exported->descriptor, exported->descriptor_size, &imported));
    CHECK_POINTER(NULL, imported);
    check_logged(reason);
}

/*
 * The host's side
 */

static uint8_t memory[2][64 * 64];

static struct doca_mmap *
start_exportable(uint32_t permissions, struct doca_dev *second) {
    struct doca_mmap *mmap;
    REQUIRE_SUCCESS(doca_mmap_create(&mmap));
    REQUIRE_SUCCESS(doca_mmap_set_max_num_devices(mmap, 2));
    REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, dev));
    if (second != NULL) {
        REQUIRE_SUCCESS(doca_mmap_add_dev(mmap, second));
    }
    REQUIRE_SUCCESS(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    REQUIRE_SUCCESS(doca_mmap_set_permissions(mmap, permissions));
    REQUIRE_SUCCESS(doca_mmap_start(mmap));
    return mmap;
}

static void
check_exported(bool expected, const struct doca_mmap *mmap) {
    uint8_t exported = 2;
    CHECK_SUCCESS(doca_mmap_get_exported(mmap, &exported));
    CHECK_EQUAL(expected, exported);
}

static void
a_host_exports_and_imports_what_its_own_side_exports(void) {
    const struct doca_devinfo *devinfo = doca_dev_as_devinfo(dev);
    uint8_t supported = 2;
    CHECK_SUCCESS(doca_mmap_cap_is_export_pci_supported(devinfo, &supported));
    CHECK_EQUAL(1, supported);
    supported = 2;
    CHECK_SUCCESS(doca_mmap_cap_is_create_from_export_pci_supported(devinfo, &supported));
    CHECK_EQUAL(1, supported);

    struct doca_mmap *mmap = start_exportable(DOCA_ACCESS_FLAG_PCI_READ_WRITE, NULL);
    struct doca_mmap *imported;
    const void *descriptor;
    size_t size;
    CHECK_SUCCESS(doca_mmap_export_pci(mmap, dev, &descriptor, &size));
    CHECK(size >= 256 && size < 264);
    CHECK_SUCCESS(import(descriptor, size, &imported));
    CHECK_SUCCESS(doca_mmap_destroy(imported));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
the_same_export_has_the_same_descriptor(void) {
    struct doca_dev *second = open_device("mlx5_1");
    struct doca_mmap *mmap = start_exportable(DOCA_ACCESS_FLAG_PCI_READ_ONLY, second);
    uint8_t copy[MAX_DESCRIPTOR_SIZE];
    const void *descriptor;
    const void *again;
    const void *other;
    size_t size;
    size_t size_again;
    size_t other_size;
    check_exported(false, mmap);
    REQUIRE_SUCCESS(doca_mmap_export_pci(mmap, dev, &descriptor, &size));
    check_exported(true, mmap);
    CHECK(size <= MAX_DESCRIPTOR_SIZE);
    memcpy(copy, descriptor, size);
    CHECK_SUCCESS(doca_mmap_export_pci(mmap, second, &other, &other_size));
    CHECK(memcmp(copy, other, size < other_size ? size : other_size) != 0);
    CHECK_SUCCESS(doca_mmap_export_pci(mmap, dev, &again, &size_again));
    CHECK_POINTER(descriptor, again);
    CHECK_EQUAL(size, size_again);
    CHECK(memcmp(copy, again, size) == 0);

    CHECK_SUCCESS(doca_mmap_start(mmap));
    check_exported(true, mmap);
    CHECK_SUCCESS(doca_mmap_stop(mmap));
    check_exported(false, mmap);
    CHECK_REFUSED(DOCA_ERROR_NOT_PERMITTED, "is not started", doca_mmap_export_pci(mmap, dev, &again, &size_again));
    CHECK_SUCCESS(doca_mmap_start(mmap));
    CHECK_SUCCESS(doca_mmap_export_pci(mmap, dev, &again, &size_again));
    CHECK(memcmp(copy, again, size < size_again ? size : size_again) != 0);
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
    CHECK_SUCCESS(doca_dev_close(second));
}

/* The system would end the process. */
static void
an_export_is_not_larger_than_files_may_be(void) {
    struct doca_mmap *mmap = start_exportable(DOCA_ACCESS_FLAG_PCI_READ_ONLY, NULL);
    const void *descriptor;
    size_t size;
    struct rlimit limit;
    CHECK_EQUAL(0, getrlimit(RLIMIT_FSIZE, &limit));
    CHECK_EQUAL(0, setrlimit(RLIMIT_FSIZE, &(struct rlimit){.rlim_cur = 1024, .rlim_max = limit.rlim_max}));
    CHECK_ERROR(DOCA_ERROR_OPERATING_SYSTEM, doca_mmap_export_pci(mmap, dev, &descriptor, &size));
    CHECK_EQUAL(0, setrlimit(RLIMIT_FSIZE, &limit));
    check_logged("the control block cannot be set up: File too large");
    CHECK_SUCCESS(doca_mmap_export_pci(mmap, dev, &descriptor, &size));
    CHECK_SUCCESS(doca_mmap_destroy(mmap));
}

static void
run_host_tests(void) {
    keep_errors();
    dev = open_device("mlx5_0");
    a_host_exports_and_imports_what_its_own_side_exports();
    the_same_export_has_the_same_descriptor();
    an_export_is_not_larger_than_files_may_be();
    CHECK_SUCCESS(doca_dev_close(dev));
}

/*
 * The importer's side
 */

static void
any_function_of_the_host_and_any_of_the_dpu_will_do(void) {
    static const char *const host_devices[] = {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3", "mlx5_4"};
    static const char *const dpu_devices[] = {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"};
    struct doca_dev *const first = dev;
    for (size_t i = 0; i < sizeof(host_devices) / sizeof(host_devices[0]); i++) {
        struct host_request request = {.len = PAGE, .permissions = DOCA_ACCESS_FLAG_PCI_READ_ONLY};
        struct host_reply exported;
        snprintf(request.device, sizeof(request.device), "%s", host_devices[i]);
        struct peer host = start_host_with("host", request, &exported);
        for (size_t j = 0; j < sizeof(dpu_devices) / sizeof(dpu_devices[0]); j++) {
            dev = open_device(dpu_devices[j]);
            check_imports(&exported);
            CHECK_SUCCESS(doca_dev_close(dev));
        }
        dev = first;
        end_host(&host);
    }
}

static void
a_broken_descriptor_is_refused(void) {
    struct host_reply exported;
    struct peer host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &exported);
    struct doca_mmap *imported = NULL;
    for (size_t size = 0; size < exported.descriptor_size; size++) {
        /* Bytes beyond the end of the descriptor are not read. */
        uint8_t *part = malloc(size + 1);
        memcpy(part, exported.descriptor, size);
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, import(part, size, &imported));
        free(part);
    }
    CHECK_REFUSED(DOCA_ERROR_INVALID_VALUE, "bytes instead of",
                  import(exported.descriptor, exported.descriptor_size + 1, &imported));
    for (size_t i = 0; i < exported.descriptor_size * 8; i++) {
        struct host_reply altered = exported;
        altered.descriptor[i / 8] ^= (uint8_t)(1U << i % 8);
        CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, import(altered.descriptor, altered.descriptor_size, &imported));
    }
    check_logged("its checksum is wrong");
    CHECK_POINTER(NULL, imported);
    check_imports(&exported);
    end_host(&host);
}

/* The same with a valid checksum, which only an attacker would make. */
static struct host_reply
forge(const struct host_reply *exported, void (*change)(struct share_descriptor *descriptor)) {
    struct host_reply forged = *exported;
    struct share_descriptor descriptor;
    memcpy(&descriptor, exported->descriptor, sizeof(descriptor));
    change(&descriptor);
    if (descriptor.head.size <= sizeof(descriptor)) {
        descriptor.head.checksum = descriptor_checksum(&descriptor.head);
    }
    memcpy(forged.descriptor, &descriptor, sizeof(descriptor));
    return forged;
}

static void
set_other_nonce(struct share_descriptor *descriptor) {
    descriptor->terms.nonce[0] ^= 1;
}

static void
set_write_permission(struct share_descriptor *descriptor) {
    descriptor->terms.permissions = DOCA_ACCESS_FLAG_PCI_READ_WRITE;
}

static void
set_no_permission(struct share_descriptor *descriptor) {
    descriptor->terms.permissions = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
}

static void
set_more_memory(struct share_descriptor *descriptor) {
    descriptor->terms.len *= 2;
}

static void
set_wrapping_range(struct share_descriptor *descriptor) {
    descriptor->terms.len = UINT64_MAX - 7;
}

/* The longest range, which ends before the last address. */
static void
set_range_to_the_end(struct share_descriptor *descriptor) {
    descriptor->terms.len = UINTPTR_MAX - descriptor->terms.addr;
}

static void
set_range_beyond_the_end(struct share_descriptor *descriptor) {
    descriptor->terms.len = UINTPTR_MAX - descriptor->terms.addr + 1;
}

static void
set_empty_range(struct share_descriptor *descriptor) {
    descriptor->terms.len = 0;
}

static void
set_other_version(struct share_descriptor *descriptor) {
    descriptor->head.version++;
}

/* A descriptor of libraries with work queues. */
static void
set_older_release(struct share_descriptor *descriptor) {
    descriptor->head.version |= 22 << 16;
}

static void
set_other_size(struct share_descriptor *descriptor) {
    descriptor->head.size = UINT32_MAX;
}

static void
set_unknown_kind(struct share_descriptor *descriptor) {
    descriptor->terms.kind = 99;
}

static void
set_rdma_kind(struct share_descriptor *descriptor) {
    descriptor->terms.kind = SHARE_KIND_RDMA;
}

static void
set_this_process(struct share_descriptor *descriptor) {
    descriptor->terms.pid = getpid();
    descriptor->fd = STDERR_FILENO;
}

static void
set_no_process(struct share_descriptor *descriptor) {
    descriptor->terms.pid = -1;
}

static void
set_unused_process(struct share_descriptor *descriptor) {
    descriptor->terms.pid = INT32_MAX;
}

static void
set_unused_file(struct share_descriptor *descriptor) {
    descriptor->fd = INT32_MAX;
}

static void
set_no_file(struct share_descriptor *descriptor) {
    descriptor->fd = -1;
}

/* A pipe, which must not be opened. */
static void
set_other_file(struct share_descriptor *descriptor) {
    descriptor->fd = STDIN_FILENO;
}

static void
set_other_user(struct share_descriptor *descriptor) {
    descriptor->terms.user++;
}

static void
a_forged_descriptor_is_refused(void) {
    static const struct {
        void (*change)(struct share_descriptor *descriptor);
        doca_error_t error;
        const char *reason;
    } cases[] = {
            {set_other_nonce, DOCA_ERROR_DRIVER, "the export has ended"},
            {set_write_permission, DOCA_ERROR_DRIVER, "the export has ended"},
            {set_no_permission, DOCA_ERROR_INVALID_VALUE, "has no PCI permission"},
            {set_more_memory, DOCA_ERROR_DRIVER, "the export has ended"},
            {set_wrapping_range, DOCA_ERROR_INVALID_VALUE, "names no range"},
            {set_range_to_the_end, DOCA_ERROR_DRIVER, "the export has ended"},
            {set_range_beyond_the_end, DOCA_ERROR_INVALID_VALUE, "names no range"},
            {set_empty_range, DOCA_ERROR_INVALID_VALUE, "names no range"},
            {set_other_version, DOCA_ERROR_INVALID_VALUE, "is of version 3"},
            {set_older_release, DOCA_ERROR_INVALID_VALUE, "is of libraries of release 2.2, and these are of 3.4"},
            {set_other_size, DOCA_ERROR_INVALID_VALUE, "bytes instead of"},
            {set_unknown_kind, DOCA_ERROR_INVALID_VALUE, "unknown kind 99"},
            {set_rdma_kind, DOCA_ERROR_INVALID_VALUE, "has no RDMA permission"},
            {set_this_process, DOCA_ERROR_DRIVER, "no control block"},
            {set_no_process, DOCA_ERROR_INVALID_VALUE, "names no process and file"},
            {set_unused_process, DOCA_ERROR_DRIVER, "has ended"},
            {set_unused_file, DOCA_ERROR_DRIVER, "the export has ended"},
            {set_no_file, DOCA_ERROR_INVALID_VALUE, "names no process and file"},
            {set_other_file, DOCA_ERROR_DRIVER, "no control block"},
            {set_other_user, DOCA_ERROR_NOT_PERMITTED, "is of user"},
    };
    struct host_reply exported;
    struct peer host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &exported);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct host_reply forged = forge(&exported, cases[i].change);
        check_refused(cases[i].error, cases[i].reason, &forged);
    }
    check_imports(&exported);
    end_host(&host);
}

/* The process is first a zombie, and then reaped. */
static void
kill_and_check_refused(struct peer *host, const struct host_reply *exported) {
    siginfo_t info;
    kill(host->pid, SIGKILL);
    CHECK_EQUAL(0, waitid(P_PID, (id_t)host->pid, &info, WEXITED | WNOWAIT));
    check_refused(DOCA_ERROR_DRIVER, "has ended", exported);
    CHECK_EQUAL(SIGKILL, join_peer(host));
    check_refused(DOCA_ERROR_DRIVER, "has ended", exported);
}

static void
an_export_that_has_ended_is_refused(void) {
    struct host_reply first;
    struct peer host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &first);
    CHECK_SUCCESS(request_host(&host, HOST_STOP).result);
    check_refused(DOCA_ERROR_DRIVER, "has ended", &first);
    CHECK_SUCCESS(request_host(&host, HOST_START).result);
    check_refused(DOCA_ERROR_DRIVER, "has ended", &first);
    const struct host_reply second = request_host(&host, HOST_EXPORT);
    CHECK_SUCCESS(second.result);
    check_refused(DOCA_ERROR_DRIVER, "has ended", &first);
    check_imports(&second);
    CHECK_SUCCESS(request_host(&host, HOST_DESTROY).result);
    check_refused(DOCA_ERROR_DRIVER, "has ended", &second);
    end_peer(&host);
    check_refused(DOCA_ERROR_DRIVER, "has ended", &second);

    struct host_reply third;
    host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &third);
    kill_and_check_refused(&host, &third);
}

/*
 * Other DPUs and other users
 */

static void
check_not_behind_this_dpu(void) {
    struct host_reply exported;
    keep_errors();
    dev = open_device("mlx5_0");
    /* Has the same topology, in which the function is not behind a DPU. */
    struct peer host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &exported);
    check_refused(DOCA_ERROR_NOT_PERMITTED, "no representor of the exporting function 0000:0b:00.0", &exported);
    end_host(&host);
    CHECK_SUCCESS(doca_dev_close(dev));
}

static void
a_function_without_representor_on_this_dpu_is_refused(void) {
    check_with_topology("[dpu mlx5_0]\npci = 03:00.0\n[host mlx5_0]\npci = 0b:00.0\n", check_not_behind_this_dpu);
}

static void
become_nobody(void) {
    if (setgid(NOBODY) != 0 || setuid(NOBODY) != 0 || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0) {
        perror("setuid");
        exit(EXIT_FAILURE);
    }
}

/* Runs in its own process: the user nobody may import its own exports, but not root's. */
static void
check_nobody(void) {
    struct host_reply of_nobody;
    struct host_reply of_root;
    struct peer nobody = start_host_with(
            "host-of-nobody",
            (struct host_request){.len = PAGE, .permissions = DOCA_ACCESS_FLAG_PCI_READ_ONLY, .device = "mlx5_0"},
            &of_nobody);
    struct peer root = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &of_root);
    keep_errors();
    dev = open_device("mlx5_0");
    check_refused(DOCA_ERROR_NOT_PERMITTED, "is of user 65534, and this one of user 0", &of_nobody);
    check_imports(&of_root);
    become_nobody();
    check_refused(DOCA_ERROR_NOT_PERMITTED, "is of user 0, and this one of user 65534", &of_root);
    check_imports(&of_nobody);
    /* The system hides more of a dead process from an ordinary user. */
    kill_and_check_refused(&nobody, &of_nobody);
    end_host(&root);
    CHECK_SUCCESS(doca_dev_close(dev));
}

static void
nothing_is_shared_between_users(void) {
    if (geteuid() != 0) {
        fprintf(stderr, "skipped, since this is not root: nothing is shared between users\n");
        return;
    }
    check_with_environment("DOCA_EMULATOR_ROLE", "dpu", check_nobody);
}

/* Makes each call of process_vm_readv by this process fail with an error, as a sandbox does. */
static void
refuse_access_with(int error) {
    struct sock_filter filter[] = {
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned int)error),
            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {.len = sizeof(filter) / sizeof(filter[0]), .filter = filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
}

/* Runs in its own process. Of two filters, the one that was installed last determines the error. */
static void
check_without_access(void) {
    struct host_reply reply;
    struct peer host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &reply);
    keep_errors();
    dev = open_device("mlx5_0");
    check_imports(&reply);
    refuse_access_with(ENOSYS);
    check_refused(DOCA_ERROR_DRIVER, "cannot be accessed: process_vm_readv is missing here", &reply);
    refuse_access_with(ENOMEM);
    check_refused(DOCA_ERROR_DRIVER, "cannot be accessed: Cannot allocate memory", &reply);
    end_host(&host);
    CHECK_SUCCESS(doca_dev_close(dev));
}

static void
sandboxes_without_access_are_named(void) {
    check_with_environment("DOCA_EMULATOR_ROLE", "dpu", check_without_access);
}

/* Clean-up */

static bool
has_sanitizer(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    /* The sanitizer may map memory at any time. */
    return true;
#else
    return false;
#endif
}

static void
check_same(struct resources before, struct resources after) {
    CHECK_EQUAL(before.num_files, after.num_files);
    if (!has_sanitizer()) {
        CHECK_EQUAL(before.num_maps, after.num_maps);
    }
}

static void
export_and_import_often(struct peer *host, int num_rounds) {
    for (int i = 0; i < num_rounds; i++) {
        const struct host_reply exported = request_host(host, HOST_EXPORT);
        CHECK_SUCCESS(exported.result);
        check_imports(&exported);
        CHECK_SUCCESS(request_host(host, HOST_STOP).result);
        CHECK_SUCCESS(request_host(host, HOST_START).result);
    }
}

static void
nothing_is_left_of_exports_and_imports(void) {
    struct host_reply exported;
    struct peer host = start_host(PAGE, DOCA_ACCESS_FLAG_PCI_READ_ONLY, &exported);
    CHECK_SUCCESS(request_host(&host, HOST_STOP).result);
    CHECK_SUCCESS(request_host(&host, HOST_START).result);
    /* Repeats until the memory of destroyed maps is reused. */
    export_and_import_often(&host, 100);
    const struct resources of_host = request_host(&host, HOST_COUNT_RESOURCES).resources;
    const struct resources of_dpu = count_resources();
    export_and_import_often(&host, 300);
    check_same(of_host, request_host(&host, HOST_COUNT_RESOURCES).resources);
    check_same(of_dpu, count_resources());

    struct doca_mmap *imported;
    exported = request_host(&host, HOST_EXPORT);
    for (int i = 0; i < 300; i++) {
        check_imports(&exported);
    }
    check_same(of_dpu, count_resources());
    CHECK_SUCCESS(import(exported.descriptor, exported.descriptor_size, &imported));
    /* An import uses no descriptor. */
    CHECK_EQUAL(of_dpu.num_files, count_resources().num_files);
    CHECK_SUCCESS(doca_mmap_destroy(imported));
    end_host(&host);
}

int
main(int argc, char **argv) {
    if (argc > 1) {
        if (strcmp(argv[1], "host-of-nobody") == 0) {
            become_nobody();
        }
        return run_host();
    }
    check_with_environment("DOCA_EMULATOR_ROLE", "host", run_host_tests);
    a_function_without_representor_on_this_dpu_is_refused();
    nothing_is_shared_between_users();
    sandboxes_without_access_are_named();
    keep_errors();
    dev = open_device("mlx5_0");
    any_function_of_the_host_and_any_of_the_dpu_will_do();
    a_broken_descriptor_is_refused();
    a_forged_descriptor_is_refused();
    an_export_that_has_ended_is_refused();
    nothing_is_left_of_exports_and_imports();
    CHECK_SUCCESS(doca_dev_close(dev));
    return check_result();
}
