/* SPDX-License-Identifier: Apache-2.0 */
/* An export for another process, in the two files of NVIDIA's samples: PATH.desc and PATH.info. */
#ifndef BENCH_EXPORT_FILE_H_
#define BENCH_EXPORT_FILE_H_

#include <stddef.h>
#include <stdint.h>

struct export {
    uint8_t descriptor[4096];
    size_t descriptor_len;
    /* The address in the exporting process. */
    uint64_t addr;
    size_t len;
};

/* Writes each file atomically, the second one last, and readable only for this user. */
void export_file_write(const char *path, const struct export *export);

void export_file_read(const char *path, struct export *export);

void export_file_remove(const char *path);

#endif /* BENCH_EXPORT_FILE_H_ */
