/* SPDX-License-Identifier: Apache-2.0 */
/** The sides of the PCI bus, for samples that run on one of them. */
@NullMarked
package io.docajava.samples.side;

import org.jspecify.annotations.NullMarked;
