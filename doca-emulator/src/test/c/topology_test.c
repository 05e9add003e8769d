/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Topologies of files, each in its own process.
 */
#include <doca_dma.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "fixture.h"
#include "sdk_errors.h"

doca_error_t doca_emulator_configure(const char *role, const char *topology_path, const char *engine);

static char path[] = "/tmp/doca-emulator-topology-XXXXXX";

static void
write_topology(const char *text) {
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

static void
every_property_can_be_given(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    CHECK_EQUAL(2, num_devices);
    uint8_t is_equal = 0;
    CHECK_SUCCESS(doca_devinfo_is_equal_pci_addr(list[0], "0001:aF:00.0", &is_equal));
    CHECK_EQUAL(1, is_equal);
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE];
    CHECK_SUCCESS(doca_devinfo_get_iface_name(list[0], text, sizeof(text)));
    CHECK_STRING("port 0", text);
    uint8_t bytes[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    CHECK_SUCCESS(doca_devinfo_get_mac_addr(list[0], bytes, 6));
    CHECK(memcmp(bytes, (uint8_t[]){0x0c, 0x42, 0xa1, 0xff, 0x00, 0x01}, 6) == 0);
    CHECK_SUCCESS(doca_devinfo_get_ipv4_addr(list[0], bytes, 4));
    CHECK(memcmp(bytes, (uint8_t[]){10, 0, 0, 7}, 4) == 0);
    CHECK_SUCCESS(doca_devinfo_get_ipv6_addr(list[0], bytes, 16));
    CHECK(memcmp(bytes, (uint8_t[16]){0xfd, [15] = 7}, 16) == 0);
    uint64_t rate;
    uint16_t number16;
    CHECK_SUCCESS(doca_devinfo_get_active_rate(list[0], &rate));
    CHECK_EQUAL(100000000000, rate);
    CHECK_SUCCESS(doca_devinfo_get_vhca_id(list[0], &number16));
    CHECK_EQUAL(0x10, number16);

    /* An InfiniBand port has a LID and no MAC address. */
    CHECK_SUCCESS(doca_devinfo_get_lid(list[1], &number16));
    CHECK_EQUAL(12, number16);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_devinfo_get_mac_addr(list[1], bytes, 6));

    uint64_t max_buf_size;
    uint32_t max_buf_list_len;
    CHECK_SUCCESS(doca_dma_cap_task_memcpy_is_supported(list[0]));
    CHECK_SUCCESS(doca_dma_cap_task_memcpy_get_max_buf_size(list[0], &max_buf_size));
    CHECK_EQUAL(4096, max_buf_size);
    CHECK_SUCCESS(doca_dma_cap_task_memcpy_get_max_buf_list_len(list[0], &max_buf_list_len));
    CHECK_EQUAL(2, max_buf_list_len);
    CHECK_ERROR(DOCA_ERROR_NOT_SUPPORTED, doca_dma_cap_task_memcpy_is_supported(list[1]));

    struct doca_dev *dev;
    struct doca_dma *dma;
    uint32_t max_num_tasks;
    struct doca_devinfo_rep **reps;
    uint32_t num_reps;
    REQUIRE_SUCCESS(doca_dev_open(list[0], &dev));
    REQUIRE_SUCCESS(doca_dma_create(dev, &dma));
    CHECK_SUCCESS(doca_dma_cap_get_max_num_tasks(dma, &max_num_tasks));
    CHECK_EQUAL(16, max_num_tasks);
    CHECK_SUCCESS(doca_dma_destroy(dma));
    REQUIRE_SUCCESS(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num_reps));
    CHECK_EQUAL(1, num_reps);
    uint8_t is_hotplug = 0;
    CHECK_SUCCESS(doca_devinfo_rep_get_is_hotplug(reps[0], &is_hotplug));
    CHECK_EQUAL(1, is_hotplug);
    CHECK_SUCCESS(doca_devinfo_rep_get_iface_name(reps[0], text, sizeof(text)));
    CHECK_STRING("pf0hpf", text);
    CHECK_SUCCESS(doca_devinfo_rep_get_vuid(reps[0], text, sizeof(text)));
    CHECK_STRING("MT0001", text);
    CHECK_SUCCESS(doca_devinfo_rep_destroy_list(reps));
    REQUIRE_SUCCESS(doca_dev_close(dev));
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

