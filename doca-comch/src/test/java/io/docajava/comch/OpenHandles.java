/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.comch;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.internal.lifecycle.Resource;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test that leaves a native object open. */
@SuppressWarnings("exports")
public final class OpenHandles implements BeforeEachCallback, AfterEachCallback {

    private Set<Resource> before = Set.of();

    /** For JUnit. */
    public OpenHandles() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        before = Resource.allOpen();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertThat(Resource.allOpen()).as("what is still open").isSubsetOf(before);
    }
}
