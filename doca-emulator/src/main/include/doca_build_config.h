/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of this installation. An installation is for one side of the PCI bus: the build adds DOCA_ARCH_DPU or
 * DOCA_ARCH_HOST to its SDK trees, like the packages of NVIDIA.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#endif /* DOCA_BUILD_CONFIG_H_ */
