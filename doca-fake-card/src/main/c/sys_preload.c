/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Preloaded into programs: presents the card in /sys, from the folder in FAKE_CARD_SYS, and its network interfaces. It
 * replaces only the parts of /sys where DOCA's libraries look for cards, and only in the calls that they make.
 */

static const char *const replaced[] = {
    "/sys/bus/pci",
    "/sys/class/infiniband",
    "/sys/class/net/",
    "/sys/devices",
};

/* The path to open in place of the given one; stored in the buffer if it differs. */
static const char *
place(const char *path, char buffer[PATH_MAX]) {
    const char *root = getenv("FAKE_CARD_SYS");
    if (root == NULL || path == NULL) {
        return path;
    }
    for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++) {
        if (strncmp(path, replaced[i], strlen(replaced[i])) == 0) {
            return snprintf(buffer, PATH_MAX, "%s%s", root, path) < PATH_MAX ? buffer : path;
        }
    }
    return path;
}

/* The function of that name in the next library. */
static void
find_next(void *function, const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof(found));
}

FILE *
fopen(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *);
    char buffer[PATH_MAX];
    find_next(&next, "fopen");
    return next(place(path, buffer), mode);
}

FILE *
fopen64(const char *path, const char *mode) {
    FILE *(*next)(const char *, const char *);
    char buffer[PATH_MAX];
    find_next(&next, "fopen64");
    return next(place(path, buffer), mode);
}

int
access(const char *path, int mode) {
    int (*next)(const char *, int);
    char buffer[PATH_MAX];
    find_next(&next, "access");
    return next(place(path, buffer), mode);
}

DIR *
opendir(const char *path) {
    DIR *(*next)(const char *);
    char buffer[PATH_MAX];
    find_next(&next, "opendir");
    return next(place(path, buffer));
}

ssize_t
readlink(const char *path, char *target, size_t size) {
    ssize_t (*next)(const char *, char *, size_t);
    char buffer[PATH_MAX];
    find_next(&next, "readlink");
    return next(place(path, buffer), target, size);
}

/* The addresses of the interfaces, which follow each other in the list of those of the machine. */
enum {
    FUNCTIONS = 2,
    ADDRESSES = 3,
    INTERFACE_ADDRESSES = FUNCTIONS * ADDRESSES,
};

struct interface_address {
    struct ifaddrs entry;
    struct sockaddr_storage address;
    struct sockaddr_storage mask;
};

/* What getifaddrs() returns with the card: its addresses, and the list of the others behind them. */
struct interface_list {
    struct interface_address addresses[INTERFACE_ADDRESSES];
    struct ifaddrs *others;
};

static char *const interface_names[FUNCTIONS] = {(char[]){"p0"}, (char[]){"p1"}};

static void
set_ipv4(struct interface_address *interface, int function) {
    struct sockaddr_in *address = (struct sockaddr_in *)&interface->address;
    struct sockaddr_in *mask = (struct sockaddr_in *)&interface->mask;
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(UINT32_C(0xc0a86402) + (uint32_t)function);
    mask->sin_family = AF_INET;
    mask->sin_addr.s_addr = htonl(UINT32_C(0xffffff00));
}

static void
set_ipv6(struct interface_address *interface, int function, const uint8_t first[16]) {
    struct sockaddr_in6 *address = (struct sockaddr_in6 *)&interface->address;
    struct sockaddr_in6 *mask = (struct sockaddr_in6 *)&interface->mask;
    address->sin6_family = AF_INET6;
    memcpy(&address->sin6_addr, first, 16);
    address->sin6_addr.s6_addr[15] = (uint8_t)(first[15] + function);
    mask->sin6_family = AF_INET6;
    memset(mask->sin6_addr.s6_addr, 0xff, 8);
}

/* Describes the addresses that network.c has in the GID tables. */
static void
describe_interfaces(struct interface_list *list) {
    static const uint8_t link_local[] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0xba, 0x3f, 0xd2, 0xff, 0xfe, 0x01, 0, 0};
    static const uint8_t global[] = {0xfd, 0x00, 0xba, 0x3f, 0xd2, 0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
    for (int i = 0; i < INTERFACE_ADDRESSES; i++) {
        struct interface_address *interface = &list->addresses[i];
        const int function = i / ADDRESSES;
        interface->entry.ifa_name = interface_names[function];
        interface->entry.ifa_flags = IFF_UP | IFF_RUNNING | IFF_BROADCAST | IFF_MULTICAST;
        interface->entry.ifa_addr = (struct sockaddr *)&interface->address;
        interface->entry.ifa_netmask = (struct sockaddr *)&interface->mask;
        interface->entry.ifa_next = i + 1 < INTERFACE_ADDRESSES ? &list->addresses[i + 1].entry : list->others;
        if (i % ADDRESSES == 0) {
            set_ipv4(interface, function);
        } else {
            set_ipv6(interface, function, i % ADDRESSES == 1 ? global : link_local);
        }
    }
}

int
getifaddrs(struct ifaddrs **first) {
    int (*next)(struct ifaddrs **);
    find_next(&next, "getifaddrs");
    if (getenv("FAKE_CARD_SYS") == NULL) {
        return next(first);
    }
    struct interface_list *list = calloc(1, sizeof(*list));
    if (list == NULL) {
        errno = ENOMEM;
        return -1;
    }
    if (next(&list->others) != 0) {
        free(list);
        return -1;
    }
    describe_interfaces(list);
    *first = &list->addresses[0].entry;
    return 0;
}

void
freeifaddrs(struct ifaddrs *first) {
    void (*next)(struct ifaddrs *);
    find_next(&next, "freeifaddrs");
    if (first == NULL || first->ifa_name != interface_names[0]) {
        next(first);
        return;
    }
    struct interface_list *list = (struct interface_list *)first;
    next(list->others);
    free(list);
}
