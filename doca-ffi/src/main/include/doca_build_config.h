/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of this installation. An installation is for one side of the PCI bus: the emulator's build adds
 * DOCA_ARCH_DPU or DOCA_ARCH_HOST to its SDK tree, like the packages of NVIDIA.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#include <api_marks.h>

#if !API_BEFORE(2.6)
#define DOCA_ARCH_DPU_BF2 0
#endif

#endif /* DOCA_BUILD_CONFIG_H_ */
