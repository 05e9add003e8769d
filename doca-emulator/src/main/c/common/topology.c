/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "number.h"
#include "sdk_log.h"
#include "topology.h"

#define MAX_NUM_FUNCTIONS 1024
#define MAX_PIPE_SIZE ((size_t)1024 * 1024)
/* For the whole pipe. */
#define PIPE_TIMEOUT_MS 5000

/* The default topology, in the syntax of a topology file. */
static const char default_text[] =
        "[dpu mlx5_0]\n"
        "pci = 03:00.0\n"
        "iface = p0\n"
        "pf = 0\n"
        "\n"
        "[dpu mlx5_1]\n"
        "pci = 03:00.1\n"
        "iface = p1\n"
        "pf = 1\n"
        "\n"
        "[dpu mlx5_2]\n"
        "pci = 03:00.0\n"
        "iface = enp3s0f0s0\n"
        "type = sf\n"
        "pf = 0\n"
        "sf = 0\n"
        "\n"
        "[dpu mlx5_3]\n"
        "pci = 03:00.1\n"
        "iface = enp3s0f1s0\n"
        "type = sf\n"
        "pf = 1\n"
        "sf = 0\n"
        "\n"
        "[host mlx5_0]\n"
        "pci = 0b:00.0\n"
        "iface = ens1f0np0\n"
        "pf = 0\n"
        "behind = mlx5_0\n"
        "representor = pf0hpf\n"
        "\n"
        "[host mlx5_1]\n"
        "pci = 0b:00.1\n"
        "iface = ens1f1np1\n"
        "pf = 1\n"
        "behind = mlx5_1\n"
        "representor = pf1hpf\n"
        "\n"
        "[host mlx5_2]\n"
        "pci = 0b:00.2\n"
        "iface = ens1f0v0\n"
        "type = vf\n"
        "pf = 0\n"
        "vf = 0\n"
        "behind = mlx5_0\n"
        "representor = pf0vf0\n"
        "\n"
        "[host mlx5_3]\n"
        "pci = 0b:00.3\n"
        "iface = ens1f0v1\n"
        "type = vf\n"
        "pf = 0\n"
        "vf = 1\n"
        "behind = mlx5_0\n"
        "representor = pf0vf1\n"
        "\n"
        "[host mlx5_4]\n"
        "pci = 0b:00.4\n"
        "iface = ens1f1v0\n"
        "type = vf\n"
        "pf = 1\n"
        "vf = 0\n"
        "behind = mlx5_1\n"
        "representor = pf1vf0\n";

/* A topology while it is being read. */
struct reader {
    int line;
    char reason[256];
    struct topology *topology;
};

static bool __attribute__((format(printf, 2, 3)))
fail(struct reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->reason, sizeof(reader->reason), format, arguments);
    va_end(arguments);
    return false;
}

bool
topology_normalize_pci_addr(const char *text, char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE]) {
    static const char pattern[] = "xxxx:xx:xx.x";
    const size_t len = strlen(text);
    const char *expected = pattern;
    size_t used = 0;
    if (len == DOCA_DEVINFO_PCI_BDF_SIZE - 1) {
        memcpy(pci_addr, "0000:", 5);
        used = 5;
        expected = pattern + 5;
    } else if (len != DOCA_DEVINFO_PCI_ADDR_SIZE - 1) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        const unsigned char c = (unsigned char)text[i];
        if (expected[i] == 'x' ? !isxdigit(c) : c != expected[i]) {
            return false;
        }
        pci_addr[used++] = (char)tolower(c);
    }
    pci_addr[used] = '\0';
    return true;
}

/*
 * Properties
 */

struct property {
    const char *key;
    bool (*read)(struct reader *reader, const char *value, void *field, size_t size);
    /* The member of the function that the property sets. */
    size_t offset;
    size_t size;
    bool host_only;
};

static bool
read_text(struct reader *reader, const char *value, void *field, size_t size) {
    const size_t len = strlen(value);
    if (len == 0 || len >= size) {
        return fail(reader, "expected 1 to %zu characters, not %zu", size - 1, len);
    }
    memcpy(field, value, len + 1);
    return true;
}

