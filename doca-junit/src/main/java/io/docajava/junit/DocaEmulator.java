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
 * Runs the tests of a class, or one test, on the emulator, with the support of {@link DocaExtension}.
 *
 * {@snippet :
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
 * <p>The annotation of a test replaces the annotation of its class: settings that it omits have their defaults. A nested class has
 * the annotation of its enclosing class unless it has its own. The settings apply to the whole process. They change between two
 * tests, and only while no device is open: a test whose settings differ from those of its class fails if {@code @BeforeAll} has
 * opened a device. Tests with this annotation do not run in parallel with each other.
 *
 * <p>If no system property or environment variable chooses the DOCA libraries, this annotation chooses the emulator. If they choose
 * an SDK, the test is skipped. If they choose nothing, but an earlier test has loaded an SDK, the test fails.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(DocaExtension.class)
@ResourceLock("io.docajava.emulator")
public @interface DocaEmulator {

    /**
     * Returns the topology of the emulator.
     *
     * @return a file, relative to the working directory; or, if it contains a line break, the text of such a file; if empty, the
     *     file in the environment ({@link EmulatorEnvironment#TOPOLOGY})
     */
    String topology() default "";

    /** {@return the side of the PCI bus that the test runs on} */
    Role role() default Role.DEFAULT;

    /** {@return where the emulator runs copies} */
    Engine engine() default Engine.DEFAULT;

    /** The sides of the PCI bus. */
    enum Role {
        /** The side in the environment ({@link EmulatorEnvironment#ROLE}), or {@link #DPU} without one. */
        DEFAULT,
        /** The DPU, which can have representors. */
        DPU,
        /** The host, which has no representors. */
        HOST
    }

    /** The ways in which the emulator runs copies. */
    enum Engine {
        /** The way in the environment ({@link EmulatorEnvironment#ENGINE}), or {@link #INLINE} without one. */
        DEFAULT,
        /** Copies run in the call that progresses the engine. */
        INLINE,
        /** Copies run on threads of the emulator. */
        THREADED
    }
}