static uint32_t
count_devices(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
    return num_devices;
}

static void
no_device_is_not_found(void) {
    struct doca_devinfo **list = NULL;
    uint32_t num_devices = 99;
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_devinfo_create_list(&list, &num_devices));
    CHECK_EQUAL(99, num_devices);
    CHECK_POINTER(NULL, list);
}

static const char *expected_reason;

static void
a_broken_topology_is_reported(void) {
    struct doca_devinfo **list;
    uint32_t num_devices = 99;
    keep_errors();
    /* The error is logged each time, not only the first time. */
    for (int i = 0; i < 2; i++) {
        CHECK_REFUSED(DOCA_ERROR_BAD_CONFIG, expected_reason, doca_devinfo_create_list(&list, &num_devices));
        CHECK_EQUAL(99, num_devices);
    }
}

static void
broken_topologies_are_refused(void) {
    static const struct {
        const char *text;
        const char *reason;
    } cases[] = {
        {"pci = 03:00.0\n", ":1: \"pci\" stands before the first section"},
        {"[dpu mlx5_0\n", ":1: a section lacks its \"]\""},
        {"[port mlx5_0]\n", ":1: \"[port mlx5_0]\" is neither [dpu <name>] nor [host <name>]"},
        {"[dpu mlx5_0]\nnonsense\n", ":2: \"nonsense\" is neither a section nor \"property = value\""},
        {"[dpu mlx5_0]\npcie = 03:00.0\n", ":2: a function of the DPU has no property \"pcie\""},
        {"[dpu mlx5_0]\nhotplug = yes\n", ":2: a function of the DPU has no property \"hotplug\""},
        {"[dpu mlx5_0]\n\n# no address\n", ":1: mlx5_0 has no pci"},
        {"[dpu mlx5_0]\npci = 3:00.0\n", ":2: \"3:00.0\" is not a PCI address like 03:00.0 or 0000:03:00.0"},
        {"[dpu a]\npci = 03:00.0\n[dpu a]\n", ":3: \"[dpu a]\" stands in line 1 already"},
        {"[dpu a]\npci = 03:00.0\n[dpu b]\npci = 03:00.0\n", ":3: a and b have the same pci"},
        {"[dpu a]\npci = 03:00.0\n[dpu b]\npci = 03:00.1\n", ":3: a and b have the same pf"},
        {"[host a]\npci = 0b:00.2\ntype = vf\n", ":1: a belongs to pf 0, which is not there"},
        {"[host a]\npci = 0b:00.0\nbehind = p0\n", ":1: behind = p0: the DPU has no such physical function"},
        {"[dpu a]\npci = 03:00.0\npci = 03:00.1\n", ":3: \"pci\" is given twice"},
        {"[dpu a]\ntype = nf\n", ":2: \"nf\" is none of pf, vf, sf"},
        {"[dpu a]\nlink = serial\n", ":2: \"serial\" is neither ethernet nor infiniband"},
        {"[dpu a]\ndma = maybe\n", ":2: \"maybe\" is neither yes nor no"},
        {"[dpu a]\nvhca_id = 65536\n", ":2: \"65536\" is not a number from 0 to 65535"},
        {"[dpu a]\npf = -1\n", ":2: \"-1\" is not a number from 0 to 4294967295"},
        {"[dpu a]\nrate = fast\n", ":2: \"fast\" is not a number from 0 to 18446744073709551615"},
        {"[dpu a]\nmac = 02:00:00:00:00\n", ":2: \"02:00:00:00:00\" is not a MAC address like 02:00:00:00:00:01"},
        {"[dpu a]\nmac = 02:-1:00:00:00:01\n", ":2: \"02:-1:00:00:00:01\" is not a MAC address like 02:00:00:00:00:01"},
        {"[dpu a]\nipv4 = 10.0.0.256\n", ":2: \"10.0.0.256\" is not an IPv4 address"},
        {"[dpu a]\nipv6 = 10.0.0.1\n", ":2: \"10.0.0.1\" is not an IPv6 address"},
        {"[dpu a]\niface =\n", ":2: expected 1 to 255 characters, not 0"},
        {"[dpu ]\n", ":1: \"[dpu]\" is neither [dpu <name>] nor [host <name>]"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        expected_reason = cases[i].reason;
        check_with_topology(cases[i].text, a_broken_topology_is_reported);
    }
}

static void
nothing_is_read(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    keep_errors();
    CHECK_REFUSED(DOCA_ERROR_BAD_CONFIG, expected_reason, doca_devinfo_create_list(&list, &num_devices));
}

static void
only_files_are_read(void) {
    expected_reason = "Topology /tmp: Not a file that can be read to its end";
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", "/tmp", a_broken_topology_is_reported);
    expected_reason = "Topology /dev/zero: Not a file that can be read to its end";
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", "/dev/zero", a_broken_topology_is_reported);
}

static void
two_devices_are_there(void) {
    CHECK_EQUAL(2, count_devices());
}

/* Runs in its own process. */
static void
write_two_devices(void) {
    check_begin_child();
    write_topology("[dpu mlx5_0]\npci = 03:00.0\npf = 0\n[dpu mlx5_1]\npci = 03:00.1\npf = 1\n");
    _exit(EXIT_SUCCESS);
}

/* Runs in its own process: writes comments until the reader closes the pipe. */
static void
write_slowly(void) {
    check_begin_child();
    signal(SIGPIPE, SIG_IGN);
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    while (write(fd, "#", 1) == 1) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    _exit(EXIT_SUCCESS);
}

/* Runs in its own process, with its own pipe. */
static void
read_without_a_writer(void) {
    check_begin_child();
    strcpy(path, "/tmp/doca-emulator-topology-XXXXXX");
    close(mkstemp(path));
    unlink(path);
    CHECK_EQUAL(0, mkfifo(path, S_IRUSR | S_IWUSR));
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, nothing_is_read);
    unlink(path);
    _exit(check_result());
}

