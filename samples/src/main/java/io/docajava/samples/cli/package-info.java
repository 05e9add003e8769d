/* SPDX-License-Identifier: Apache-2.0 */
/** Command line of all samples: the standard flags of DOCA programs, JSON parameter files, exit codes. */
@NullMarked
package io.docajava.samples.cli;

import org.jspecify.annotations.NullMarked;
