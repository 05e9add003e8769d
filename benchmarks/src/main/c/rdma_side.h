/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of both sides of an RDMA connection: the context, the connection, and descriptors as lines of text.
 */
#ifndef BENCH_RDMA_SIDE_H_
#define BENCH_RDMA_SIDE_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <doca_buf_inventory.h>
#include <doca_pe.h>
#include <doca_rdma.h>

#include "region.h"

#define RDMA_MAX_DESCRIPTOR 1024
/* Room for the longest line. */
#define RDMA_MAX_LINE (2 * 2 * RDMA_MAX_DESCRIPTOR + 64)

struct rdma_side {
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_rdma *rdma;
    struct region region;
    struct doca_buf_inventory *inventory;
    struct doca_rdma_connection *connection;
};

/* Opens everything except the connection. Does not start the context, because its tasks must be configured first. */
void rdma_side_open(struct rdma_side *side, size_t len, uint32_t num_bufs, uint32_t permissions);

/* Starts the context, and writes the descriptor for the peer. */
void rdma_side_start(struct rdma_side *side, FILE *stream);

/* Connects to the peer that has written the line. Returns the rest of the line. */
const char *rdma_side_connect(struct rdma_side *side, const char *line);

/* Called once all tasks have completed and were freed. */
void rdma_side_close(struct rdma_side *side);

/* Reads the output of rdma_write_bytes(), and a space or the end of the line. */
const char *rdma_read_bytes(const char *text, uint8_t bytes[RDMA_MAX_DESCRIPTOR], size_t *len);
void rdma_write_bytes(FILE *stream, const void *bytes, size_t len);

#endif /* BENCH_RDMA_SIDE_H_ */
