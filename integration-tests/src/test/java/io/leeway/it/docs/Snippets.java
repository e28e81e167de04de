package io.leeway.it.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The fenced blocks of a page. */
final class Snippets {

    private Snippets() {}

    /** The blocks of one language, in order. */
    static List<String> of(Path page, String language) throws IOException {
        Pattern fenced = Pattern.compile("^```" + language + "\\R(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
        return fenced.matcher(Files.readString(page))
                .results()
                .map(found -> found.group(1))
                .toList();
    }
}
