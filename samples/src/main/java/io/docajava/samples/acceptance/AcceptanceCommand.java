/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.acceptance;

import io.docajava.core.Doca;
import io.docajava.core.device.Device;
import io.docajava.core.device.DeviceFilter;
import io.docajava.core.device.PciAddress;
import io.docajava.core.doctor.Doctor;
import io.docajava.dma.DmaCapabilities;
import io.docajava.ffi.Backend;
import io.docajava.samples.cli.PciAddressConverter;
import io.docajava.samples.cli.SampleException;
import io.docajava.samples.cli.Tool;
import io.docajava.samples.side.DmaDevices;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tries everything on the DOCA libraries and the card of this machine, and writes a report. */
@Command(
        name = "acceptance",
        description = {
            "Runs the doctor, the rules of conformance, the samples, a soak test and measurements, and writes a folder with"
                    + " report.md, report.json, CSV files, a chart and the logs.",
            "The folder contains no serial numbers, no addresses and no names of the machine, unless --names is given."
        },
        footer = {"", "Exit code: 0 if no step has failed, 1 otherwise."})
public final class AcceptanceCommand implements Tool {

    private static final List<Integer> SIZES = List.of(64, 4096, 65536, 1 << 20);
    private static final Duration SAMPLE_LIMIT = Duration.ofMinutes(2);
    private static final Duration CONFORMANCE_LIMIT = Duration.ofMinutes(20);

    @Option(names = "--quick", description = "Measure less and soak for 5 s instead of a minute")
    private boolean quick;

    @Option(
            names = "--output",
            paramLabel = "<folder>",
            description = "Where the report goes, by default a new folder acceptance-<time>")
    private @Nullable Path output;

    @Option(names = "--names", description = "Keep names, addresses and serial numbers")
    private boolean names;

    @Option(
            names = {"-p", "--pci-addr"},
            paramLabel = "<address>",
            converter = PciAddressConverter.class,
            description = "PCI address of the device for copies, by default the first that can copy")
    private @Nullable PciAddress pciAddress;

    @Option(
            names = "--conformance",
            paramLabel = "<folder>",
            description = "The folder with the programs of doca-conformance, without which its rules are skipped")
    private @Nullable Path conformance;

    @Option(
            names = "--differences",
            paramLabel = "<folder>",
            description = "The folder with the known differences of the emulator, for --conformance")
    private @Nullable Path differences;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help")
    @SuppressWarnings("unused") // picocli evaluates it
    private boolean help;

    @Spec
    private CommandSpec spec;

    AcceptanceCommand() {}

    @Override
    public int run() {
        try {
            return runSteps() ? 0 : 1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SampleException("The acceptance run was interrupted");
        }
    }

    private boolean runSteps() throws IOException, InterruptedException {
        Path folder = output != null
                ? output
                : Path.of("acceptance-"
                        + LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")));
        Path logs = Files.createDirectories(folder.toAbsolutePath().resolve("logs"));
        Report report = new Report(facts());
        StepRunner steps = new StepRunner(logs, report, spec.commandLine().getOut(), SAMPLE_LIMIT);

        steps.sample("doctor", "doctor");
        runConformance(steps, logs);
        Path shared = Files.createTempDirectory("acceptance");
        new SampleSteps(steps, logs, shared, pci(), Doca.backend() == Backend.EMULATOR).run();
        try (Device device = open()) {
            steps.run("soak", () -> new Soak(device).run(Duration.ofSeconds(quick ? 5 : 60), System.nanoTime()));
            steps.run("measure copies", () -> measure(device, report));
        }
        new RdmaMeasurement(steps, logs, shared).run(quick ? 1000 : 20000, report);
        for (Path file : files(shared)) {
            Files.delete(file);
        }
        Files.delete(shared);

        Privacy privacy = names ? Privacy.showingAll() : Privacy.hiding();
        report.write(folder);
        for (Path file : files(folder)) {
            // A log may end within a character.
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            Files.writeString(file, privacy.apply(text));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.println("The report is " + folder.resolve("report.md"));
        out.flush();
        return report.hasPassed();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(Files::isRegularFile).toList();
        }
    }

    private Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "time",
                LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm")) + " UTC");
        facts.put("run", quick ? "quick" : "whole");
        facts.put("libraries", Doca.backend().name().toLowerCase(Locale.ROOT) + ", DOCA " + Doca.version());
        facts.put("Java", Runtime.version() + ", " + System.getProperty("java.vm.name"));
        facts.put("kernel", System.getProperty("os.version") + ", " + System.getProperty("os.arch"));
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.putAll(Driver.facts());
        return facts;
    }

    private DeviceFilter filter() {
        return pciAddress == null
                ? DmaDevices.COPYING
                : DeviceFilter.pciAddress(pciAddress.toString()).and(DmaDevices.COPYING);
    }

    private Device open() {
        return Device.open(filter());
    }

    private String pci() {
        try (Device device = open()) {
            return device.info().pciAddress().toString();
        }
    }

    private void runConformance(StepRunner steps, Path logs) throws InterruptedException {
        if (conformance == null) {
            steps.skip("conformance", "--conformance was not given");
            return;
        }
        String common = Doctor.examine().libraries().paths().get("common");
        if (common == null) {
            steps.skip("conformance", "the doctor has not found libdoca_common");
            return;
        }
        // Work queues have rules of their own.
        String release = Doca.version().isAtLeast(2, 5) ? "" : "-2.2";
        List<String> command = new ArrayList<>(List.of(
                conformance.resolve("conformance" + release).toString(),
                "--sdk",
                Path.of(common).resolveSibling("").toString(),
                "--json",
                logs.resolve("conformance.json").toString()));
        if (differences != null) {
            command.addAll(List.of(
                    "--differences",
                    differences.resolve("known-differences" + release + ".txt").toString()));
        }
        Program program = Program.start(logs.resolve("conformance.log"), Map.of(), command);
        steps.end("conformance", program, CONFORMANCE_LIMIT);
    }

    private String measure(Device device, Report report) throws InterruptedException {
        CopyMeasurement copies = new CopyMeasurement(device, Duration.ofMillis(quick ? 300 : 3000));
        long largest = DmaCapabilities.of(device).maxBufferSize();
        List<Integer> threads = quick || Runtime.getRuntime().availableProcessors() < 2 ? List.of(1) : List.of(1, 2);
        int count = 0;
        for (int size : SIZES) {
            if (size > largest) {
                continue;
            }
            for (int number : threads) {
                // The first run of each warms the JVM up.
                copies.run("warm-up", size, number, 32);
                report.add(copies.run("throughput", size, number, 32));
                count++;
            }
            report.add(copies.run("bulk latency", size, 1, 8));
            report.add(copies.run("precision latency", size, 1, 1));
            count += 2;
        }
        return count + " figures";
    }
}
