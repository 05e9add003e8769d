/* SPDX-License-Identifier: Apache-2.0 */
/** Cases, effort and sessions of measurements. */
@NullMarked
package io.docajava.benchmarks.plan;

import org.jspecify.annotations.NullMarked;
