/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import io.docajava.core.DocaLogLevel;
import io.docajava.samples.log.LogLevels;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;

/** The flags that every DOCA program has. */
final class StandardFlags {

    private static final String MIXIN = "standardFlags";
    private static final String LEVELS = "<10=DISABLE, 20=CRIT, 30=ERROR, 40=WARNING, 50=INFO, 60=DEBUG, 70=TRACE>";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Print this help")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-v", "--version"},
            versionHelp = true,
            description = "Print the versions of this program and of the DOCA libraries")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean version;

    @Option(
            names = {"-l", "--log-level"},
            paramLabel = "<level>",
            defaultValue = "50",
            converter = LogLevelConverter.class,
            description = "Level of the program's log " + LEVELS + ", by default ${DEFAULT-VALUE}")
    private DocaLogLevel logLevel;

    @Option(
            names = "--sdk-log-level",
            paramLabel = "<level>",
            defaultValue = "40",
            converter = LogLevelConverter.class,
            description = "Level of the DOCA libraries' log " + LEVELS + ", by default ${DEFAULT-VALUE}")
    private DocaLogLevel sdkLogLevel;

    @Option(
            names = {"-j", "--json"},
            paramLabel = "<file>",
            description = "Take all flags from a JSON file")
    private @Nullable Path json;

    static void addTo(CommandLine sample) {
        sample.addMixin(MIXIN, new StandardFlags());
        // Not set by an annotation: picocli evaluates mixins at once, and this provider loads the libraries.
        sample.getCommandSpec().versionProvider(new VersionProvider());
        sample.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, StandardFlags::listFlags);
    }

    /** Lists the flags under two headings, as the samples in C do. */
    private static String listFlags(Help help) {
        return listFlags("DOCA Flags", true, help) + listFlags("Program Flags", false, help);
    }

    private static String listFlags(String heading, boolean isStandard, Help help) {
        CommandSpec sample = help.commandSpec();
        List<OptionSpec> flags = sample.options().stream()
                .filter(flag -> contain(flag, sample) == isStandard)
                .toList();
        if (flags.isEmpty()) {
            return "";
        }
        Help.Layout layout = help.createDefaultLayout();
        layout.addOptions(flags, help.parameterLabelRenderer());
        return "%n%s:%n%s".formatted(heading, layout);
    }

    /** Returns the flags of a sample. */
    static StandardFlags of(CommandSpec sample) {
        return (StandardFlags) specOf(sample).userObject();
    }

    /** Returns whether a flag of a sample is a standard flag. */
    static boolean contain(OptionSpec flag, CommandSpec sample) {
        return specOf(sample).findOption(flag.longestName()) != null;
    }

    private static CommandSpec specOf(CommandSpec sample) {
        return Objects.requireNonNull(sample.mixins().get(MIXIN));
    }

    @Nullable
    Path json() {
        return json;
    }

    void applyLogLevels() {
        LogLevels.setProgram(logLevel);
        LogLevels.setSdk(sdkLogLevel);
    }
}
