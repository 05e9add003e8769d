/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import java.util.List;

/**
 * The architectures that DOCA exists for.
 *
 * @param name as Linux names it, {@code x86_64} or {@code aarch64}
 * @param elfMachine its number in the header of an ELF file
 */
public record Platform(String name, int elfMachine) {

    static final Platform X86_64 = new Platform("x86_64", 62);
    static final Platform AARCH64 = new Platform("aarch64", 183);

    static final List<Platform> ALL = List.of(X86_64, AARCH64);

    /**
     * The one this JVM runs on.
     *
     * @throws DocaLibraryException if DOCA does not exist for it
     */
    public static Platform current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Platform of(String system, String architecture) {
        if (system.equals("Linux")) {
            switch (architecture) {
                case "amd64", "x86_64" -> {
                    return X86_64;
                }
                case "aarch64" -> {
                    return AARCH64;
                }
                default -> {}
            }
        }
        throw new DocaLibraryException(
                "DOCA exists for Linux on x86_64 and aarch64; this JVM runs on " + system + " " + architecture + ".");
    }

    /** The folder of this architecture in an SDK and in Debian's layout. */
    String multiarch() {
        return name + "-linux-gnu";
    }

    /** The folder of bundled native files for this architecture, in a jar. */
    public String resourceFolder() {
        return "META-INF/native/linux-" + name;
    }
}
