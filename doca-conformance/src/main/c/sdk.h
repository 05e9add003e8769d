/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DOCA libraries under test, loaded at run time. Calling a missing function makes the case "not available". Include
 * this instead of the SDK's headers.
 */
#ifndef CONFORMANCE_SDK_H_
#define CONFORMANCE_SDK_H_

#include <stdbool.h>

struct sdk_function {
    const char *library;
    const char *name;
    /* The pointer by which the function is called. */
    void *pointer;
    /* The first release with this signature, if older releases have another one; 0 if no older one has another. */
    int since;
};

/* All functions of the headers; the last entry has no name. */
extern const struct sdk_function sdk_functions[];

/*
 * Loads the libraries from a folder, or with NULL from the loader's path. Returns false after reporting the reason.
 */
bool load_sdk(const char *folder);

/* The folder passed to load_sdk(). */
const char *sdk_folder(void);

/* The version that the library reports, such as "2.5.0108". */
const char *sdk_version(void);

/* Returns whether the library has the function with the signature of the headers. */
bool sdk_has(const char *function);

/* Returns a function that the headers lack or declare with another signature; NULL if the library lacks it. */
void *sdk_address(const char *library, const char *function);

/* Returns whether the library is the emulator of this project. */
bool is_emulator(void);

/* Returns whether the library runs on a fake card, which provides both sides of the bus on one machine. */
bool is_fake_card(void);

/* Returns whether the library is the emulator in strict mode. */
bool is_strict(void);

/* Returns whether the library is the emulator with the threaded engine. */
bool is_threaded(void);

/* The release of the functions and signatures: 205 is 2.5. */
int sdk_abi(void);

/* The release whose behaviour is expected. */
int sdk_release(void);

/* Ends the case because the function is missing. */
_Noreturn void sdk_missing(const char *function);

#endif /* CONFORMANCE_SDK_H_ */
