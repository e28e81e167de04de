package io.leeway.eppi.internal.net;

/** Texts of others as they may be shown: on one line, of bounded length, and without what steers a terminal. */
public final class Shown {

    private static final int MOST = 1_000;

    private Shown() {}

    /** The text with control characters replaced. */
    public static String line(String text) {
        String cut = text.length() <= MOST ? text : text.substring(0, MOST) + "…";
        var shown = new StringBuilder(cut.length());
        cut.codePoints().forEach(c -> shown.appendCodePoint(isPlain(c) ? c : '\uFFFD'));
        return shown.toString();
    }

    /** Marks of direction count as control: they make a line read as another. */
    private static boolean isPlain(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
    }
}
