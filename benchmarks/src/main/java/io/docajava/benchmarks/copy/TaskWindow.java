/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.copy;

/** Like {@link BatchWindow}; its twin in C submits one by one. */
public class TaskWindow extends BatchWindow {}
