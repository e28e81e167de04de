package io.leeway.lazytables.internal.cli;

/**
 * Text of others for a terminal, which would obey some of it.
 *
 * <p>Names of tables come from clients: with escape sequences in one, {@code lazytables status} would do to its user's
 * terminal what a client wants. Without state.
 */
final class Printable {

    private Printable() {}

    /** The text with whatever is no visible character as its number, such as <code>&#92;u001b</code>. */
    static String of(String text) {
        var shown = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            if (isShown(character)) {
                shown.appendCodePoint(character);
            } else {
                shown.append(String.format("\\u%04x", character));
            }
        });
        return shown.toString();
    }

    private static boolean isShown(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED,
                    Character.PRIVATE_USE -> false;
            default -> true;
        };
    }
}
