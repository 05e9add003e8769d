/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import io.docajava.core.Doca;
import io.docajava.ffi.DocaLibraryException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Provides the versions of doca-java and of the DOCA libraries of this machine. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"doca-java version: " + programVersion(), "DOCA runtime version: " + runtimeVersion()};
    }

    private static String programVersion() {
        try (InputStream file = Objects.requireNonNull(
                VersionProvider.class.getResourceAsStream("version.properties"), "version.properties")) {
            Properties properties = new Properties();
            properties.load(file);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String runtimeVersion() {
        try {
            return Doca.version() + " (" + Doca.backend().toString().toLowerCase(Locale.ROOT) + ")";
        } catch (DocaLibraryException e) {
            return "none: " + e.getMessage();
        }
    }
}
