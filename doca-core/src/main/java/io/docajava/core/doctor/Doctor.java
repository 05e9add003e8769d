/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.DocaException;
import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.device.DeviceRepresentor;
import io.docajava.core.internal.memory.LockLimit;
import io.docajava.ffi.Backend;
import io.docajava.ffi.DocaFunctionException;
import io.docajava.ffi.DocaLibrary;
import io.docajava.ffi.DocaLibraryException;
import io.docajava.ffi.DocaVersion;
import io.docajava.ffi.internal.StackGuard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Examines whether and how DOCA can be used on this machine. This works without a device and without the libraries: the diagnosis
 * lists all missing prerequisites, each with the next step to take.
 */
public final class Doctor {

    /** The amount of locked memory, in bytes, that a small program needs. */
    private static final long LITTLE_LOCKED_MEMORY = 64L << 20;

    private final List<Problem> problems = new ArrayList<>();
    private final List<FeatureProbe> probes;
    /** The libraries that could not be loaded, which the problems name. */
    private final Set<String> absent = new HashSet<>();

    private Doctor() {
        probes = Stream.concat(
                        Stream.of(new SyncEventProbe(), new GraphProbe()), ProvidedFeatures.find(problems).stream())
                .sorted(Comparator.comparing(FeatureProbe::feature))
                .toList();
    }

    /**
     * Examines the libraries, the machine and all devices. Opens devices for a moment, and changes nothing. Any thread may call.
     *
     * @return the diagnosis, which contains all problems; none is thrown
     */
    public static Diagnosis examine() {
        StackGuard.check();
        return new Doctor().run();
    }

    private Diagnosis run() {
        // Before the first native call, after which the JVM may report access as granted.
        Module ffi = DocaLibrary.class.getModule();
        boolean nativeAccess = ffi.isNativeAccessEnabled();
        if (!nativeAccess) {
            problems.add(new Problem(
                    "This JVM was started without native access for doca-ffi; a later Java will refuse its native calls.",
                    "Start it with --enable-native-access=" + (ffi.isNamed() ? ffi.getName() : "ALL-UNNAMED") + "."));
        }
        LibraryReport libraries = examineLibraries();
        List<DeviceReport> devices = libraries.backend().isPresent() ? examineDevices(libraries) : List.of();
        MachineReport machine = examineMachine(nativeAccess, devices);
        if (libraries.backend().equals(Optional.of(Backend.SDK))
                && !machine.lockedMemory().allows(LITTLE_LOCKED_MEMORY)) {
            problems.add(new Problem(
                    "This process may lock only little memory, and memory that is registered with a device is locked.",
                    "Raise the limit: " + LockLimit.REMEDY + "."));
        }
        List<String> features = probes.stream().map(FeatureProbe::feature).toList();
        if (!devices.isEmpty()) {
            probes.stream()
                    .filter(probe -> !absent.contains(probe.library()))
                    .map(FeatureProbe::feature)
                    .filter(feature -> !isExplained(feature, devices))
                    .forEach(feature -> problems.add(new Problem(
                            "No device offers " + feature + ".",
                            "Run on a BlueField or on its host, and check that the card is not in NIC mode and that its"
                                    + " firmware has not disabled the feature.")));
        }
        return new Diagnosis(libraries, machine, devices, features, problems);
    }

    private LibraryReport examineLibraries() {
        Map<String, String> paths = new LinkedHashMap<>();
        Map<String, SortedMap<String, DocaVersion>> missing = new LinkedHashMap<>();
        DocaLibrary loaded;
        try {
            Doca.load();
            loaded = DocaLibrary.load();
        } catch (DocaLibraryException e) {
            problems.add(new Problem(
                    String.valueOf(e.getMessage()),
                    "Follow the last sentence above; the README describes where the libraries are searched."));
            return new LibraryReport(Optional.empty(), Optional.empty(), paths, Optional.empty(), missing);
        }
        Set<String> libraries = new LinkedHashSet<>(List.of("common"));
        probes.forEach(probe -> libraries.add(probe.library()));
        for (String library : libraries) {
            try {
                paths.put(library, loaded.libraryPath(library));
                SortedMap<String, DocaVersion> lacking = loaded.missing(library);
                if (!lacking.isEmpty()) {
                    missing.put(library, lacking);
                    checkComplete(library, lacking, loaded.version());
                }
            } catch (DocaLibraryException e) {
                absent.add(library);
                problems.add(new Problem(
                        String.valueOf(e.getMessage()),
                        "Follow the last sentence above, or do without " + featuresOf(library) + "."));
            }
        }
        return new LibraryReport(
                Optional.of(loaded.backend()), Optional.of(loaded.version()), paths, loaded.translationPath(), missing);
    }

    private String featuresOf(String library) {
        return probes.stream()
                .filter(probe -> probe.library().equals(library))
                .map(FeatureProbe::feature)
                .collect(Collectors.joining(" and "));
    }

