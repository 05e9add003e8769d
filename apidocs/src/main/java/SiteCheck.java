/* SPDX-License-Identifier: Apache-2.0 */
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks the pages of a Javadoc site: each link leads to a page and an anchor that exist, and each type of the site is a link
 * where a signature names it. Exits with 1 after a list of what is wrong.
 */
final class SiteCheck {

    private static final Pattern LINK = Pattern.compile("<a [^>]*?href=\"([^\"]*)\"");
    private static final Pattern ANCHOR = Pattern.compile(" id=\"([^\"]*)\"");
    private static final Pattern SIGNATURE = Pattern.compile(
            "<(div|span) class=\"(?:type-signature|member-signature|extends-implements|permits)\">(.*?)</\\1>",
            Pattern.DOTALL);
    private static final Pattern NAMED_OR_LINKED =
            Pattern.compile("<span class=\"element-name[^\"]*\">.*?</span>|<a [^>]*>.*?</a>", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("(?<![\\w.])[A-Z]\\w*");

    private final Path site;
    private final Map<Path, String> pages = new HashMap<>();
    private final Map<Path, Set<String>> anchors = new HashMap<>();
    private final Set<String> types;
    private final Set<String> complaints = new TreeSet<>();
    private int links;

    private SiteCheck(Path site) throws IOException {
        this.site = site;
        List<Path> files;
        try (Stream<Path> found = Files.walk(site)) {
            files = found.filter(file -> file.toString().endsWith(".html")).toList();
        }
        for (Path file : files) {
            pages.put(file, Files.readString(file));
        }
        types = files.stream()
                .map(file -> file.getFileName().toString().replace(".html", ""))
                .filter(name -> Character.isUpperCase(name.charAt(0)))
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .collect(Collectors.toSet());
    }

    public static void main(String[] arguments) throws IOException {
        SiteCheck check = new SiteCheck(Path.of(arguments[0]).toRealPath());
        check.pages.forEach((file, page) -> {
            check.checkLinks(file, page);
            check.checkSignatures(file, page);
        });
        check.complaints.forEach(System.err::println);
        System.out.println(
                check.pages.size() + " pages, " + check.links + " links, " + check.complaints.size() + " faults");
        System.exit(check.complaints.isEmpty() && check.links > 0 && !check.types.isEmpty() ? 0 : 1);
    }

    private void checkLinks(Path file, String page) {
        for (MatchResult match : LINK.matcher(page).results().toList()) {
            String link = match.group(1);
            if (link.matches("[a-z]+:.*")) {
                continue; // another site
            }
            links++;
            int hash = link.indexOf('#');
            String name = hash < 0 ? link : link.substring(0, hash);
            Path target = name.isEmpty() ? file : file.resolveSibling(name).normalize();
            if (!Files.isRegularFile(target)) {
                complain(file, "links to " + link + ", a page that does not exist");
            } else if (hash >= 0
                    && hash + 1 < link.length()
                    && pages.containsKey(target)
                    && !hasAnchor(target, link.substring(hash + 1))) {
                complain(file, "links to " + link + ", an anchor that does not exist");
            }
        }
    }

    private boolean hasAnchor(Path target, String anchor) {
        Set<String> known = anchors.computeIfAbsent(
                target,
                file -> ANCHOR.matcher(pages.get(file))
                        .results()
                        .map(match -> plain(match.group(1)))
                        .collect(Collectors.toSet()));
        return known.contains(URLDecoder.decode(anchor.replace("+", "%2B"), StandardCharsets.UTF_8));
    }

    private static String plain(String html) {
        return html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    private void checkSignatures(Path file, String page) {
        if (file.endsWith("serialized-form.html")) {
            return; // its signatures are headings
        }
        for (MatchResult match : SIGNATURE.matcher(page).results().toList()) {
            String rest =
                    NAMED_OR_LINKED.matcher(match.group(2)).replaceAll(" ").replaceAll("<[^>]*>|&[#\\w]+;", " ");
            WORD.matcher(rest)
                    .results()
                    .map(MatchResult::group)
                    .filter(types::contains)
                    .forEach(type -> complain(file, "names " + type + " without a link to it"));
        }
    }

    private void complain(Path file, String fault) {
        complaints.add(site.relativize(file) + " " + fault);
    }
}
