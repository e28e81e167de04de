package io.leeway.demo;

import java.nio.file.Path;

/**
 * What a drop-in's demonstration was started with.
 *
 * @param isShort {@code --short}
 * @param directory where its page goes
 */
record Options(boolean isShort, Path directory) {

    private static final String DIRECTORY = "--directory=";

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

    static Options parse(String... arguments) throws NotUnderstood {
        boolean isShort = false;
        Path directory = Path.of("target", "demo");
        for (String argument : arguments) {
            if (argument.equals("--short")) {
                isShort = true;
            } else if (argument.startsWith(DIRECTORY) && argument.length() > DIRECTORY.length()) {
                directory = Path.of(argument.substring(DIRECTORY.length()));
            } else {
                throw new NotUnderstood(
                        "unknown: " + argument + "\nusage: ./demo [--short] [--directory=DIR] [drop-in ...]");
            }
        }
        return new Options(isShort, directory.toAbsolutePath());
    }
}