/* Stores the number in an unsigned integer of any size. */
static bool
read_number(struct reader *reader, const char *value, void *field, size_t size) {
    const uint64_t max = UINT64_MAX >> (64 - 8 * size);
    uint64_t number;
    const char *end = number_read(value, 0, 0, max, &number);
    if (end == NULL || *end != '\0') {
        return fail(reader, "\"%s\" is not a number from 0 to %llu", value, (unsigned long long)max);
    }
    switch (size) {
    case sizeof(uint16_t):
        *(uint16_t *)field = (uint16_t)number;
        break;
    case sizeof(uint32_t):
        *(uint32_t *)field = (uint32_t)number;
        break;
    default:
        *(uint64_t *)field = number;
    }
    return true;
}

static bool
read_bool(struct reader *reader, const char *value, void *field, size_t size) {
    (void)size;
    bool *flag = field;
    *flag = strcmp(value, "yes") == 0;
    return *flag || strcmp(value, "no") == 0 || fail(reader, "\"%s\" is neither yes nor no", value);
}

static bool
read_type(struct reader *reader, const char *value, void *field, size_t size) {
    static const char *const names[] = {
        [DOCA_PCI_FUNC_TYPE_PF] = "pf", [DOCA_PCI_FUNC_TYPE_VF] = "vf", [DOCA_PCI_FUNC_TYPE_SF] = "sf"};
    (void)size;
    enum doca_pci_func_type *type = field;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(value, names[i]) == 0) {
            *type = (enum doca_pci_func_type)i;
            return true;
        }
    }
    return fail(reader, "\"%s\" is none of pf, vf, sf", value);
}

static bool
read_link(struct reader *reader, const char *value, void *field, size_t size) {
    (void)size;
    bool *ethernet = field;
    *ethernet = strcmp(value, "ethernet") == 0;
    return *ethernet || strcmp(value, "infiniband") == 0 ||
           fail(reader, "\"%s\" is neither ethernet nor infiniband", value);
}

static bool
read_pci_addr(struct reader *reader, const char *value, void *field, size_t size) {
    (void)size;
    return topology_normalize_pci_addr(value, field) ||
           fail(reader, "\"%s\" is not a PCI address like 03:00.0 or 0000:03:00.0", value);
}

static bool
read_mac_addr(struct reader *reader, const char *value, void *field, size_t size) {
    uint8_t *mac_addr = field;
    const char *text = value;
    for (size_t i = 0; i < size; i++) {
        uint64_t byte;
        const char *end = number_read(text, 16, 0, UINT8_MAX, &byte);
        if (end == NULL || end > text + 2 || *end != (i < size - 1 ? ':' : '\0')) {
            return fail(reader, "\"%s\" is not a MAC address like 02:00:00:00:00:01", value);
        }
        mac_addr[i] = (uint8_t)byte;
        text = end + 1;
    }
    return true;
}

static bool
read_ip_addr(struct reader *reader, const char *value, void *field, size_t size) {
    const int family = size == DOCA_DEVINFO_IPV4_ADDR_SIZE ? AF_INET : AF_INET6;
    return inet_pton(family, value, field) == 1 ||
           fail(reader, "\"%s\" is not an %s address", value, family == AF_INET ? "IPv4" : "IPv6");
}

#define FIELD(member) offsetof(struct topology_function, member), sizeof(((struct topology_function *)NULL)->member)

static const struct property properties[] = {
    {"pci", read_pci_addr, FIELD(pci_addr), false},
    {"iface", read_text, FIELD(iface_name), false},
    {"type", read_type, FIELD(type), false},
    {"pf", read_number, FIELD(pf_index), false},
    {"vf", read_number, FIELD(vf_index), false},
    {"sf", read_number, FIELD(sf_index), false},
    {"vhca_id", read_number, FIELD(vhca_id), false},
    {"vuid", read_text, FIELD(vuid), false},
    {"link", read_link, FIELD(ethernet), false},
    {"lid", read_number, FIELD(lid), false},
    {"rate", read_number, FIELD(active_rate), false},
    {"mac", read_mac_addr, FIELD(mac_addr), false},
    {"ipv4", read_ip_addr, FIELD(ipv4_addr), false},
    {"ipv6", read_ip_addr, FIELD(ipv6_addr), false},
    {"dma", read_bool, FIELD(dma.memcpy_supported), false},
    {"dma_max_buf_size", read_number, FIELD(dma.max_buf_size), false},
    {"dma_max_buf_list_len", read_number, FIELD(dma.max_buf_list_len), false},
    {"dma_max_tasks", read_number, FIELD(dma.max_num_tasks), false},
    {"rdma", read_bool, FIELD(rdma.supported), false},
    {"rdma_max_message_size", read_number, FIELD(rdma.max_message_size), false},
    {"rdma_max_receives", read_number, FIELD(rdma.max_recv_queue_size), false},
    {"behind", read_text, FIELD(behind_name), true},
    {"representor", read_text, FIELD(rep_iface_name), true},
    {"hotplug", read_bool, FIELD(hotplug), true},
};