static pid_t
start_child(void (*run)(void)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        run();
    }
    return child;
}

static void
join_child(pid_t child) {
    int status = -1;
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

/* Neither a pipe without a writer nor one with a slow writer blocks a program without end. */
static void
pipes_are_read_to_their_end(void) {
    if (mkfifo(path, S_IRUSR | S_IWUSR) != 0) {
        CHECK_FAILED("no pipe");
        return;
    }
    const pid_t writer = start_child(write_two_devices);
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, two_devices_are_there);
    join_child(writer);
    expected_reason = "Connection timed out";
    const pid_t reader = start_child(read_without_a_writer);
    const pid_t slow_writer = start_child(write_slowly);
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, nothing_is_read);
    join_child(reader);
    join_child(slow_writer);
    unlink(path);
}

static void
a_sub_function_shares_the_address_of_its_port(void) {
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    CHECK_EQUAL(2, num_devices);
    for (uint32_t i = 0; i < num_devices; i++) {
        uint8_t is_equal = 0;
        CHECK_SUCCESS(doca_devinfo_is_equal_pci_addr(list[i], "03:00.0", &is_equal));
        CHECK_EQUAL(1, is_equal);
    }
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

static void
only_hosts_have_this(void) {
    setenv("DOCA_EMULATOR_ROLE", "host", 1);
    struct doca_devinfo **list;
    uint32_t num_devices;
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    CHECK_EQUAL(1, num_devices);
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    CHECK_SUCCESS(doca_devinfo_get_ibdev_name(list[0], name, sizeof(name)));
    CHECK_STRING("ibp1s0", name);
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

static void
a_process_without_open_devices_is_configured_anew(void) {
    CHECK_EQUAL(4, count_devices());
    CHECK_SUCCESS(doca_emulator_configure("dpu", path, "threaded"));
    CHECK_EQUAL(1, count_devices());
    struct doca_devinfo **list;
    uint32_t num_devices;
    CHECK_SUCCESS(doca_emulator_configure("host", path, NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_devinfo_create_list(&list, &num_devices));

    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_emulator_configure("arm", NULL, NULL));
    CHECK_ERROR(DOCA_ERROR_INVALID_VALUE, doca_emulator_configure(NULL, NULL, "fast"));
    CHECK_ERROR(DOCA_ERROR_BAD_CONFIG, doca_emulator_configure("dpu", "/missing", NULL));
    CHECK_ERROR(DOCA_ERROR_NOT_FOUND, doca_devinfo_create_list(&list, &num_devices));

    CHECK_SUCCESS(doca_emulator_configure(NULL, NULL, NULL));
    REQUIRE_SUCCESS(doca_devinfo_create_list(&list, &num_devices));
    CHECK_EQUAL(4, num_devices);
    struct doca_dev *dev;
    REQUIRE_SUCCESS(doca_dev_open(list[0], &dev));
    CHECK_ERROR(DOCA_ERROR_IN_USE, doca_emulator_configure("host", NULL, NULL));
    CHECK_SUCCESS(doca_dev_close(dev));
    CHECK_SUCCESS(doca_emulator_configure("host", NULL, NULL));

    /* Device infos of other settings keep their values. */
    char text[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    CHECK_SUCCESS(doca_devinfo_get_ibdev_name(list[0], text, sizeof(text)));
    CHECK_STRING("mlx5_0", text);
    CHECK_SUCCESS(doca_devinfo_destroy_list(list));
}

int
main(void) {
    close(mkstemp(path));

    write_topology("# comment\n"
                   "  [dpu mlx5_0]   # of this machine\n"
                   "pci=0001:AF:00.0\n"
                   "  iface =  port 0  \n"
                   "pf = 0\n"
                   "mac = 0c:42:a1:ff:00:01\n"
                   "ipv4 = 10.0.0.7\n"
                   "ipv6 = fd00::7\n"
                   "rate = 100000000000\n"
                   "vhca_id = 0x10\n"
                   "dma_max_buf_size = 4096\n"
                   "dma_max_buf_list_len = 2\n"
                   "dma_max_tasks = 16\n"
                   "[dpu mlx5_1]\n"
                   "pci = af:00.1\n"
                   "pf = 1\n"
                   "link = infiniband\n"
                   "lid = 12\n"
                   "dma = no\n"
                   "[host ibp1s0]\n"
                   "pci = 0b:00.0\n"
                   "vuid = MT0001\n"
                   "behind = mlx5_0\n"
                   "representor = pf0hpf\n"
                   "hotplug = yes");
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, every_property_can_be_given);
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, only_hosts_have_this);

    check_with_topology("[dpu sub_function]\npci = 03:00.0\ntype = sf\n[dpu port]\npci = 03:00.0\n", a_sub_function_shares_the_address_of_its_port);
    write_topology("[dpu mlx5_0]\npci = 03:00.0\n");
    check_with_environment("DOCA_EMULATOR_SEED", "1", a_process_without_open_devices_is_configured_anew);

    check_with_topology("# nothing\n", no_device_is_not_found);
    broken_topologies_are_refused();
    only_files_are_read();
    unlink(path);
    pipes_are_read_to_their_end();

    expected_reason = "No such file or directory";
    check_with_environment("DOCA_EMULATOR_TOPOLOGY", path, a_broken_topology_is_reported);
    expected_reason = "DOCA_EMULATOR_ROLE=arm: expected dpu or host";
    check_with_environment("DOCA_EMULATOR_ROLE", "arm", a_broken_topology_is_reported);
    expected_reason = "DOCA_EMULATOR_STRICT=yes: expected 0 or 1";
    check_with_environment("DOCA_EMULATOR_STRICT", "yes", a_broken_topology_is_reported);
    static const char *const no_seeds[] = {" -5", "-5", "+5", " 5", "5 ", "0x5", "18446744073709551616", "five"};
    for (size_t i = 0; i < sizeof(no_seeds) / sizeof(no_seeds[0]); i++) {
        char reason[128];
        snprintf(reason, sizeof(reason), "DOCA_EMULATOR_SEED=%s: expected a number of 0 to 18446744073709551615", no_seeds[i]);
        expected_reason = reason;
        check_with_environment("DOCA_EMULATOR_SEED", no_seeds[i], a_broken_topology_is_reported);
    }
    expected_reason = "DOCA_EMULATOR_RELEASE=2.4: expected 2.5 or 3.4";
    check_with_environment("DOCA_EMULATOR_RELEASE", "2.4", a_broken_topology_is_reported);
    expected_reason = "DOCA_EMULATOR_ENGINE=fast: expected inline or threaded";
    check_with_environment("DOCA_EMULATOR_ENGINE", "fast", a_broken_topology_is_reported);
    return check_result();
}
