/* SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/sdk_log.h"
#include "common/settings.h"
#include "rdma/program.h"

/* The content of the dynamic section of an executable or library. */
struct object_file {
    const ElfW(Sym) *symbols;
    const char *strings;
    /* Relocations of data and of functions, with their sizes in bytes. */
    const ElfW(Rela) *relocations[2];
    size_t sizes[2];
};

/* The loader has added the address of the object to most pointers. */
static const void *
address_in(const struct dl_phdr_info *info, ElfW(Addr) pointer) {
    return (const void *)(pointer < info->dlpi_addr ? info->dlpi_addr + pointer : pointer);
}

static void
read_entry(struct object_file *file, const struct dl_phdr_info *info, const ElfW(Dyn) *entry) {
    switch (entry->d_tag) {
    case DT_SYMTAB:
        file->symbols = address_in(info, entry->d_un.d_ptr);
        break;
    case DT_STRTAB:
        file->strings = address_in(info, entry->d_un.d_ptr);
        break;
    case DT_RELA:
        file->relocations[0] = address_in(info, entry->d_un.d_ptr);
        break;
    case DT_RELASZ:
        file->sizes[0] = entry->d_un.d_val;
        break;
    case DT_JMPREL:
        file->relocations[1] = address_in(info, entry->d_un.d_ptr);
        break;
    case DT_PLTRELSZ:
        file->sizes[1] = entry->d_un.d_val;
        break;
    default:
        break;
    }
}

static const ElfW(Dyn) *
dynamic_section_of(const struct dl_phdr_info *info) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
            return (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        }
    }
    return NULL;
}

static bool
is_linked_with_rdma(const struct object_file *file, const ElfW(Dyn) *dynamic) {
    for (const ElfW(Dyn) *entry = dynamic; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_NEEDED && strncmp(file->strings + entry->d_un.d_val, "libdoca_rdma.so", 15) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether the function was added to libdoca_rdma in DOCA 2.9 or later. */
static bool
is_newer(const char *function) {
    static const char *const parts[] = {"_connection", "_addr", "_listen_", "_rnr_", "_dpa_completion_", "_gpu_handle"};
    for (size_t i = 0; strncmp(function, "doca_rdma_", 10) == 0 && i < sizeof(parts) / sizeof(*parts); i++) {
        if (strstr(function, parts[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static bool
may_be_older(const struct object_file *file) {
    bool exports = false;
    for (size_t kind = 0; kind < 2; kind++) {
        for (size_t i = 0; i < file->sizes[kind] / sizeof(ElfW(Rela)); i++) {
            const ElfW(Sym) *symbol = &file->symbols[ELF64_R_SYM(file->relocations[kind][i].r_info)];
            const char *name = file->strings + symbol->st_name;
            if (symbol->st_shndx == SHN_UNDEF && is_newer(name)) {
                return false;
            }
            exports |= symbol->st_shndx == SHN_UNDEF && strcmp(name, "doca_rdma_export") == 0;
        }
    }
    return exports;
}

static bool
has_mark(const struct dl_phdr_info *info, const ElfW(Phdr) *segment) {
    const size_t alignment = segment->p_align > sizeof(uint32_t) ? segment->p_align : sizeof(uint32_t);
    const char *notes = (const char *)(info->dlpi_addr + segment->p_vaddr);
    size_t offset = 0;
    while (offset + sizeof(ElfW(Nhdr)) <= segment->p_memsz) {
        const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)(notes + offset);
        const size_t name = offset + sizeof(*note);
        const size_t content = (name + note->n_namesz + alignment - 1) / alignment * alignment;
        if (content + note->n_descsz > segment->p_memsz) {
            return false;
        }
        if (note->n_namesz == sizeof("DOCA") && memcmp(notes + name, "DOCA", sizeof("DOCA")) == 0) {
            return true;
        }
        offset = (content + note->n_descsz + alignment - 1) / alignment * alignment;
    }
    return false;
}

/* Returns whether it was compiled with the emulator's doca_rdma.h of 3.0, which adds a note to each object file. */
static bool
is_marked(const struct dl_phdr_info *info) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type == PT_NOTE && has_mark(info, &info->dlpi_phdr[i])) {
            return true;
        }
    }
    return false;
}

/* Stops at the first object that may be of an older release, and points `data` to its name. */
static int
look_at(struct dl_phdr_info *info, size_t size, void *data) {
    const ElfW(Dyn) *dynamic = dynamic_section_of(info);
    struct object_file file = {.symbols = NULL};
    (void)size;
    for (const ElfW(Dyn) *entry = dynamic; entry != NULL && entry->d_tag != DT_NULL; entry++) {
        read_entry(&file, info, entry);
    }
    if (file.symbols == NULL || file.strings == NULL || !is_linked_with_rdma(&file, dynamic) || is_marked(info) ||
        !may_be_older(&file)) {
        return 0;
    }
    *(const char **)data = info->dlpi_name[0] == '\0' ? "the program" : info->dlpi_name;
    return 1;
}

/* Most programs have no log of the SDK, and would show only the error code. */
static doca_error_t
refuse(const char *name) {
    static const char reason[] =
            "%s calls doca_rdma_export(), which has other parameters before DOCA 2.9, and no function that came later. If it "
            "was linked with a release before 2.9, use the emulator's libraries of 2.5; if not, set DOCA_EMULATOR_RELEASE=%s";
    static bool was_shown;
    char text[1024];
    snprintf(text, sizeof(text), reason, name, emulator_abi.names[0]);
    if (!__atomic_exchange_n(&was_shown, true, __ATOMIC_RELAXED)) {
        fprintf(stderr, "DOCA emulator: RDMA is refused: %s\n", text);
    }
    return SDK_REFUSE(DOCA_ERROR_NOT_SUPPORTED, "Failed to create RDMA: %s", text);
}

doca_error_t
rdma_check_programs(void) {
    const char *name = NULL;
    if (emulator_abi.number != 0 || emulator_settings()->is_current_release_given) {
        return DOCA_SUCCESS;
    }
    return dl_iterate_phdr(look_at, &name) == 0 ? DOCA_SUCCESS : refuse(name);
}