_Static_assert(sizeof(properties) / sizeof(properties[0]) <= 32, "struct topology_function has a bit for each");

static bool
read_property(struct reader *reader, const char *key, const char *value) {
    if (reader->topology->num_functions == 0) {
        return fail(reader, "\"%s\" stands before the first section", key);
    }
    struct topology_function *function = &reader->topology->functions[reader->topology->num_functions - 1];
    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
        const struct property *property = &properties[i];
        if (strcmp(key, property->key) == 0 && !(property->host_only && function->side == EMULATOR_ROLE_DPU)) {
            const uint32_t bit = UINT32_C(1) << i;
            if ((function->given & bit) != 0) {
                return fail(reader, "\"%s\" is given twice", key);
            }
            function->given |= bit;
            return property->read(reader, value, (uint8_t *)function + property->offset, property->size);
        }
    }
    return fail(reader, "a function of the %s has no property \"%s\"",
                function->side == EMULATOR_ROLE_DPU ? "DPU" : "host", key);
}

/*
 * Lines
 */

/* Reads "dpu mlx5_0" or "host mlx5_0", without the brackets. */
static bool
read_section(struct reader *reader, const char *title) {
    enum emulator_role side;
    const char *name;
    if (strncmp(title, "dpu ", 4) == 0) {
        side = EMULATOR_ROLE_DPU;
        name = title + 4;
    } else if (strncmp(title, "host ", 5) == 0) {
        side = EMULATOR_ROLE_HOST;
        name = title + 5;
    } else {
        return fail(reader, "\"[%s]\" is neither [dpu <name>] nor [host <name>]", title);
    }
    for (size_t i = 0; i < reader->topology->num_functions; i++) {
        const struct topology_function *other = &reader->topology->functions[i];
        if (other->side == side && strcmp(other->ibdev_name, name) == 0) {
            return fail(reader, "\"[%s]\" stands in line %d already", title, other->line);
        }
    }
    if (reader->topology->num_functions == MAX_NUM_FUNCTIONS) {
        return fail(reader, "more than %d functions", MAX_NUM_FUNCTIONS);
    }

    const size_t index = reader->topology->num_functions++;
    struct topology_function *function = &reader->topology->functions[index];
    function->line = reader->line;
    function->side = side;
    function->ethernet = true;
    function->active_rate = 200000000000;
    function->vhca_id = (uint16_t)index;
    /* 1 is the loopback interface on any machine. */
    function->iface_index = (uint32_t)index + 2;
    function->rep_iface_index = function->iface_index;
    /* The measured limits of a BlueField-3. */
    function->dma = (struct dma_capabilities){
        .memcpy_supported = true,
        .max_buf_size = emulator_release_is_at_most(EMULATOR_RELEASE_2_2) ? 128 * 1024 * 1024 : 2 * 1024 * 1024,
        .max_buf_list_len = 64,
        .max_num_tasks = 65536};
    function->rdma = (struct rdma_capabilities){.supported = true,
                                                .max_message_size = UINT32_C(1) << 30,
                                                .max_send_queue_size = 32768,
                                                .max_recv_queue_size = 32768,
                                                .max_send_buf_list_len =
                                                        emulator_release_is_at_most(EMULATOR_RELEASE_2_2) ? 63 : 30,
                                                .max_recv_buf_list_len = 31};
    return read_text(reader, name, function->ibdev_name, sizeof(function->ibdev_name));
}

static char *
trim(char *text) {
    while (isspace((unsigned char)*text)) {
        text++;
    }
    size_t len = strlen(text);
    while (len > 0 && isspace((unsigned char)text[len - 1])) {
        text[--len] = '\0';
    }
    return text;
}

