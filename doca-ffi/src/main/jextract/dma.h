/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of libdoca_dma, as jextract reads them. */
#include <doca_dma.h>
