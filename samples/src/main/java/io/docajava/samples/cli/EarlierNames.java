/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Names that samples and flags have in earlier releases of DOCA, or in the command lines of its guides. They are accepted, but the
 * help does not list them.
 */
final class EarlierNames {

    private static final Map<String, String> SAMPLES =
            Map.of("sync_event_host", "sync_event_local_pci", "sync_event_dpu", "sync_event_remote_pci");

    private static final Map<String, String> FLAGS = Map.of(
            "--pci_addr", "--pci-addr",
            "--dev-pci-addr", "--pci-addr",
            "--rep-pci-addr", "--rep-pci",
            "--mmap-descriptor-path", "--remote-resource-descriptor-path",
            "--qdepth", "--async-num-tasks",
            "--async_num_tasks", "--async-num-tasks");

    private EarlierNames() {}

    /** Returns the arguments of the launcher with the current names of the sample and of its flags. */
    static String[] replace(CommandLine launcher, String[] arguments) {
        if (arguments.length == 0) {
            return arguments;
        }
        String[] replaced = arguments.clone();
        replaced[0] = SAMPLES.getOrDefault(arguments[0], arguments[0]);
        CommandLine sample = launcher.getSubcommands().get(replaced[0]);
        return sample == null ? arguments : replaceFlags(sample.getCommandSpec(), replaced);
    }

    private static String[] replaceFlags(CommandSpec sample, String[] arguments) {
        for (int i = 1; i < arguments.length && !arguments[i].equals("--"); i++) {
            int end = arguments[i].indexOf('=');
            String name = end < 0 ? arguments[i] : arguments[i].substring(0, end);
            String current = flag(sample, name);
            arguments[i] = current + arguments[i].substring(name.length());
            OptionSpec option = sample.findOption(current);
            if (end < 0 && takesValue(option)) {
                // The next argument is a value, which may look like a flag.
                i++;
            }
        }
        return arguments;
    }

    private static boolean takesValue(@Nullable OptionSpec option) {
        return option != null && option.arity().min() > 0;
    }

    /** Returns the current name of a flag of the sample, which is the given one unless that is an earlier name. */
    static String flag(CommandSpec sample, String name) {
        String current = FLAGS.get(name);
        return current == null || sample.findOption(name) != null || sample.findOption(current) == null
                ? name
                : current;
    }
}
