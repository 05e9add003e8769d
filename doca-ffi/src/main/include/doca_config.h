/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of this installation.
 */
#ifndef DOCA_CONFIG_H_
#define DOCA_CONFIG_H_

#include <doca_build_config.h>

#define DOCA_COMPAT_HELPERS

#endif /* DOCA_CONFIG_H_ */
