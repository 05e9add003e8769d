/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.junit;

import io.docajava.emulator.EmulatorEnvironment;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs the tests of a class, or one test, on the emulator, with all that {@link DocaExtension} does for them.
 *
 * {@snippet lang="text" :
 * @DocaEmulator
 * class CopyTest {
 *
 *     @Test
 *     void copies(Device device, ProgressEngine engine) { ... }
 *
 *     @Test
 *     @DocaEmulator(role = DocaEmulator.Role.HOST, engine = DocaEmulator.Engine.THREADED)
 *     void copiesOnTheHost(Device device, ProgressEngine engine) { ... }
 * }
 * }
 *
 * <p>The annotation of a test replaces that of its class, also the settings that it does not give; a nested class has that
 * of the enclosing one unless it has its own. The settings are those of the process. They change between two tests, and
 * only while no device is open: a test with other settings than its class fails if {@code @BeforeAll} has opened a
 * device. Tests with this annotation do not run in parallel with each other.
 *
 * <p>Unless a system property or environment variable chooses the DOCA libraries, this chooses the emulator. Where they choose
 * an SDK the test is skipped. Where an earlier test has loaded an SDK without being told to, the test fails.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DocaExtension.class)
@ResourceLock("io.docajava.emulator")
public @interface DocaEmulator {

    /**
     * Returns the topology file, relative to the working directory; or, if it contains a line break, the text of such a file.
     * By default the one in the environment ({@link EmulatorEnvironment#TOPOLOGY}).
     */
    String topology() default "";

    /** Returns the side of the PCI bus on which the test is. */
    Role role() default Role.DEFAULT;

    /** Returns where copies run. */
    Engine engine() default Engine.DEFAULT;

    /** A side of the PCI bus. */
    enum Role {
        /** The one in the environment ({@link EmulatorEnvironment#ROLE}), or else {@link #DPU}. */
        DEFAULT,
        /** The DPU. */
        DPU,
        /** The host. */
        HOST
    }

    /** Where copies run. */
    enum Engine {
        /** The one in the environment ({@link EmulatorEnvironment#ENGINE}), or else {@link #INLINE}. */
        DEFAULT,
        /** In the call that progresses the engine. */
        INLINE,
        /** On threads of the emulator. */
        THREADED
    }
}
