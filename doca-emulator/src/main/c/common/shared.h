/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of libdoca_common that the other libraries of the emulator call. Their symbols begin with doca_emulator_,
 * which the version script exports separately from the ABI of DOCA.
 */
#ifndef DOCA_EMULATOR_SHARED_H_
#define DOCA_EMULATOR_SHARED_H_

/* Follows the declaration: void f(void) EMULATOR_SHARED(f); */
#define EMULATOR_SHARED(name) __asm__("doca_emulator_" #name) __attribute__((visibility("default")))

#endif /* DOCA_EMULATOR_SHARED_H_ */
