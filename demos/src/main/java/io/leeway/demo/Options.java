package io.leeway.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What was typed after {@code ./demo}.
 *
 * @param isShort {@code --short}
 * @param page where the page goes
 * @param dropIns what to run, in the demo's own order
 */
record Options(boolean isShort, Path page, List<DropIn> dropIns) {

    private static final String PAGE = "--page=";

    /** Something that was typed is not understood; the message says what would be. */
    static final class NotUnderstood extends Exception {

        private static final long serialVersionUID = 1;

        private final String explanation;

        NotUnderstood(String explanation) {
            super(explanation);
            this.explanation = explanation;
        }

        String explanation() {
            return explanation;
        }
    }

    static Options parse(List<DropIn> known, String... arguments) throws NotUnderstood {
        boolean isShort = false;
        Path page = Path.of("target", "demo", "index.html");
        var names = new ArrayList<String>();
        for (String argument : arguments) {
            if (argument.equals("--short")) {
                isShort = true;
            } else if (argument.startsWith(PAGE) && argument.length() > PAGE.length()) {
                page = Path.of(argument.substring(PAGE.length()));
            } else {
                names.add(knownName(known, argument));
            }
        }
        List<DropIn> chosen = known.stream()
                .filter(dropIn -> names.isEmpty() || names.contains(dropIn.name()))
                .toList();
        return new Options(isShort, page, chosen);
    }

    /** The directory of the page. */
    Path directory() {
        return Objects.requireNonNull(page.toAbsolutePath().getParent(), "a file is in a directory");
    }

    private static String knownName(List<DropIn> known, String name) throws NotUnderstood {
        List<String> names = known.stream().map(DropIn::name).toList();
        if (!names.contains(name)) {
            throw new NotUnderstood("unknown: " + name + "\nusage: ./demo [--short] [--page=FILE] [drop-in ...]\n"
                    + (names.isEmpty() ? "no drop-in is registered" : "drop-ins: " + String.join(", ", names)));
        }
        return name;
    }
}
