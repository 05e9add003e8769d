/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.DocaVersion;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The DOCA libraries in use: libdoca_common, and further libraries from the same place when they are needed. {@link
 * io.docajava.ffi.DocaLibrary} describes the public methods.
 */
public final class LoadedSdk {

    private static final String COMMON = "common";
    private static final String EMULATOR_PREFIX = "doca_emulator_";

    private final Backend backend;
    private final DocaVersion version;
    private final LibraryPlace place;
    private final SharedLibrary common;
    private final @Nullable Translation translation;
    private final FunctionTable functions = FunctionTable.get();
    /** The libraries that are open or absent. Other failures may pass, such as a lack of descriptors or memory. */
    private final Map<String, OpenResult> libraries = new ConcurrentHashMap<>();

    /**
     * Creates the result of a search.
     *
     * @param translation calls the libraries for Java, and already uses libdoca_common; null if Java calls the libraries itself
     */
    LoadedSdk(
            Backend backend,
            DocaVersion version,
            LibraryPlace place,
            SharedLibrary common,
            @Nullable Translation translation) {
        this.backend = backend;
        this.version = version;
        this.place = place;
        this.common = common;
        this.translation = translation;
        libraries.put(COMMON, new OpenResult(common, ""));
    }

    /** A library, or the reason why it cannot be used. */
    private record OpenResult(@Nullable SharedLibrary library, String failure) {}

    public Backend backend() {
        return backend;
    }

    public DocaVersion version() {
        return version;
    }

    public String libraryPath(String library) {
        Set<String> known = functions.libraries();
        if (!known.contains(library)) {
            throw new IllegalArgumentException("doca-java knows no DOCA library \"" + library + "\", but "
                    + known.stream().sorted().toList());
        }
        OpenResult opened = opened(library);
        if (opened.library() == null) {
            throw new DocaLibraryException(opened.failure());
        }
        return opened.library().path();
    }

    public Optional<String> translationPath() {
        return Optional.ofNullable(translation).map(Translation::path);
    }

    public SortedMap<String, DocaVersion> missing(String library) {
        libraryPath(library);
        SortedMap<String, DocaVersion> missing = new TreeMap<>();
        for (FunctionTable.Entry entry : functions.functions()) {
            if (entry.library().equals(library)
                    && !isRemoved(entry)
                    && find(entry).address() == 0) {
                missing.put(entry.function(), DocaVersion.parse(entry.since()));
            }
        }
        return missing;
    }

    private boolean isRemoved(FunctionTable.Entry entry) {
        String lackedSince = entry.lackedSince();
        return lackedSince != null && version.compareTo(DocaVersion.parse(lackedSince)) >= 0;
    }

    public boolean has(String function) {
        return find(functions.function(function)).address() != 0;
    }

    public void require(String function) {
        FunctionTable.Entry entry = functions.function(function);
        Symbol symbol = find(entry);
        if (symbol.address() == 0) {
            throw new DocaFunctionException(entry.library(), function, symbol.reason());
        }
    }

    /** An address, or the reason why there is none. Without a reason, the library merely lacks the symbol. */
    record Symbol(long address, String reason) {

        static Symbol missing(String reason) {
            return new Symbol(0, reason);
        }
    }

    /** Finds a listed function, by its former name if necessary, if its signature is the one bound here. */
    Symbol find(FunctionTable.Entry entry) {
        String other = entry.otherSignatureSince();
        if (other != null
                && translated(entry.function()) == 0
                && version.compareTo(DocaVersion.parse(entry.since())) < 0
                && version.compareTo(DocaVersion.parse(other)) >= 0) {
            return Symbol.missing(entry.function() + " has another signature in the loaded DOCA " + version
                    + "; doca-java needs DOCA " + entry.since() + " or later for it.");
        }
        Symbol symbol = find(entry.library(), entry.function());
        String former = entry.formerName();
        if (symbol.address() == 0 && former != null) {
            symbol = find(entry.library(), former);
        }
        return symbol.address() == 0 && symbol.reason().isEmpty() ? missing(entry) : symbol;
    }

    private Symbol missing(FunctionTable.Entry entry) {
        SharedLibrary library = Objects.requireNonNull(opened(entry.library()).library());
        String lackedSince = entry.lackedSince();
        return Symbol.missing(
                entry.function() + " is not in libdoca_" + entry.library() + " of the loaded DOCA " + version
                        + " (" + library.path() + "); it came with DOCA " + entry.since()
                        + (lackedSince == null ? "." : ", and DOCA " + lackedSince + " lacks it again."));
    }

    /** Finds any exported symbol. The result has no reason if its library is loaded and lacks it. */
    Symbol find(String library, String symbol) {
        OpenResult opened = opened(library);
        if (opened.library() == null) {
            return Symbol.missing(symbol + " cannot be called: " + opened.failure());
        }
        long address = translated(symbol);
        // The emulator has functions of its own.
        boolean isDirect = translation == null || !translation.isWhole() || symbol.startsWith(EMULATOR_PREFIX);
        return new Symbol(address == 0 && isDirect ? opened.library().find(symbol) : address, "");
    }

    /** Returns the address of a function of the translation, or 0. An old SDK's function of that name may differ. */
    private long translated(String symbol) {
        return translation == null ? 0 : translation.find(symbol);
    }

    private OpenResult opened(String library) {
        OpenResult known = libraries.get(library);
        return known == null ? open(library) : known;
    }

    /** Opens a library once at a time, as the translation must use it once. */
    private synchronized OpenResult open(String library) {
        OpenResult known = libraries.get(library);
        if (known != null) {
            return known;
        }
        LibraryPlace.Found found = place.open(library);
        OpenResult result = found.library() == null ? failure(library, found) : used(library, found.library());
        if (result.library() != null || found.absent()) {
            libraries.put(library, result);
        }
        return result;
    }

    private OpenResult used(String library, SharedLibrary opened) {
        String problem = translation == null ? "" : translation.use(library, opened.path());
        return problem.isEmpty()
                ? new OpenResult(opened, "")
                : new OpenResult(null, opened.path() + " of DOCA " + version + " " + problem + ".");
    }

    private OpenResult failure(String library, LibraryPlace.Found found) {
        return new OpenResult(
                null,
                "libdoca_" + library + " could not be loaded beside libdoca_common of DOCA " + version + " ("
                        + common.path() + ").\n" + LibraryPlace.report(found.attempts())
                        + (OpenFiles.isLimitReached()
                                ? "The reason is that " + OpenFiles.REMEDY + "."
                                : advice(library)));
    }

    private String advice(String library) {
        DocaVersion first = functions.functions().stream()
                .filter(entry -> entry.library().equals(library))
                .map(entry -> DocaVersion.parse(entry.since()))
                .min(Comparator.naturalOrder())
                .orElse(version);
        // Releases with work queues have these two as well, with other functions.
        boolean isOfWorkQueues =
                translation != null && (library.equals("dma") || (library.equals("rdma") && version.major() >= 2));
        return version.compareTo(first) < 0 && !isOfWorkQueues
                ? "It came with DOCA " + first.major() + "." + first.minor() + ": install that release or a later one."
                : "Install the package of that library, from the same release.";
    }
}
