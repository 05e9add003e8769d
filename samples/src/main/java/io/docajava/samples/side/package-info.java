/* SPDX-License-Identifier: Apache-2.0 */
/** The devices that samples run on, and the sides of the PCI bus, for those that run on one of them. */
@NullMarked
package io.docajava.samples.side;

import org.jspecify.annotations.NullMarked;
