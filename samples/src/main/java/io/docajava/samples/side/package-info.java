/* SPDX-License-Identifier: Apache-2.0 */
/** The devices of samples, and the two sides of the PCI bus. */
@NullMarked
package io.docajava.samples.side;

import org.jspecify.annotations.NullMarked;
