/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.EmulatorProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Searches for the DOCA libraries in the order that {@link DocaLibrary} documents. */
final class SdkSearch {

    private static final Path INSTALLED = Path.of("/opt/mellanox/doca");

    /** Exported only by the emulator's libdoca_common. */
    private static final String EMULATOR_MARK = "doca_emulator_version";

    /** The first release whose RDMA contexts always have connections. */
    private static final DocaVersion RDMA_CONNECTIONS = new DocaVersion(2, 9, 0);

    /** Exported by each libdoca_rdma whose contexts have connections. */
    private static final String RDMA_CONNECTIONS_MARK = "doca_rdma_connection_get_id";

    private static final String INSTALL =
            "Install the DOCA SDK, or name its folder with -Ddoca.library.path or DOCA_LIBRARY_PATH";

    private static final String THE_EMULATOR = "the artifact io.docajava:doca-emulator to work without a device.";

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
        Optional<Setting> forced = Setting.of("doca.backend", "DOCA_BACKEND");
        Optional<Backend> backend = forced.map(SdkSearch::backend);
        Optional<Setting> path = Setting.of("doca.library.path", "DOCA_LIBRARY_PATH");
        if (path.isPresent()) {
            LoadedSdk sdk = explicit(path.get());
            if (backend.isPresent() && backend.get() != sdk.backend()) {
                throw new DocaLibraryException(path.get() + " names the " + describe(sdk.backend()) + ", but "
                        + forced.get() + " asks for the " + describe(backend.get())
                        + ". Remove one of the two settings.");
            }
            return sdk;
        }
        if (backend.isEmpty()) {
            LoadedSdk sdk = installed();
            return sdk != null ? sdk : emulatorInstead();
        }
        if (backend.get() == Backend.EMULATOR) {
            return emulator("Add " + THE_EMULATOR);
        }
        LoadedSdk sdk = installed();
        if (sdk == null) {
            throw failure("No DOCA SDK was found, and " + forced.get() + " asks for one.", INSTALL + ".");
        }
        return sdk;
    }

    private static Backend backend(Setting setting) {
        return switch (setting.value()) {
            case "sdk" -> Backend.SDK;
            case "emulator" -> Backend.EMULATOR;
            default ->
                throw new DocaLibraryException(
                        setting + " is not a back end of doca-java: set it to sdk or emulator, or remove it.");
        };
    }

    private LoadedSdk explicit(Setting setting) {
        LoadedSdk sdk = use(LibraryPlace.folder(loader, platform, Path.of(setting.value())));
        if (sdk == null) {
            throw failure(
                    "No DOCA library could be loaded from the folder that " + setting + " names.",
                    "Correct the setting, or remove it to have the usual places searched.");
        }
        return sdk;
    }

    private static String describe(Backend backend) {
        return backend == Backend.SDK ? "SDK" : "emulator";
    }

    private @Nullable LoadedSdk installed() {
        boolean absent = true;
        for (LibraryPlace place :
                List.of(LibraryPlace.folder(loader, platform, INSTALLED), LibraryPlace.searchPath(loader, platform))) {
            LibraryPlace.Found found = place.open("common");
            if (found.library() != null) {
                return accept(found.library(), place);
            }
            attempts.addAll(found.attempts());
            absent &= found.absent();
        }
        if (!absent && OpenFiles.isLimitReached()) {
            throw failure("An installed DOCA SDK cannot be searched for now.", "Call again.");
        }
        if (!absent) {
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
            throw refusal(common, handshake.problem());
        }
        Backend backend = common.has(EMULATOR_MARK) ? Backend.EMULATOR : Backend.SDK;
        Translation translation = handshake.generation() == SdkVersion.Generation.WORK_QUEUES
                ? translation(common, handshake)
                : rdmaTranslation(common, handshake, place);
        return new LoadedSdk(backend, handshake.version(), place, common, translation);
    }

    /**
     * Opens the translation for RDMA without connections.
     *
     * @return null if the SDK does not need it, or there is no doca-compat; functions with another signature are then refused
     */
    private @Nullable Translation rdmaTranslation(
            SharedLibrary common, SdkVersion.Handshake handshake, LibraryPlace place) {
        if (handshake.version().compareTo(RDMA_CONNECTIONS) >= 0) {
            return null;
        }
        LibraryPlace.Found found = place.open("rdma");
        SharedLibrary rdma = found.library();
        if (rdma == null && OpenFiles.isLimitReached()) {
            attempts.addAll(found.attempts());
            throw failure("libdoca_rdma of DOCA " + handshake.version() + " cannot be opened now.", "Call again.");
        }
        if (rdma == null || rdma.has(RDMA_CONNECTIONS_MARK)) {
            return null;
        }
        try {
            Translation translation = Translation.open(loader, Translation.RDMA_CONNECTIONS);
            String problem = translation.use("common", common.path());
            if (problem.isEmpty()) {
                return translation;
            }
            LOG.log(System.Logger.Level.WARNING, common.path() + " " + problem + "; RDMA cannot be used.");
        } catch (DocaLibraryException e) {
            if (OpenFiles.isLimitReached()) {
                throw e;
            }
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "RDMA of DOCA " + handshake.version() + " cannot be used: doca-compat " + e.getMessage());
        }
        return null;
    }

    private Translation translation(SharedLibrary common, SdkVersion.Handshake handshake) {
        String what = "is DOCA " + handshake.version() + ", which has work queues";
        Translation translation;
        try {
            translation = Translation.open(loader, Translation.WORK_QUEUES);
        } catch (DocaLibraryException e) {
            throw new DocaLibraryException(
                    common.path() + " " + what + ". doca-compat, which translates them, " + e.getMessage()
                            + ".\nAdd the artifact io.docajava:doca-compat, of the release of doca-ffi.",
                    e);
        }
        String problem = translation.use("common", common.path());
        if (!problem.isEmpty()) {
            throw refusal(common, what + ", but " + problem);
        }
        return translation;
    }

    private static DocaLibraryException refusal(SharedLibrary common, String problem) {
        return new DocaLibraryException(common.path() + " " + problem
                + ".\nInstall a newer DOCA SDK, name another one with -Ddoca.library.path, or set"
                + " -Ddoca.backend=emulator to work without it.");
    }

    private LoadedSdk emulatorInstead() {
        LoadedSdk sdk = emulator(INSTALL + "; or add " + THE_EMULATOR);
        LOG.log(
                System.Logger.Level.WARNING,
                "No DOCA SDK was found; the software emulator is used. Set doca.backend or DOCA_BACKEND to choose.");
        return sdk;
    }

    private LoadedSdk emulator(String nextStep) {
        Path folder;
        try {
            Optional<EmulatorProvider> provider = ServiceLoader.load(
                            EmulatorProvider.class, EmulatorProvider.class.getClassLoader())
                    .findFirst();
            if (provider.isEmpty()) {
                attempts.add("the emulator: doca-emulator is neither on the class path nor on the module path");
                throw failure("No DOCA library was found.", nextStep);
            }
            folder = provider.get().libraryDirectory();
        } catch (IOException | ServiceConfigurationError e) {
            throw new DocaLibraryException("The DOCA emulator cannot be used: " + e.getMessage(), e);
        }
        LoadedSdk sdk = use(LibraryPlace.folder(loader, platform, folder));
        if (sdk == null) {
            throw failure(
                    "The DOCA emulator cannot be loaded.", "Replace its jar: it is damaged, or from another release.");
        }
        return sdk;
    }

    private DocaLibraryException failure(String what, String nextStep) {
        return new DocaLibraryException(what + "\nTried:\n" + LibraryPlace.report(attempts) + nextStep);
    }

    /**
     * A setting of the user.
     *
     * @param name the system property or environment variable
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
