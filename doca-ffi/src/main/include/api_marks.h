/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks of declarations. The headers here describe the API of all releases from 2.5 on, and those of doca-emulator the API of the
 * releases with work queues, and what later ones have but Java does not need. To the compiler the headers here have all current
 * declarations, as all marks expand to nothing. GenerateApi.java reads the marks and writes the headers of each release without them.
 * docs/api-description.md explains how to change the description.
 *
 * A mark of a function follows its stability, and one of another line ends that line. A structure or type of which only functions of
 * other releases make use needs no mark.
 */
#ifndef DOCA_API_MARKS_H_
#define DOCA_API_MARKS_H_

/* The library of a header's functions, and the first release that has them. A third argument is the first one that lacks them again. */
#define API_HEADER(library, ...)

/* The first release that has the declaration, if that is not the one of the header. */
#define API_SINCE(release)

/* The first known release that lacks the function again. The current headers still declare it for programs on older releases. */
#define API_UNTIL(release)

/* The name of the function in the releases before. */
#define API_WAS(function)

/*
 * The current function that implements this one: its parameters are passed in the same way. A second argument is the first release for
 * which that is so. Without this mark, a function that the newest release lacks has sources of its own in the emulator.
 */
#define API_LIKE(...)

/* The emulator does not implement the function. It returns DOCA_ERROR_NOT_SUPPORTED, 0, NULL or nothing, and has no source. */
#define API_UNSUPPORTED()

/*
 * The emulator's function stores the value of this expression in its last parameter, or copies an array into a buffer whose size is the
 * last parameter. The expression is one of the emulator's sources, with the parameters of the function.
 */
#define API_GETS(value)
#define API_COPIES(value)

/*
 * In a release with work queues: doca-compat calls the function. With an argument, the translation of that current function only calls
 * this one, and is generated.
 */
#define API_COMPAT(...)

/* Encloses in #if what only releases before have. What they lack is between #else and #endif, or after #if !API_BEFORE(). */
#define API_BEFORE(release) 0

#endif /* DOCA_API_MARKS_H_ */
