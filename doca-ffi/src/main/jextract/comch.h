/* SPDX-License-Identifier: Apache-2.0 */
/* The headers of libdoca_comch, as jextract reads them. */
#include <doca_comch.h>
#include <doca_comch_consumer.h>
#include <doca_comch_msgq.h>
#include <doca_comch_producer.h>
