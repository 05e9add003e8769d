/* SPDX-License-Identifier: Apache-2.0 */
/* The emulator consists of several libraries, the translation of one. */
#ifndef DOCA_COMPAT_SHARED_H_
#define DOCA_COMPAT_SHARED_H_

#define EMULATOR_SHARED(name)

#endif /* DOCA_COMPAT_SHARED_H_ */
