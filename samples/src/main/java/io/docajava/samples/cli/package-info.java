/* SPDX-License-Identifier: Apache-2.0 */
/** The command line of all samples: the standard flags of DOCA programs, JSON parameter files, and exit codes. */
@NullMarked
package io.docajava.samples.cli;

import org.jspecify.annotations.NullMarked;
