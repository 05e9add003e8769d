/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LockLimitExceptionTest {

    private final DocaCallException failure = new DocaCallException(
            "Mapping 8192 bytes: doca_mmap_start failed with DOCA_ERROR_NO_MEMORY (Memory allocation failure)",
            DocaError.NO_MEMORY.code(),
            "doca_mmap_start");

    private DocaCallException explain(LockLimit limit) {
        return LockLimitException.explain(failure, 8192, limit);
    }

    @Test
    void namesALimitThatIsSmallerThanTheMemory() {
        DocaCallException explained = explain(new LockLimit(OptionalLong.of(8191), false));

        assertThat(explained)
                .hasMessage(
                        "Mapping 8192 bytes: doca_mmap_start failed with DOCA_ERROR_NO_MEMORY (Memory allocation failure);"
                                + " this process may lock only 8191 bytes (RLIMIT_MEMLOCK), and registered memory is locked: raise the"
                                + " limit: \"ulimit -l unlimited\" in the shell, LimitMEMLOCK=infinity in a systemd unit, or --ulimit"
                                + " memlock=-1 for a container");
        assertThat(explained.error()).isEqualTo(DocaError.NO_MEMORY);
        assertThat(explained.function()).isEqualTo("doca_mmap_start");
        assertThat(explained.isRetryable()).isFalse();
    }

    @Test
    void doesNotNameALimitThatAllowsTheMemory() {
        assertThat(explain(new LockLimit(OptionalLong.of(8192), false))).isSameAs(failure);
        assertThat(explain(new LockLimit(OptionalLong.of(0), true))).isSameAs(failure);
        assertThat(explain(new LockLimit(OptionalLong.empty(), false))).isSameAs(failure);
    }
}
