/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.EmulatorProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Looks for the DOCA libraries in the order that {@link DocaLibrary} promises. */
final class SdkSearch {

    private static final Path INSTALLED = Path.of("/opt/mellanox/doca");

    /** Exported by the emulator's libdoca_common only. */
    private static final String EMULATOR_MARK = "doca_emulator_version";

    private static final System.Logger LOG = System.getLogger("io.docajava.ffi");

    private final Platform platform;
    private final DynamicLoader loader;
    private final List<String> attempts = new ArrayList<>();

    private SdkSearch() {
        NativeAccess.require();
        platform = Platform.current();
        loader = new DynamicLoader();
    }

    /**
     * Finds and opens libdoca_common.
     *
     * @throws DocaLibraryException if there is no usable one
     */
    static LoadedSdk run() {
        return new SdkSearch().search();
    }

    private LoadedSdk search() {
        Optional<Backend> forced = forcedBackend();
        Optional<Setting> path = Setting.of("doca.library.path", "DOCA_LIBRARY_PATH");
        if (path.isPresent()) {
            return explicit(path.get(), forced);
        }
        if (forced.isEmpty() || forced.get() == Backend.SDK) {
            LoadedSdk sdk = installed(LibraryPlace.folder(loader, platform, INSTALLED));
            if (sdk == null) {
                sdk = installed(LibraryPlace.searchPath(loader, platform));
            }
            if (sdk != null) {
                return sdk;
            }
            if (forced.isPresent()) {
                throw failure("No DOCA SDK was found, and doca.backend asks for one.", installSdk());
            }
        }
        return emulator(forced.isPresent());
    }

    private static Optional<Backend> forcedBackend() {
        return Setting.of("doca.backend", "DOCA_BACKEND").map(setting -> switch (setting.value()) {
            case "sdk" -> Backend.SDK;
            case "emulator" -> Backend.EMULATOR;
            default ->
                throw new DocaLibraryException(
                        setting + " is no back end of doca-java: set it to sdk or emulator, or not at all.");
        });
    }

    private LoadedSdk explicit(Setting setting, Optional<Backend> forced) {
        Path folder = Path.of(setting.value());
        LoadedSdk sdk = use(LibraryPlace.folder(loader, platform, folder));
        if (sdk == null) {
            throw failure(
                    "No DOCA library could be loaded from the folder that " + setting + " names.",
                    "Correct the setting, or remove it to have the usual places searched.");
        }
        if (forced.isPresent() && forced.get() != sdk.backend()) {
            throw new DocaLibraryException(
                    setting + " names the " + describe(sdk.backend()) + ", but doca.backend asks for the "
                            + describe(forced.get()) + ". Remove one of the two settings.");
        }
        return sdk;
    }

    private static String describe(Backend backend) {
        return backend == Backend.SDK ? "SDK" : "emulator";
    }

    private @Nullable LoadedSdk installed(LibraryPlace place) {
        int before = attempts.size();
        LibraryPlace.Found found = place.open("common");
        attempts.addAll(found.attempts());
        if (found.library() != null) {
            return accept(found.library(), place);
        }
        if (!found.absent()) {
            attempts.subList(0, before).clear();
            throw failure(
                    "A DOCA SDK is installed, but cannot be loaded.",
                    "Repair the installation, or set -Ddoca.backend=emulator to work without it.");
        }
        return null;
    }

    private @Nullable LoadedSdk use(LibraryPlace place) {
        LibraryPlace.Found found = place.open("common");
        attempts.addAll(found.attempts());
        return found.library() == null ? null : accept(found.library(), place);
    }

    private LoadedSdk accept(SharedLibrary common, LibraryPlace place) {
        SdkVersion.Handshake handshake = SdkVersion.of(common);
        if (!handshake.problem().isEmpty()) {
            throw new DocaLibraryException(common.path() + " " + handshake.problem()
                    + ".\nInstall a newer DOCA SDK, name another one with -Ddoca.library.path, or set"
                    + " -Ddoca.backend=emulator to work without it.");
        }
        Backend backend = common.has(EMULATOR_MARK) ? Backend.EMULATOR : Backend.SDK;
        return new LoadedSdk(backend, handshake.version(), place, common);
    }

    private LoadedSdk emulator(boolean asked) {
        Path folder;
        try {
            Optional<EmulatorProvider> provider = ServiceLoader.load(
                            EmulatorProvider.class, EmulatorProvider.class.getClassLoader())
                    .findFirst();
            if (provider.isEmpty()) {
                attempts.add("the emulator: doca-emulator is neither on the class path nor on the module path");
                throw failure(
                        "No DOCA library was found.", asked ? addEmulator() : installSdk() + " Or " + addEmulator());
            }
            folder = provider.get().libraryDirectory();
        } catch (IOException | ServiceConfigurationError e) {
            throw new DocaLibraryException("The DOCA emulator cannot be used: " + e.getMessage(), e);
        }
        LoadedSdk sdk = use(LibraryPlace.folder(loader, platform, folder));
        if (sdk == null) {
            throw failure("The DOCA emulator cannot be loaded.", "Its jar may be damaged, or for other architectures.");
        }
        if (!asked) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "No DOCA SDK was found; the software emulator is used. Set -Ddoca.backend to choose.");
        }
        return sdk;
    }

    private static String installSdk() {
        return "Install the DOCA SDK, or name its folder with -Ddoca.library.path or DOCA_LIBRARY_PATH.";
    }

    private static String addEmulator() {
        return "add the artifact io.docajava:doca-emulator to work without a device.";
    }

    private DocaLibraryException failure(String what, String nextStep) {
        StringBuilder message = new StringBuilder(what).append('\n');
        if (!attempts.isEmpty()) {
            message.append("Tried:\n");
            attempts.forEach(attempt -> message.append("  ").append(attempt).append('\n'));
        }
        return new DocaLibraryException(message.append(nextStep).toString());
    }

    /**
     * A setting that a user made.
     *
     * @param name the system property or the environment variable it was made with
     * @param value never blank
     */
    private record Setting(String name, String value) {

        static Optional<Setting> of(String property, String variable) {
            return named(property, System.getProperty(property)).or(() -> named(variable, System.getenv(variable)));
        }

        private static Optional<Setting> named(String name, @Nullable String value) {
            return value == null || value.isBlank() ? Optional.empty() : Optional.of(new Setting(name, value.strip()));
        }

        @Override
        public String toString() {
            return name + "=" + value;
        }
    }
}