static bool
read_line(struct reader *reader, char *line) {
    line[strcspn(line, "#")] = '\0';
    char *text = trim(line);
    const size_t len = strlen(text);
    if (len == 0) {
        return true;
    }
    if (text[0] == '[') {
        if (text[len - 1] != ']') {
            return fail(reader, "a section lacks its \"]\"");
        }
        text[len - 1] = '\0';
        return read_section(reader, trim(text + 1));
    }
    char *equals = strchr(text, '=');
    if (equals == NULL) {
        return fail(reader, "\"%s\" is neither a section nor \"property = value\"", text);
    }
    *equals = '\0';
    return read_property(reader, trim(text), trim(equals + 1));
}

/* Properties that depend on several lines */

static bool
check_pci_addr(struct reader *reader, size_t index) {
    const struct topology_function *function = &reader->topology->functions[index];
    if (function->pci_addr[0] == '\0') {
        return fail(reader, "%s has no pci", function->ibdev_name);
    }
    /* A sub-function shares the address of its physical function. */
    for (size_t i = 0; i < index && function->type != DOCA_PCI_FUNC_TYPE_SF; i++) {
        const struct topology_function *other = &reader->topology->functions[i];
        if (other->side == function->side && other->type != DOCA_PCI_FUNC_TYPE_SF &&
            strcmp(other->pci_addr, function->pci_addr) == 0) {
            return fail(reader, "%s and %s have the same pci", other->ibdev_name, function->ibdev_name);
        }
    }
    return true;
}

static struct topology_function *
find_physical(struct reader *reader, enum emulator_role side, uint32_t pf_index) {
    for (size_t i = 0; i < reader->topology->num_functions; i++) {
        struct topology_function *candidate = &reader->topology->functions[i];
        if (candidate->side == side && candidate->type == DOCA_PCI_FUNC_TYPE_PF && candidate->pf_index == pf_index) {
            return candidate;
        }
    }
    return NULL;
}

static bool
resolve_physical(struct reader *reader, struct topology_function *function) {
    struct topology_function *physical = find_physical(reader, function->side, function->pf_index);
    if (physical == NULL) {
        return fail(reader, "%s belongs to pf %u, which is not there", function->ibdev_name, function->pf_index);
    }
    if (function->type == DOCA_PCI_FUNC_TYPE_PF && physical != function) {
        return fail(reader, "%s and %s have the same pf", physical->ibdev_name, function->ibdev_name);
    }
    if (function->type == DOCA_PCI_FUNC_TYPE_VF) {
        physical->num_vfs++;
    }
    function->physical = physical;
    return true;
}

/* The representor of a sub-function has the name that the driver gives it. */
static void
represent_sub_function(struct topology_function *function) {
    function->behind = function->physical;
    snprintf(function->rep_iface_name, sizeof(function->rep_iface_name), "en3f%upf%usf%u", function->pf_index,
             function->pf_index, function->sf_index);
    function->rep_iface_index = function->iface_index + MAX_NUM_FUNCTIONS;
}

static bool
resolve_behind(struct reader *reader, struct topology_function *function) {
    const char *name = function->behind_name;
    if (function->side == EMULATOR_ROLE_DPU && function->type == DOCA_PCI_FUNC_TYPE_SF) {
        represent_sub_function(function);
        return true;
    }
    for (size_t i = 0; i < reader->topology->num_functions; i++) {
        const struct topology_function *candidate = &reader->topology->functions[i];
        if (candidate->side == EMULATOR_ROLE_DPU && candidate->type == DOCA_PCI_FUNC_TYPE_PF &&
            strcmp(candidate->ibdev_name, name) == 0) {
            function->behind = candidate;
        }
    }
    return name[0] == '\0' || function->behind != NULL ||
           fail(reader, "behind = %s: the DPU has no such physical function", name);
}

static bool
is_zero(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* Makes the link-local address from the MAC address. */
static void
link_local_addr(const struct topology_function *function, uint8_t addr[DOCA_DEVINFO_IPV6_ADDR_SIZE]) {
    const uint8_t *mac = function->mac_addr;
    const uint8_t host_part[] = {mac[0] ^ 0x02, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]};
    memset(addr, 0, DOCA_DEVINFO_IPV6_ADDR_SIZE);
    addr[0] = 0xfe;
    addr[1] = 0x80;
    memcpy(addr + 8, host_part, sizeof(host_part));
}

