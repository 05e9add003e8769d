/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.jr.ob.JSON;
import io.docajava.core.DocaLogLevel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A parameter file of DOCA programs. Its keys are long flags without the dashes:
 *
 * {@snippet lang = json :
 * {
 *   "doca_general_flags": { "log-level": 60, "sdk-log-level": 40 },
 *   "doca_program_flags": { "pci-addr": "03:00.0", "num-src-buf": 2 }
 * }
 * }
 */
final class JsonParameters {

    private static final String GENERAL = "doca_general_flags";
    private static final String PROGRAM = "doca_program_flags";
    // The other standard flags print something or name the file itself, and are not allowed in it.
    private static final Set<String> GENERAL_KEYS = Set.of("log-level", "sdk-log-level");
    private static final Set<Class<?>> NUMBERS = Set.of(int.class, Integer.class, DocaLogLevel.class);

    // The files that come with DOCA have comments, and its reader accepts trailing commas.
    private static final JsonFactory FORMAT = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .build();
    private static final JSON READER =
            JSON.builder(FORMAT).enable(JSON.Feature.FAIL_ON_DUPLICATE_MAP_KEYS).build();

    private final CommandSpec sample;
    private final List<String> arguments = new ArrayList<>();

    private JsonParameters(CommandSpec sample) {
        this.sample = sample;
    }

    /**
     * Returns the contents of a file as command line arguments of a sample.
     *
     * @throws InvalidFileException if it is not a parameter file, or has a key or a type of value that the sample does not accept
     */
    static List<String> read(Path file, CommandSpec sample) throws InvalidFileException {
        JsonParameters parameters = new JsonParameters(sample);
        parameters.add(parse(file));
        return parameters.arguments;
    }

    private static Object parse(Path file) throws InvalidFileException {
        try (InputStream content = Files.newInputStream(file);
                JsonParser parser = FORMAT.createParser(content)) {
            if (parser.nextToken() == null) {
                throw new InvalidFileException("it is empty");
            }
            Object root = READER.anyFrom(parser);
            if (parser.nextToken() != null) {
                throw new InvalidFileException("it is not valid JSON: more follows the closing brace");
            }
            return root;
        } catch (JsonEOFException e) {
            throw new InvalidFileException("it is not valid JSON: it ends too early");
        } catch (JsonProcessingException e) {
            throw new InvalidFileException("it is not valid JSON: " + e.getOriginalMessage() + at(e.getLocation()));
        } catch (NoSuchFileException e) {
            throw new InvalidFileException("there is no such file");
        } catch (AccessDeniedException e) {
            throw new InvalidFileException("it may not be read");
        } catch (IOException e) {
            throw new InvalidFileException("it cannot be read: " + e.getMessage());
        }
    }

    private static String at(@Nullable JsonLocation place) {
        return place == null ? "" : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
    }

    private void add(Object root) throws InvalidFileException {
        for (Map.Entry<?, ?> section : object(root, "the file").entrySet()) {
            String name = (String) section.getKey();
            switch (name) {
                case GENERAL, PROGRAM -> addFlags(name, object(section.getValue(), "\"" + name + "\""));
                default -> throw unknown(name, "the file", List.of(GENERAL, PROGRAM));
            }
        }
    }

    private static Map<?, ?> object(@Nullable Object value, String what) throws InvalidFileException {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new InvalidFileException(what + " must hold an object");
    }

    private void addFlags(String section, Map<?, ?> flags) throws InvalidFileException {
        for (Map.Entry<?, ?> flag : flags.entrySet()) {
            String key = (String) flag.getKey();
            String name = EarlierNames.flag(sample, "--" + key);
            OptionSpec option = sample.findOption(name);
            if (option == null || !belongsTo(section, option)) {
                throw unknown(key, "\"" + section + "\"", keysOf(section));
            }
            if (isSwitch(option)) {
                addSwitch(key, flag.getValue());
            } else {
                arguments.add(name + "=" + text(option, flag.getValue()));
            }
        }
    }

    private static boolean isSwitch(OptionSpec option) {
        return option.type() == boolean.class;
    }

    private void addSwitch(String key, @Nullable Object value) throws InvalidFileException {
        if (!(value instanceof Boolean isOn)) {
            throw new InvalidFileException("\"" + key + "\" must be true or false");
        }
        if (isOn) {
            arguments.add("--" + key);
        }
    }

    private static String text(OptionSpec option, @Nullable Object value) throws InvalidFileException {
        boolean isNumber = NUMBERS.contains(option.type());
        if (isNumber ? value instanceof Integer : value instanceof String) {
            return String.valueOf(value);
        }
        throw new InvalidFileException("\"" + key(option) + "\" must be " + (isNumber ? "an integer" : "a string"));
    }

    private List<String> keysOf(String section) {
        return sample.options().stream()
                .filter(option -> belongsTo(section, option))
                .map(JsonParameters::key)
                .toList();
    }

    private static String key(OptionSpec option) {
        return option.longestName().substring("--".length());
    }

    private boolean belongsTo(String section, OptionSpec option) {
        return section.equals(GENERAL) ? GENERAL_KEYS.contains(key(option)) : !StandardFlags.contain(option, sample);
    }

    private static InvalidFileException unknown(String key, String where, List<String> known) {
        return new InvalidFileException(
                "\"" + key + "\" is not known in " + where + "; known are " + String.join(", ", known));
    }

    /** Thrown if a file is invalid. The message continues a sentence that begins with the name of the file. */
    static final class InvalidFileException extends Exception {
        private static final long serialVersionUID = 1;

        InvalidFileException(String message) {
            super(message);
        }
    }
}
