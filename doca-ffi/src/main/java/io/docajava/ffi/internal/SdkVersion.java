/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.ffi.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.docajava.ffi.DocaVersion;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the release of a libdoca_common, and whether doca-java can use it. */
final class SdkVersion {

    /** The oldest release with the task and progress engine functions in their present form. */
    private static final DocaVersion OLDEST = new DocaVersion(2, 5, 0);

    /** The oldest release with work queues that can be translated. It is assumed to be equal to 1.4. */
    private static final DocaVersion OLDEST_WORK_QUEUES = new DocaVersion(1, 3, 0);

    /** Present in each release from 2.0 to 2.2, and not together in any other. */
    private static final List<String> WORK_QUEUE_MARKS = List.of("doca_workq_create", "doca_mmap_set_memrange");

    /** Releases 1.x have this function instead of the second mark. */
    private static final String POPULATE = "doca_mmap_populate";

    /** Releases 1.3 and 1.4 have this function, which no later one has. */
    private static final String PROPERTY = "doca_devinfo_property_get";

    /**
     * Present in every release from 2.5 on, and in none before. Other functions cannot be used as marks, because DOCA 2.2 exports
     * some functions of an unfinished progress engine.
     */
    private static final List<String> MARKS = List.of("doca_pe_connect_ctx", "doca_devinfo_create_list");

    /** A function of each later release, newest first. */
    private static final List<Mark> RELEASES = List.of(
            new Mark("doca_mmap_get_mkey", new DocaVersion(3, 2, 0)),
            new Mark("doca_devinfo_get_pci_func_type", new DocaVersion(3, 1, 0)),
            new Mark("doca_task_submit_ex", new DocaVersion(2, 9, 0)),
            new Mark("doca_sync_event_export_to_remote_pci", new DocaVersion(2, 7, 0)),
            new Mark("doca_log_backend_create_with_buf", new DocaVersion(2, 6, 0)));

    private SdkVersion() {}

    private record Mark(String function, DocaVersion release) {}

    /** Generations of the C API. */
    enum Generation {
        /** Tasks and progress engines, called by Java directly. */
        PROGRESS_ENGINE,
        /** Jobs and work queues, called through {@link Translation#WORK_QUEUES}. */
        WORK_QUEUES
    }

    /**
     * The result of the check.
     *
     * @param version of the library; meaningless if it cannot be used
     * @param generation of the library; meaningless if it cannot be used
     * @param problem the reason why it cannot be used; empty if it can
     */
    record Handshake(DocaVersion version, Generation generation, String problem) {}

    static Handshake of(SharedLibrary common) {
        Optional<DocaVersion> reported = reported(common);
        boolean isOld = reported.map(version -> version.compareTo(OLDEST) < 0).orElse(true);
        if (isOld && WORK_QUEUE_MARKS.stream().allMatch(common::has)) {
            return new Handshake(reported.orElse(new DocaVersion(2, 0, 0)), Generation.WORK_QUEUES, "");
        }
        if (isOld && common.has(WORK_QUEUE_MARKS.getFirst()) && common.has(POPULATE)) {
            DocaVersion known = new DocaVersion(1, common.has(PROPERTY) ? 4 : 5, 0);
            return new Handshake(reported.orElse(known), Generation.WORK_QUEUES, "");
        }
        if (reported.isPresent() && reported.get().compareTo(OLDEST) < 0) {
            return refused(
                    reported.get().compareTo(OLDEST_WORK_QUEUES) < 0
                            ? tooOld(reported.get())
                            : "says it is DOCA " + reported.get() + ", and lacks " + lacking(common, WORK_QUEUE_MARKS)
                                    + ", which every DOCA from 2.0 to 2.2 has");
        }
        String missing = lacking(common, MARKS);
        if (!missing.isEmpty()) {
            return refused("lacks " + missing + ", which every DOCA from 2.5 on has"
                    + reported.map(version -> "; it says it is DOCA " + version).orElse(""));
        }
        return new Handshake(reported.orElseGet(() -> guess(common)), Generation.PROGRESS_ENGINE, "");
    }

    private static String lacking(SharedLibrary common, List<String> functions) {
        return functions.stream().filter(function -> !common.has(function)).collect(Collectors.joining(" and "));
    }

    private static Handshake refused(String problem) {
        return new Handshake(new DocaVersion(0, 0, 0), Generation.PROGRESS_ENGINE, problem);
    }

    private static String tooOld(DocaVersion release) {
        return "is DOCA " + release + ", which is too old: doca-java needs 1.3 or later";
    }

    private static Optional<DocaVersion> reported(SharedLibrary common) {
        long address = common.find("doca_version_runtime");
        if (address == 0) {
            return Optional.empty();
        }
        MethodHandle handle = Linker.nativeLinker()
                .downcallHandle(MemorySegment.ofAddress(address), FunctionDescriptor.of(JAVA_LONG));
        try {
            return Optional.of(DocaVersion.parse(NativeMemory.string((long) handle.invokeExact())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
    }

    private static DocaVersion guess(SharedLibrary common) {
        return RELEASES.stream()
                .filter(mark -> common.has(mark.function()))
                .map(Mark::release)
                .findFirst()
                .orElse(OLDEST);
    }
}