/* Sets default addresses and names, all different. */
static void
derive_identity(struct topology_function *function, size_t index) {
    if (is_zero(function->mac_addr, sizeof(function->mac_addr))) {
        /* 02: locally administered. */
        const uint8_t mac_addr[] = {0x02, 0xd0, 0xca, (uint8_t)function->side, (uint8_t)(index >> 8), (uint8_t)index};
        memcpy(function->mac_addr, mac_addr, sizeof(mac_addr));
    }
    if (is_zero(function->ipv6_addr, sizeof(function->ipv6_addr))) {
        link_local_addr(function, function->ipv6_addr);
    }
    if (function->vuid[0] == '\0') {
        char sub_function[32] = "";
        if (function->type == DOCA_PCI_FUNC_TYPE_VF) {
            snprintf(sub_function, sizeof(sub_function), "VF%u", function->vf_index + 1);
        } else if (function->type == DOCA_PCI_FUNC_TYPE_SF) {
            snprintf(sub_function, sizeof(sub_function), "SF%u", function->sf_index);
        }
        snprintf(function->vuid, sizeof(function->vuid), "EMULATED0001MLNX%sD0F%u%s",
                 function->side == EMULATOR_ROLE_HOST ? "S0" : "EC", function->pf_index, sub_function);
    }
    function->ib_port = (uint16_t)(function->pf_index + 1);
}

/* Adds a GID. On Ethernet it has two entries, one for each version of RoCE: see device_gid_type(). */
static void
add_gid(struct topology_function *function, const uint8_t gid[DOCA_GID_BYTE_LENGTH]) {
    struct device_gids *gids = &function->gids;
    for (uint32_t i = 0; i < gids->num_gids; i++) {
        if (memcmp(gids->raw[i], gid, DOCA_GID_BYTE_LENGTH) == 0) {
            return;
        }
    }
    for (int i = 0; i < (function->ethernet ? 2 : 1); i++) {
        memcpy(gids->raw[gids->num_gids++], gid, DOCA_GID_BYTE_LENGTH);
    }
}

/* Fills the GID table in the kernel's order: the port itself, then the addresses of its interface. */
static void
derive_gids(struct topology_function *function) {
    uint8_t gid[DOCA_GID_BYTE_LENGTH];
    link_local_addr(function, gid);
    add_gid(function, gid);
    if (!function->ethernet) {
        return;
    }
    if (!is_zero(function->ipv4_addr, sizeof(function->ipv4_addr))) {
        memset(gid, 0, sizeof(gid));
        gid[10] = gid[11] = 0xff;
        memcpy(gid + 12, function->ipv4_addr, sizeof(function->ipv4_addr));
        add_gid(function, gid);
    }
    add_gid(function, function->ipv6_addr);
}

/* Sets the MTU. An Ethernet interface has an MTU of 1500 bytes, which leaves 1024 for connections. */
static void
derive_rdma(struct topology_function *function) {
    function->rdma.needs_grh = function->ethernet;
    function->rdma.active_mtu = function->ethernet ? DOCA_MTU_SIZE_1K_BYTES : DOCA_MTU_SIZE_4K_BYTES;
}

static bool
complete(struct reader *reader) {
    for (size_t i = 0; i < reader->topology->num_functions; i++) {
        struct topology_function *function = &reader->topology->functions[i];
        reader->line = function->line;
        if (!check_pci_addr(reader, i) || !resolve_physical(reader, function) || !resolve_behind(reader, function)) {
            return false;
        }
        derive_identity(function, i);
        derive_gids(function);
        derive_rdma(function);
    }
    return true;
}

static bool
read_lines(struct reader *reader, FILE *file) {
    char *line = NULL;
    size_t size = 0;
    bool read = true;
    while (read && getline(&line, &size, file) >= 0) {
        reader->line++;
        read = read_line(reader, line);
    }
    free(line);
    if (read && ferror(file)) {
        return fail(reader, "%s", strerror(errno));
    }
    return read && complete(reader);
}

