/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import io.docajava.DocaException;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses the command line and runs one sample, with the same flags and the same first and last line as DOCA's own samples. */
public final class SampleRunner {

    private static final Logger LOG = LoggerFactory.getLogger(SampleRunner.class);

    private final Class<?> launcher;

    /**
     * @param launcher the command whose sub-commands are the samples
     */
    public SampleRunner(Class<?> launcher) {
        this.launcher = launcher;
    }

    /**
     * Runs the command that the arguments name.
     *
     * @return 0 on success, 1 if the sample has failed or a parameter file is wrong, 2 if the arguments are wrong
     */
    public int run(String... arguments) {
        CommandLine commandLine = commandLine(null);
        return commandLine.execute(EarlierNames.replace(commandLine, arguments));
    }

    private CommandLine commandLine(@Nullable Path origin) {
        CommandLine commandLine = new CommandLine(launcher);
        for (CommandLine command : commandLine.getSubcommands().values()) {
            if (command.getCommand() instanceof Sample) {
                StandardFlags.addTo(command);
            }
        }
        // As in the samples in C, a value may look like a flag or an argument file.
        return commandLine
                .setAllowOptionsAsOptionParameters(true)
                .setExpandAtFiles(false)
                .setExecutionStrategy(this::execute)
                .setParameterExceptionHandler((e, arguments) -> handle(e, origin))
                .setUsageHelpAutoWidth(true);
    }

    private int handle(ParameterException e, @Nullable Path origin) {
        return origin == null && isLeftToFile(e) ? readFile(e) : complain(e, origin);
    }

    /** Returns whether the missing flags may be in the parameter file that the command line names. */
    private static boolean isLeftToFile(ParameterException e) {
        CommandSpec command = e.getCommandLine().getCommandSpec();
        return e instanceof MissingParameterException missing
                && missing.getMissing().stream().allMatch(ArgSpec::isOption)
                && command.userObject() instanceof Sample
                && StandardFlags.of(command).json() != null;
    }

    private int readFile(ParameterException e) {
        CommandLine command = e.getCommandLine();
        StandardFlags standard = StandardFlags.of(command.getCommandSpec());
        try {
            return executeWithFile(Objects.requireNonNull(standard.json()), command.getParseResult());
        } catch (ParameterException wrong) {
            return complain(wrong, null);
        }
    }

    private static int complain(ParameterException e, @Nullable Path origin) {
        CommandLine command = e.getCommandLine();
        String place = origin == null ? "" : origin + ": ";
        command.getErr()
                .println(command.getCommandSpec().qualifiedName() + ": " + place + messageOf(e) + " (see --help)");
        // A mistake in a parameter file is not a mistake of the command line.
        return origin == null ? ExitCode.USAGE : ExitCode.SOFTWARE;
    }

    private static String messageOf(ParameterException e) {
        boolean isNoFlag = e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption();
        if (isNoFlag && !e.getCommandLine().getSubcommands().isEmpty()) {
            return "There is no sample '"
                    + ((UnmatchedArgumentException) e).getUnmatched().getFirst() + "'";
        }
        return String.valueOf(e.getMessage());
    }

    private int execute(ParseResult parsed) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        if (!parsed.hasSubcommand()) {
            CommandLine command = parsed.commandSpec().commandLine();
            command.usage(command.getOut());
            return ExitCode.OK;
        }
        Object command = parsed.subcommand().commandSpec().userObject();
        return command instanceof Tool tool
                ? run(tool, parsed.subcommand().commandSpec())
                : executeSample(parsed.subcommand());
    }

    /** Runs a tool. Programs may parse its standard output, so failures are printed elsewhere. */
    private static int run(Tool tool, CommandSpec command) {
        try {
            return tool.run();
        } catch (RuntimeException | LinkageError | ServiceConfigurationError e) {
            command.commandLine().getErr().println(command.qualifiedName() + ": Unexpected failure: " + e);
            LOG.debug("It failed here", e);
            return ExitCode.SOFTWARE;
        }
    }

    private int executeSample(ParseResult parsed) {
        CommandSpec command = parsed.commandSpec();
        StandardFlags standard = StandardFlags.of(command);
        if (standard.json() != null) {
            return executeWithFile(standard.json(), parsed);
        }
        try {
            standard.applyLogLevels();
        } catch (DocaException e) {
            return failed(e);
        }
        return run((Sample) command.userObject());
    }

    private int executeWithFile(Path file, ParseResult parsed) {
        CommandSpec command = parsed.commandSpec();
        List<String> others = parsed.matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !name.equals("--json"))
                .toList();
        if (!others.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(), "--json replaces all other flags; leave out " + String.join(", ", others));
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(command.name());
        try {
            arguments.addAll(JsonParameters.read(file, command));
        } catch (JsonParameters.InvalidFileException e) {
            return complain(new ParameterException(command.commandLine(), e.getMessage()), file);
        }
        // The file may contain only flags.
        arguments.add("--");
        parsed.matchedPositionals().forEach(positional -> arguments.addAll(positional.originalStringValues()));
        return commandLine(file).execute(arguments.toArray(String[]::new));
    }

    private static int run(Sample sample) {
        return sample.isInterruptible() ? SignalInterrupt.during(() -> runToItsEnd(sample)) : runToItsEnd(sample);
    }

    private static int runToItsEnd(Sample sample) {
        LOG.info("Starting the sample");
        try {
            sample.run();
        } catch (SampleException | DocaException | IllegalArgumentException e) {
            // An argument that the library refuses comes from the user.
            return failed(e);
        } catch (InterruptedException | ClosedByInterruptException e) {
            LOG.error("A signal has ended the sample");
            LOG.debug("It was interrupted here", e);
            return failed();
        } catch (IOException e) {
            LOG.error(FileFailure.describe(e));
            LOG.debug("It failed here", e);
            return failed();
        } catch (Exception e) {
            // This is a bug in the sample; the stack trace helps to find it.
            LOG.error("Unexpected failure", e);
            return failed();
        }
        LOG.info("Sample finished successfully");
        return ExitCode.OK;
    }

    private static int failed(Exception failure) {
        LOG.error(failure.getMessage());
        LOG.debug("It failed here", failure);
        return failed();
    }

    private static int failed() {
        LOG.info("Sample finished with errors");
        return ExitCode.SOFTWARE;
    }
}
