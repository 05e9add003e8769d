/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For the sources shared with the emulator: forks hold no lock of the translation. A child of a Java process runs another
 * program at once.
 */
#ifndef DOCA_COMPAT_FORK_H_
#define DOCA_COMPAT_FORK_H_

#define GUARD_IN_FORKS(name, guarded_lock, forget_function)

#endif /* DOCA_COMPAT_FORK_H_ */
