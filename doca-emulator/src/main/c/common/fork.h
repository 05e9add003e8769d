/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What forked children do not have. A child of fork() gets copies of its parent's files; a socket stays open as long as
 * anybody has a copy. The files that are withheld are replaced in the child, under their numbers, by /dev/null.
 */
#ifndef DOCA_EMULATOR_FORK_H_
#define DOCA_EMULATOR_FORK_H_

/* From now on children do not get the file. Without memory they do. From any thread. */
void fork_withhold(int fd);

/* To be called before a file is closed that was withheld. */
void fork_release(int fd);

#endif /* DOCA_EMULATOR_FORK_H_ */
