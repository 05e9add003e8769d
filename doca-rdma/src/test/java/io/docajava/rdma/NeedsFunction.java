/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.rdma;

import io.docajava.ffi.DocaLibrary;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedElement;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Marks a test that is skipped on a release without a function. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsFunction.Condition.class)
@SuppressWarnings("exports") // JUnit is not a part of the module, nor is this annotation when it is packaged
public @interface NeedsFunction {

    /**
     * The function that was added with several connections per context, connections by address, and the end of single connections.
     */
    String CONNECTIONS = "doca_rdma_connect_to_addr";

    /** The function that was added with sync events that a peer changes over the network. */
    String REMOTE_EVENTS = "doca_sync_event_add_publisher_location_remote_net";

    /** The C name of the function. */
    String value();

    /** Checks the loaded SDK for the function. */
    final class Condition implements ExecutionCondition {

        /** Called by JUnit. */
        public Condition() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            AnnotatedElement element = context.getElement().orElseThrow();
            return AnnotationSupport.findAnnotation(element, NeedsFunction.class)
                    .map(NeedsFunction::value)
                    .filter(function -> !DocaLibrary.load().has(function))
                    .map(function -> ConditionEvaluationResult.disabled("needs " + function))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("has all functions"));
        }
    }
}
