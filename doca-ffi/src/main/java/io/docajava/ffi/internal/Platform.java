/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.DocaLibraryException;
import java.util.List;

/**
 * An architecture that DOCA supports.
 *
 * @param name its name in Linux, {@code x86_64} or {@code aarch64}
 * @param elfMachine its number in the header of an ELF file
 */
public record Platform(String name, int elfMachine) {

    static final Platform X86_64 = new Platform("x86_64", 62);
    static final Platform AARCH64 = new Platform("aarch64", 183);

    static final List<Platform> ALL = List.of(X86_64, AARCH64);

    /**
     * Returns the architecture of this JVM.
     *
     * @throws DocaLibraryException if DOCA does not support it
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

    /** Returns the folder of this architecture in an SDK and in Debian's layout. */
    String multiarch() {
        return name + "-linux-gnu";
    }

    /** Returns the folder of native files for this architecture in a jar. */
    public String resourceFolder() {
        return "META-INF/native/linux-" + name;
    }
}
