package io.leeway.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Links of Markdown files that lead to other files of the repository. */
final class MarkdownLinks {

    private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]*`");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)[^)]*\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?) *$");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

    private MarkdownLinks() {}

    /** The links of one file that lead nowhere. */
    static List<String> broken(Path file) throws IOException {
        var broken = new ArrayList<String>();
        var links = LINK.matcher(CODE.matcher(Files.readString(file)).replaceAll(""));
        while (links.find()) {
            String link = links.group(1);
            if (!ELSEWHERE.matcher(link).matches() && !leadsSomewhere(file, link)) {
                broken.add(file + " -> " + link);
            }
        }
        return broken;
    }

    private static boolean leadsSomewhere(Path from, String link) throws IOException {
        int hash = link.indexOf('#');
        String name = hash < 0 ? link : link.substring(0, hash);
        Path target = name.isEmpty() ? from : from.resolveSibling(name);
        return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    /** Anchors as forges make them from headings. */
    private static List<String> anchors(Path file) throws IOException {
        return HEADING.matcher(Files.readString(file))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }
}
