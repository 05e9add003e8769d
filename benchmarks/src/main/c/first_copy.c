/* SPDX-License-Identifier: Apache-2.0 */
/* doca_bench_first_copy: the start of a process up to its first copy, of 64 bytes; prints one line. */
#include <stdio.h>
#include <string.h>

#include <doca_types.h>

#include "check.h"
#include "copies.h"
#include "device.h"

#define SIZE 64

int
main(void) {
    struct doca_dev *dev = device_open_chosen();
    struct region source = region_create(dev, SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    struct region target = region_create(dev, SIZE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    struct copies copies;

    memset(target.addr, 0, SIZE);
    copies_open(&copies, dev, &source, &target, SIZE, 1, COPIES_REARM);
    copies_run(&copies, 1);
    if (memcmp(source.addr, target.addr, SIZE) != 0) {
        fail("the copy is not like its source");
    }
    printf("copied %d bytes\n", SIZE);

    copies_close(&copies);
    region_destroy(&target);
    region_destroy(&source);
    CHECK(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
