/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.doctor;

import com.fasterxml.jackson.jr.ob.JSON;
import io.docajava.core.device.DeviceInfo;
import io.docajava.core.doctor.DeviceReport;
import io.docajava.core.doctor.Diagnosis;
import io.docajava.core.doctor.FeatureReport;
import io.docajava.core.doctor.LibraryReport;
import io.docajava.core.doctor.MachineReport;
import io.docajava.core.doctor.MachineReport.HugePages;
import io.docajava.core.doctor.MachineReport.LockedMemory;
import io.docajava.core.doctor.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Formats a diagnosis as a JSON object, without keys for unknown values. */
final class DiagnosisJson {

    private static final JSON WRITER =
            JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES);

    private DiagnosisJson() {}

    static String of(Diagnosis diagnosis) {
        Map<String, Object> root = new LinkedHashMap<>();
        root.put("libraries", libraries(diagnosis.libraries()));
        root.put("machine", machine(diagnosis.machine()));
        root.put(
                "devices",
                diagnosis.devices().stream().map(DiagnosisJson::device).toList());
        Map<String, Object> canRun = new LinkedHashMap<>();
        diagnosis.features().forEach(feature -> canRun.put(feature, diagnosis.canRun(feature)));
        root.put("canRun", canRun);
        root.put("problems", problems(diagnosis.problems()));
        try {
            return WRITER.asString(root);
        } catch (IOException e) {
            throw new UncheckedIOException("A diagnosis cannot be written as JSON", e);
        }
    }

    private static Map<String, Object> libraries(LibraryReport libraries) {
        Map<String, Object> object = new LinkedHashMap<>();
        libraries.backend().ifPresent(backend -> object.put("backEnd", lowerCase(backend)));
        libraries.version().ifPresent(version -> object.put("version", version.toString()));
        object.put("paths", libraries.paths());
        libraries.translation().ifPresent(path -> object.put("translation", path));
        Map<String, Object> missing = new LinkedHashMap<>();
        libraries.missing().forEach((library, functions) -> {
            Map<String, Object> releases = new LinkedHashMap<>();
            functions.forEach((name, release) -> releases.put(name, release.major() + "." + release.minor()));
            missing.put(library, releases);
        });
        object.put("missingFunctions", missing);
        return object;
    }

    private static Map<String, Object> machine(MachineReport machine) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("java", machine.java());
        object.put("platform", machine.platform());
        machine.side().ifPresent(side -> object.put("side", lowerCase(side)));
        object.put("nativeAccess", machine.nativeAccess());
        LockedMemory locked = machine.lockedMemory();
        locked.limit().ifPresent(limit -> object.put("lockedMemoryLimit", limit));
        object.put("lockedMemoryPrivileged", locked.privileged());
        object.put(
                "hugePages",
                machine.hugePages().stream().map(DiagnosisJson::hugePages).toList());
        return object;
    }

    private static Map<String, Object> hugePages(HugePages pages) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("size", pages.size().bytes());
        object.put("total", pages.total());
        object.put("free", pages.free());
        return object;
    }

    private static Map<String, Object> device(DeviceReport device) {
        DeviceInfo info = device.info();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("pciAddress", info.pciAddress().toString());
        info.ibDevice().ifPresent(name -> object.put("ibDevice", name));
        info.functionType().ifPresent(type -> object.put("functionType", lowerCase(type)));
        info.networkInterface().ifPresent(name -> object.put("interface", name));
        info.macAddress().ifPresent(mac -> object.put("mac", mac));
        info.ipv4().ifPresent(address -> object.put("ipv4", address.getHostAddress()));
        info.ipv6().ifPresent(address -> object.put("ipv6", address.getHostAddress()));
        info.lid().ifPresent(lid -> object.put("lid", lid));
        info.activeRate().ifPresent(rate -> object.put("rate", rate));
        object.put("canHaveRepresentors", device.canHaveRepresentors());
        Map<String, Object> features = new LinkedHashMap<>();
        device.features().forEach((name, report) -> features.put(name, feature(report)));
        object.put("features", features);
        return object;
    }

    private static Map<String, Object> feature(FeatureReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("canRun", report.canRun());
        object.putAll(report.facts());
        return object;
    }

    private static List<Map<String, String>> problems(List<Problem> problems) {
        return problems.stream()
                .map(problem -> Map.of("what", problem.what(), "nextStep", problem.nextStep()))
                .toList();
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
