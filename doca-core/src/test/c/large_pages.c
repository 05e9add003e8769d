/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports pages of 64 KiB to doca-java and the emulator, and to nobody else; LargePagesTest loads it in front of the C library.
 *
 * Java looks up getpagesize() in the C library itself, so the function is overwritten; interposition reaches only the emulator.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
/* mov $65536, %eax; ret */
static const unsigned char code[] = {0xb8, 0x00, 0x00, 0x01, 0x00, 0xc3};
#elif defined(__aarch64__)
/* movz w0, #1, lsl #16; ret */
static const unsigned char code[] = {0x20, 0x00, 0xa0, 0x52, 0xc0, 0x03, 0x5f, 0xd6};
#endif

__attribute__((constructor)) static void
overwrite_getpagesize(void) {
    char *function = dlsym(RTLD_NEXT, "getpagesize");
    uintptr_t size = getauxval(AT_PAGESZ);
    void *page = (void *)((uintptr_t)function & ~(size - 1));

    if (mprotect(page, 2 * size, PROT_READ | PROT_WRITE | PROT_EXEC) == 0) {
        memcpy(function, code, sizeof(code));
        mprotect(page, 2 * size, PROT_READ | PROT_EXEC);
        __builtin___clear_cache(function, function + sizeof(code));
    }
}

long
sysconf(int name) {
    Dl_info caller;

    if (name == _SC_PAGESIZE) {
        return dladdr(__builtin_return_address(0), &caller) != 0 && strstr(caller.dli_fname, "libdoca") != NULL
                   ? 65536
                   : (long)getauxval(AT_PAGESZ);
    }
    return ((long (*)(int))dlsym(RTLD_NEXT, "sysconf"))(name);
}
