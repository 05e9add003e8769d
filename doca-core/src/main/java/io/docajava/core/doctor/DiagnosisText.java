/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.doctor;

import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.MachineReport.HugePages;
import io.docajava.core.doctor.MachineReport.LockedMemory;
import io.docajava.ffi.DocaVersion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats a diagnosis as headings and a line for each fact. */
final class DiagnosisText {

    private static final int NAME_WIDTH = 20;
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private final StringBuilder text = new StringBuilder();

    DiagnosisText(Diagnosis diagnosis) {
        add(diagnosis.libraries());
        add(diagnosis.machine());
        heading("Devices");
        if (diagnosis.devices().isEmpty()) {
            text.append("  none\n");
        }
        diagnosis.devices().forEach(this::add);
        heading("Result");
        for (String feature : diagnosis.features()) {
            line(2, feature, diagnosis.canRun(feature) ? "can run" : "cannot run");
        }
        addProblems(diagnosis.problems());
    }

    private void add(LibraryReport libraries) {
        heading("Libraries");
        line(2, "back end", libraries.backend().map(DiagnosisText::lowerCase).orElse("none"));
        libraries.version().ifPresent(version -> line(2, "version", version.toString()));
        libraries.paths().forEach((library, path) -> line(2, "libdoca_" + library, path));
        libraries.translation().ifPresent(path -> line(2, "translated by", path));
        libraries.version().filter(DiagnosisText::isAssumed).ifPresent(version -> addAssumptions());
        libraries.missing().forEach(this::addMissing);
    }

    /** Returns whether no header of a release is public. */
    private static boolean isAssumed(DocaVersion version) {
        return version.major() == 1 && version.minor() < 5;
    }

    private void addAssumptions() {
        line(2, "assumed", "num_bytes_to_copy is the last member of a DMA job");
        line(2, "assumed", "the number of a DMA job is 65537, as in DOCA 1.5");
        line(2, "assumed", "jobs and events have the layout of DOCA 1.5");
        line(2, "checked by", "a copy of 24 bytes before a process uses DMA");
    }

    private void addMissing(String library, SortedMap<String, DocaVersion> functions) {
        SortedMap<DocaVersion, List<String>> byRelease = functions.entrySet().stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getValue, TreeMap::new, Collectors.mapping(Map.Entry::getKey, Collectors.toList())));
        byRelease.forEach((release, names) -> line(
                2,
                "not in " + library,
                String.join(", ", names) + " (DOCA " + release.major() + "." + release.minor() + ")"));
    }

    private void add(MachineReport machine) {
        heading("Machine");
        line(2, "Java", machine.java());
        line(2, "platform", machine.platform());
        line(2, "side", machine.side().map(side -> side.name()).orElse("unknown, as there is no device"));
        line(2, "native access", machine.nativeAccess() ? "granted" : "not granted");
        line(2, "locked memory", describe(machine.lockedMemory()));
        for (HugePages pages : machine.hugePages()) {
            line(2, "huge pages", pages.size() + ": " + pages.free() + " of " + pages.total() + " free");
        }
    }

    private static String describe(LockedMemory memory) {
        if (memory.limit().isEmpty()) {
            return "unlimited";
        }
        String limit = "up to " + bytes(memory.limit().getAsLong());
        return memory.privileged() ? limit + ", and more as this process has CAP_IPC_LOCK" : limit;
    }

    /** Returns a number of bytes in the largest unit that divides it, such as {@code 2 MiB}. */
    static String bytes(long bytes) {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / 10, UNITS.length - 1);
        return (bytes >> (10 * unit)) + " " + UNITS[unit];
    }

    private void add(DeviceReport device) {
        DeviceInfo info = device.info();
        text.append("  ").append(info.displayName()).append('\n');
        optional("function", info.functionType().map(DiagnosisText::lowerCase));
        optional("interface", info.networkInterface());
        optional("MAC", info.macAddress());
        optional("IPv4", info.ipv4().map(address -> address.getHostAddress()));
        optional("IPv6", info.ipv6().map(address -> address.getHostAddress()));
        info.lid().ifPresent(lid -> line(4, "LID", Integer.toString(lid)));
        info.activeRate().ifPresent(rate -> line(4, "rate", rate / 1_000_000_000 + " Gb/s"));
        line(4, "representors", device.canHaveRepresentors() ? "yes" : "no");
        device.features().forEach(this::add);
    }

    private void add(String feature, FeatureReport report) {
        line(4, feature, report.canRun() ? "yes" : "no");
        report.facts().forEach((name, value) -> line(6, name, value));
    }

    private void addProblems(List<Problem> problems) {
        heading("Problems");
        if (problems.isEmpty()) {
            text.append("  none\n");
        }
        for (int i = 0; i < problems.size(); i++) {
            Problem problem = problems.get(i);
            text.append("  " + (i + 1) + ". " + indented(problem.what()) + "\n");
            text.append("     Next: " + indented(problem.nextStep()) + "\n");
        }
    }

    private static String indented(String lines) {
        return lines.strip().replace("\n", "\n     ");
    }

    private void heading(String title) {
        text.append(title).append('\n');
    }

    private void optional(String name, Optional<String> value) {
        value.ifPresent(present -> line(4, name, present));
    }

    private void line(int indent, String name, String value) {
        text.append(" ".repeat(indent)).append(name);
        text.append(" ".repeat(Math.max(2, NAME_WIDTH + 4 - indent - name.length())));
        text.append(value).append('\n');
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
