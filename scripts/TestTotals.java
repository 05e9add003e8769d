/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints how many tests of a module have passed, why others were skipped, and which have failed, from the reports of Maven's
 * Surefire. Exits with 1 if there are failures or no reports.
 */
final class TestTotals {

    private static final int MAX_REASON = 160;

    private int passed;
    private final Map<String, Integer> skipped = new TreeMap<>();
    private final List<String> failed = new ArrayList<>();

    private TestTotals() {}

    public static void main(String[] arguments) throws IOException {
        TestTotals totals = new TestTotals();
        try (Stream<Path> files = Files.list(Path.of(arguments[1]))) {
            files.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .sorted()
                    .forEach(totals::read);
        }
        System.exit(totals.print(arguments[0]) ? 0 : 1);
    }

    private void read(Path file) {
        try {
            NodeList tests = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getElementsByTagName("testcase");
            for (int i = 0; i < tests.getLength(); i++) {
                count((Element) tests.item(i));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(file + " is no report", e);
        }
    }

    private void count(Element test) {
        Element skip = (Element) test.getElementsByTagName("skipped").item(0);
        Element failure = (Element) test.getElementsByTagName("failure").item(0);
        Element error = (Element) test.getElementsByTagName("error").item(0);
        if (failure != null || error != null) {
            failed.add(test.getAttribute("classname") + "." + test.getAttribute("name") + ": "
                    + shortened(text(failure != null ? failure : error)));
        } else if (skip != null) {
            skipped.merge(reason(text(skip)), 1, Integer::sum);
        } else {
            passed++;
        }
    }

    /** JUnit puts what a condition looked at before the reason, and says that an assumption failed. */
    private static String reason(String message) {
        String told = message.replaceFirst(".* ==> ", "").replaceFirst(".*Assumption failed: ", "");
        return told.isBlank() ? "no reason" : told;
    }

    private static String text(Element outcome) {
        String text = outcome.getAttribute("message").isBlank()
                ? outcome.getTextContent()
                : outcome.getAttribute("message");
        return text.strip().lines().findFirst().orElse("");
    }

    private static String shortened(String line) {
        return line.length() > MAX_REASON ? line.substring(0, MAX_REASON) + " ..." : line;
    }

    private boolean print(String module) {
        int skips = skipped.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println(module + ": " + passed + " passed, " + skips + " skipped, " + failed.size() + " failed");
        skipped.forEach((reason, count) -> System.out.println("    " + count + " skipped: " + reason));
        failed.forEach(failure -> System.out.println("    failed: " + failure));
        return failed.isEmpty() && passed > 0;
    }
}
