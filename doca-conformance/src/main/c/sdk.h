/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DOCA libraries under test. They are loaded when the program runs; a call of a function that they lack makes the
 * case "not available". Include this instead of the SDK's headers.
 */
#ifndef CONFORMANCE_SDK_H_
#define CONFORMANCE_SDK_H_

#include <stdbool.h>

struct sdk_function {
    const char *library;
    const char *name;
    /* The pointer by which the function is called. */
    void *pointer;
    /* Older releases have the name with another signature; 0: none has. */
    int since;
};

/* All functions of the headers; the last entry has no name. */
extern const struct sdk_function sdk_functions[];

/* Loads the libraries from a folder, or with NULL from where the loader looks. Returns false, having said why. */
bool load_sdk(const char *folder);

/* The folder given to load_sdk(). */
const char *sdk_folder(void);

/* The version that the library says it has, such as "2.5.0108". */
const char *sdk_version(void);

/* True if the library has the function with the signature of the headers. */
bool sdk_has(const char *function);

/* The address of a function that the headers do not have, or that has another signature; NULL if there is none. */
void *sdk_address(const char *library, const char *function);

/* True for the emulator of this project. */
bool is_emulator(void);

/* True if there is a fake card below the library, by which both sides of the bus are on one machine. */
bool is_fake_card(void);

/* True if the emulator checks what the SDK does not. */
bool is_strict(void);

/* True if the emulator copies on threads of its own. */
bool is_threaded(void);

/* The release whose functions and signatures there are: 205 is 2.5. */
int sdk_abi(void);

/* The release whose behaviour is expected. */
int sdk_release(void);

/* Ends the case: the function is not there. */
_Noreturn void sdk_missing(const char *function);

#endif /* CONFORMANCE_SDK_H_ */