/* Creates the topology, or logs why it cannot. */
static doca_error_t
read_topology(const char *name, FILE *file, struct topology **topology) {
    struct reader reader = {
        .topology = calloc(1, sizeof(*reader.topology) + MAX_NUM_FUNCTIONS * sizeof(reader.topology->functions[0]))};
    if (reader.topology == NULL) {
        return DOCA_ERROR_NO_MEMORY;
    }
    if (!read_lines(&reader, file)) {
        SDK_LOG_ERR("Topology %s:%d: %s", name, reader.line, reader.reason);
        free(reader.topology);
        return DOCA_ERROR_BAD_CONFIG;
    }
    *topology = reader.topology;
    return DOCA_SUCCESS;
}

/* Reads a pipe until its last writer closes it, with a time limit. Returns 0 or errno. */
static int
read_pipe(int fd, FILE *text) {
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    const uint64_t end = clock_now() + PIPE_TIMEOUT_MS * NS_PER_MS;
    char bytes[4096];
    for (;;) {
        const uint64_t now = clock_now();
        const int count = now >= end ? 0 : poll(&ready, 1, (int)((end - now) / NS_PER_MS) + 1);
        if (count == 0) {
            return ETIMEDOUT;
        }
        const ssize_t len = count < 0 ? -1 : read(fd, bytes, sizeof(bytes));
        if (len == 0) {
            return 0;
        }
        if (len < 0 && errno != EAGAIN && errno != EINTR) {
            return errno;
        }
        if (len > 0 && fwrite(bytes, 1, (size_t)len, text) != (size_t)len) {
            return EFBIG;
        }
    }
}

static FILE *
buffer_pipe(int fd) {
    FILE *text = fmemopen(NULL, MAX_PIPE_SIZE, "w+");
    int error = text == NULL ? errno : read_pipe(fd, text);
    close(fd);
    if (error == 0 && fflush(text) != 0) {
        error = EFBIG;
    }
    if (error != 0 && text != NULL) {
        fclose(text);
        text = NULL;
    }
    if (text != NULL) {
        rewind(text);
    }
    errno = error;
    return text;
}

/* Returns NULL with errno on failure. Opening a pipe without a writer does not block. */
static FILE *
open_file(const char *path) {
    struct stat status;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    if (fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode)) {
        return buffer_pipe(fd);
    }
    FILE *file = fdopen(fd, "r");
    if (file == NULL) {
        close(fd);
    }
    return file;
}

static doca_error_t
load_topology(const struct emulator_settings *settings, struct topology **topology) {
    if (settings->problem != NULL) {
        SDK_LOG_ERR("%s", settings->problem);
        return DOCA_ERROR_BAD_CONFIG;
    }
    const char *path = settings->topology_path;
    FILE *file = path != NULL ? open_file(path) : fmemopen((void *)default_text, sizeof(default_text) - 1, "r");
    if (file == NULL) {
        SDK_LOG_ERR("Topology %s: %s", path, strerror(errno));
        return DOCA_ERROR_BAD_CONFIG;
    }
    struct stat status;
    /* A pipe has been read into memory, without a descriptor. */
    if (path != NULL && fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode)) {
        SDK_LOG_ERR("Topology %s: Not a file that can be read to its end", path);
        fclose(file);
        return DOCA_ERROR_BAD_CONFIG;
    }
    const doca_error_t result = read_topology(path != NULL ? path : "(built in)", file, topology);
    fclose(file);
    return result;
}

doca_error_t
topology_read(struct emulator_settings *settings) {
    if (__atomic_load_n(&settings->topology, __ATOMIC_ACQUIRE) != NULL) {
        return DOCA_SUCCESS;
    }
    struct topology *loaded;
    const doca_error_t result = load_topology(settings, &loaded);
    if (result != DOCA_SUCCESS) {
        return result;
    }
    const struct topology *none = NULL;
    if (!__atomic_compare_exchange_n(&settings->topology, &none, loaded, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        /* Another thread was faster: all threads share the same topology. */
        free(loaded);
    }
    return DOCA_SUCCESS;
}

doca_error_t
topology_get(const struct topology **topology) {
    struct emulator_settings *settings = settings_current();
    const doca_error_t result = topology_read(settings);
    *topology = __atomic_load_n(&settings->topology, __ATOMIC_ACQUIRE);
    return result;
}
