/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The target of this installation. An installation serves one side of the PCI bus: the trees that the build lays
 * out add DOCA_ARCH_DPU or DOCA_ARCH_HOST, as the package of either side does.
 */
#ifndef DOCA_BUILD_CONFIG_H_
#define DOCA_BUILD_CONFIG_H_

#endif /* DOCA_BUILD_CONFIG_H_ */
