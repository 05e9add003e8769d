/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.LoaderProbe;
import io.docajava.testing.NeedsEmulator;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests that class loaders of applications in containers can be collected. */
@NeedsEmulator
class ClassLoaderTest {

    @Test
    void loadersAreCollectedAndTheLogReachesTheLivingOnesOnce() throws IOException, InterruptedException {
        // The JDK keeps soft references to classes that it has used recently.
        assertThat(new ChildJvm()
                        .logging()
                        .option("-XX:SoftRefLRUPolicyMSPerMB=0")
                        .run(LoaderProbe.class))
                .filteredOn(line -> line.matches("(not collected|threads left|records of).*"))
                .containsExactly(
                        "not collected: 0",
                        "threads left: 0",
                        "records of one error in two loaders: 2",
                        "records of one error when one of them has shut down: 1",
                        "records of one error when it has loaded again: 2");
    }
}
