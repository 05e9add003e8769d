/* SPDX-License-Identifier: Apache-2.0 */
/** What all of doca-java shares: errors. */
@NullMarked
package io.docajava.core;

import org.jspecify.annotations.NullMarked;
