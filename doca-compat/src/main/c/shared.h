/* SPDX-License-Identifier: Apache-2.0 */
/* Hides the functions: the emulator consists of several libraries, but the translation is a single one. */
#ifndef DOCA_COMPAT_SHARED_H_
#define DOCA_COMPAT_SHARED_H_

#define EMULATOR_SHARED(name)

#endif /* DOCA_COMPAT_SHARED_H_ */
