/* SPDX-License-Identifier: Apache-2.0 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Compares the card in /sys and its network interfaces with the card itself. TREE is the folder in place of /sys. */

#define CHECK(condition)                                                                                             \
    do {                                                                                                             \
        if (!(condition)) {                                                                                          \
            fprintf(stderr, "%s:%d: %s: not so: %s (errno %s)\n", __FILE__, __LINE__, __func__, #condition,           \
                    strerror(errno));                                                                                \
            exit(1);                                                                                                 \
        }                                                                                                            \
    } while (0)

#define FUNCTIONS 2
#define GIDS 6

/* Reads a file of a port, without the line end. Returns false if there is none. */
static bool
read_port_file(int function, const char *kind, int index, char *text, int size) {
    char path[200];
    snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_%d/ports/1/%s/%d", function, kind, index);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return false;
    }
    CHECK(fgets(text, size, file) != NULL);
    text[strcspn(text, "\n")] = '\0';
    fclose(file);
    return true;
}

static bool
has_interface_address(const struct ifaddrs *list, const char *name, const union ibv_gid *gid) {
    for (; list != NULL; list = list->ifa_next) {
        if (strcmp(list->ifa_name, name) != 0 || list->ifa_addr == NULL) {
            continue;
        }
        const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)list->ifa_addr;
        const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)list->ifa_addr;
        if (list->ifa_addr->sa_family == AF_INET && memcmp(&ipv4->sin_addr, gid->raw + 12, 4) == 0) {
            return true;
        }
        if (list->ifa_addr->sa_family == AF_INET6 && memcmp(&ipv6->sin6_addr, gid->raw, 16) == 0) {
            return true;
        }
    }
    return false;
}

static void
compare_gids(struct ibv_context *context, int function, const struct ifaddrs *interfaces) {
    char name[8];
    char text[100];
    snprintf(name, sizeof(name), "p%d", function);
    for (int index = 0; index < GIDS; index++) {
        union ibv_gid gid;
        union ibv_gid expected;
        CHECK(read_port_file(function, "gids", index, text, sizeof(text)));
        CHECK(inet_pton(AF_INET6, text, expected.raw) == 1);
        CHECK(ibv_query_gid(context, 1, index, &gid) == 0);
        CHECK(memcmp(gid.raw, expected.raw, sizeof(gid.raw)) == 0);
        CHECK(read_port_file(function, "gid_attrs/types", index, text, sizeof(text)));
        CHECK(strcmp(text, index % 2 == 0 ? "IB/RoCE v1" : "RoCE v2") == 0);
        CHECK(read_port_file(function, "gid_attrs/ndevs", index, text, sizeof(text)));
        CHECK(strcmp(text, name) == 0);
        CHECK(has_interface_address(interfaces, name, &gid));
    }
    CHECK(!read_port_file(function, "gids", GIDS, text, sizeof(text)));
}

static size_t
count(const struct ifaddrs *list) {
    size_t length = 0;
    for (; list != NULL; list = list->ifa_next) {
        length++;
    }
    return length;
}

int
main(void) {
    char folder[] = "/tmp/fake-card-test-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    setenv("FAKE_CARD_DIR", folder, 1);
    struct ifaddrs *machine = NULL;
    struct ifaddrs *interfaces = NULL;
    CHECK(getifaddrs(&machine) == 0);
    setenv("FAKE_CARD_SYS", TREE, 1);
    CHECK(getifaddrs(&interfaces) == 0);
    CHECK(count(interfaces) == count(machine) + (size_t)FUNCTIONS * GIDS / 2);

    struct ibv_device **list = ibv_get_device_list(NULL);
    CHECK(list != NULL);
    for (int function = 0; function < FUNCTIONS; function++) {
        struct ibv_context *context = ibv_open_device(list[function]);
        CHECK(context != NULL);
        compare_gids(context, function, interfaces);
        CHECK(ibv_close_device(context) == 0);
    }
    ibv_free_device_list(list);
    freeifaddrs(interfaces);
    freeifaddrs(machine);
    freeifaddrs(NULL);
    CHECK(rmdir(folder) == 0);
    puts("/sys and the interfaces show the card.");
    return 0;
}
