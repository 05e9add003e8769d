/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that pass random inputs to a parser. Each defines LLVMFuzzerTestOneInput() as for libFuzzer, and a valid
 * first input, which this driver mutates for EMULATOR_FUZZ_SECONDS, 1 by default. The sanitizers detect errors of the
 * parser. EMULATOR_FUZZ_SEED repeats a run.
 */
#ifndef DOCA_EMULATOR_FUZZ_H_
#define DOCA_EMULATOR_FUZZ_H_

#include <time.h>

#include "../../main/c/common/descriptor.h"
#include "../../main/c/common/random.h"
#include "../c/check.h"

#define FUZZ_MAX_SIZE 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A valid input, and its size. */
static size_t fuzz_begin(uint8_t *data);

/* Corrects the checksum of a changed input, if it has one, so that the code after the check runs. */
static void fuzz_seal(uint8_t *data, size_t size);

/* The same for a descriptor, which also gets its size. */
static inline void
fuzz_seal_descriptor(uint8_t *data, size_t size) {
    static _Alignas(struct descriptor_head) uint8_t copy[FUZZ_MAX_SIZE];
    struct descriptor_head *head = (struct descriptor_head *)copy;
    if (size >= sizeof(*head)) {
        memcpy(copy, data, size);
        head->size = (uint32_t)size;
        head->checksum = descriptor_checksum(head);
        memcpy(data, head, sizeof(*head));
    }
}

/* Mutates bits, bytes, and the size, and inserts numbers at the ends of their ranges. */
static inline void
fuzz_change(uint64_t *random, uint8_t *data, size_t *size) {
    static const uint64_t numbers[] = {0, 1, 0x7f, 0xff, 0x7fff, 0xffff, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX};
    const size_t at = random_below(random, (uint32_t)*size);
    switch (random_below(random, 8)) {
    case 0:
        *size = 1 + random_below(random, (uint32_t)*size);
        break;
    case 1:
        if (*size < FUZZ_MAX_SIZE) {
            data[(*size)++] = (uint8_t)random_below(random, 256);
        }
        break;
    case 2:
    case 3: {
        const uint64_t number = numbers[random_below(random, sizeof(numbers) / sizeof(numbers[0]))];
        const size_t len = (size_t)1 << random_below(random, 4);
        const size_t place = at / len * len;
        memcpy(data + place, &number, len < *size - place ? len : *size - place);
        break;
    }
    case 4:
        data[at] = (uint8_t)random_below(random, 256);
        break;
    default:
        data[at] ^= (uint8_t)(1U << random_below(random, 8));
        break;
    }
}

static inline uint64_t
fuzz_number(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text == NULL || *text == '\0' ? otherwise : strtoull(text, NULL, 10);
}

static inline uint64_t
now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static inline int
fuzz(void) {
    static uint8_t valid[FUZZ_MAX_SIZE];
    static uint8_t changed[FUZZ_MAX_SIZE];
    const uint64_t seconds = fuzz_number("EMULATOR_FUZZ_SECONDS", 1);
    /* A short run is part of every build, whose outcome must not depend on luck. */
    const uint64_t seed = fuzz_number("EMULATOR_FUZZ_SEED", seconds == 1 ? 1 : (uint64_t)time(NULL));
    const size_t valid_size = fuzz_begin(valid);
    const uint64_t end = now_ms() + seconds * 1000;
    uint64_t random = seed;
    uint64_t num_inputs = 0;
    /* Printed before the first input, so that a run that crashes can be repeated. */
    fprintf(stderr, "EMULATOR_FUZZ_SEED=%llu\n", (unsigned long long)seed);
    alarm((unsigned int)seconds + CHECK_TIME_LIMIT_S);
    while (now_ms() < end || num_inputs == 0) {
        size_t size = valid_size;
        memcpy(changed, valid, size);
        for (uint32_t i = 1 + random_below(&random, 6); i > 0; i--) {
            fuzz_change(&random, changed, &size);
        }
        if (random_below(&random, 8) != 0) {
            fuzz_seal(changed, size);
        }
        /* A copy of exactly this size, so that an overrun is detected. */
        uint8_t *input = malloc(size);
        memcpy(input, changed, size);
        (void)LLVMFuzzerTestOneInput(input, size);
        free(input);
        num_inputs++;
    }
    fprintf(stderr, "%llu inputs\n", (unsigned long long)num_inputs);
    CHECK(num_inputs > 0);
    return check_result();
}

#endif /* DOCA_EMULATOR_FUZZ_H_ */
