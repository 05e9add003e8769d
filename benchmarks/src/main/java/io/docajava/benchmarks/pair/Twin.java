/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.pair;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The case of the worker in C that corresponds to a benchmark. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Twin {

    /** The name of the case in the worker. */
    String value();
}
