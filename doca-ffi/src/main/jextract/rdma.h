/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of libdoca_rdma, as jextract reads them. */
#include <doca_rdma.h>