    /** Reports missing functions that this or an earlier release introduced. */
    private void checkComplete(String library, SortedMap<String, DocaVersion> lacking, DocaVersion version) {
        List<String> expected = lacking.entrySet().stream()
                .filter(function -> function.getValue().compareTo(version) <= 0)
                .map(Map.Entry::getKey)
                .toList();
        if (!expected.isEmpty()) {
            problems.add(new Problem(
                    "libdoca_" + library + " of DOCA " + version
                            + " lacks functions that this release should have: " + String.join(", ", expected)
                            + ".",
                    "Install all DOCA packages from one release; operations that need these functions are refused."));
        }
    }

    private List<DeviceReport> examineDevices(LibraryReport libraries) {
        List<DeviceInfo> devices;
        try {
            devices = Device.list();
        } catch (RuntimeException e) {
            problems.add(new Problem(
                    "The devices cannot be listed: " + reason(e),
                    "Fix the reported cause, and run the examination again."));
            return List.of();
        }
        if (devices.isEmpty()) {
            problems.add(new Problem("There is no device.", stepWithoutDevice(libraries)));
        }
        List<DeviceReport> reports = devices.stream().map(this::examine).toList();
        checkRepresentors(reports);
        return reports;
    }

    /** Reports a DPU without representors: it cannot exchange data with its host. */
    private void checkRepresentors(List<DeviceReport> devices) {
        List<DeviceInfo> candidates = devices.stream()
                .filter(DeviceReport::canHaveRepresentors)
                .map(DeviceReport::info)
                .toList();
        if (!candidates.isEmpty() && candidates.stream().noneMatch(this::mayHaveRepresentors)) {
            problems.add(new Problem(
                    "No device of this DPU has a representor of a function of the host.",
                    "Check that the host is on and its driver is loaded, and that \"devlink port show\" lists the host's"
                            + " functions; memory and events can be exchanged with the host only then."));
        }
    }

    /** Returns whether a device has representors, or they cannot be listed, which is another problem. */
    private boolean mayHaveRepresentors(DeviceInfo info) {
        try (Device device = Device.open(info)) {
            return !DeviceRepresentor.list(device).isEmpty();
        } catch (RuntimeException e) {
            add(cannotBeExamined(info, "representors", e));
            return true;
        }
    }

    private static String stepWithoutDevice(LibraryReport libraries) {
        return libraries.backend().equals(Optional.of(Backend.EMULATOR))
                ? "Describe a device of this side in the topology file, or use the built-in topology."
                : "Check that \"lspci -d 15b3:\" lists the card, that its driver is loaded, and that this user may use"
                        + " /dev/infiniband.";
    }

    private DeviceReport examine(DeviceInfo device) {
        Map<String, FeatureReport> features = new TreeMap<>();
        for (FeatureProbe probe : probes) {
            FeatureReport report = absent.contains(probe.library()) ? FeatureReport.none() : examine(device, probe);
            features.put(probe.feature(), report);
            report.problems().forEach(this::add);
        }
        return new DeviceReport(device, canHaveRepresentors(device), features);
    }

    /** Turns any failure of a probe into a problem, so that the other probes run. */
    private static FeatureReport examine(DeviceInfo device, FeatureProbe probe) {
        Problem problem;
        try {
            return probe.probe(device);
        } catch (DocaFunctionException | DocaLibraryException e) {
            problem = new Problem(
                    "The feature \"" + probe.feature() + "\" cannot be used: " + e.getMessage(),
                    "Install all DOCA packages from one release that has it.");
        } catch (RuntimeException e) {
            problem = cannotBeExamined(device, probe.feature(), e);
        }
        return new FeatureReport(false, Map.of(), List.of(problem));
    }

    private boolean canHaveRepresentors(DeviceInfo device) {
        try {
            return DeviceRepresentor.isSupported(device);
        } catch (RuntimeException e) {
            add(cannotBeExamined(device, "representors", e));
            return false;
        }
    }

    private static Problem cannotBeExamined(DeviceInfo device, String what, RuntimeException failure) {
        return new Problem(
                device.displayName() + " cannot be examined for " + what + ": " + reason(failure),
                "Check that this user may use the device, and that no other process uses it exclusively.");
    }

    /** Returns the message of a failure. Includes the type of exceptions that are not of DOCA: their message may not suffice. */
    private static String reason(RuntimeException failure) {
        return failure instanceof DocaException ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    /** Adds a problem, unless another device has the same problem. */
    private void add(Problem problem) {
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    private static MachineReport examineMachine(boolean nativeAccess, List<DeviceReport> devices) {
        boolean isDpu = devices.stream().anyMatch(DeviceReport::canHaveRepresentors);
        MachineReport.Side side = isDpu ? MachineReport.Side.DPU : MachineReport.Side.HOST;
        return new MachineReport(
                Runtime.version().toString(),
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                devices.isEmpty() ? Optional.empty() : Optional.of(side),
                nativeAccess,
                Linux.lockedMemory(),
                Linux.hugePages());
    }

    /** Returns whether a feature can be used, or a problem explains why it cannot. */
    private static boolean isExplained(String feature, List<DeviceReport> devices) {
        return devices.stream()
                .map(device -> device.features().get(feature))
                .anyMatch(report ->
                        report != null && (report.canRun() || !report.problems().isEmpty()));
    }
}
