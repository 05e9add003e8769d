/* SPDX-License-Identifier: Apache-2.0 */
/** What is measured, how thoroughly, and the run of it. */
@NullMarked
package io.docajava.benchmarks.plan;

import org.jspecify.annotations.NullMarked;
