package io.leeway.privoxy.internal.model;

import java.util.regex.Pattern;

/**
 * Texts by which PostgreSQL reads its clock: {@code WHERE day = 'today'} finds another row tomorrow, so nothing that was
 * read by such a text, or is shown by one, says what it will find later.
 */
public final class Clock {

    private static final Pattern WORD =
            Pattern.compile("(?<![a-z])(?:now|today|tomorrow|yesterday)(?![a-z])", Pattern.CASE_INSENSITIVE);

    private Clock() {}

    /** Whether a text may be read so where it is taken for a type of dates or times. */
    public static boolean mayBeAsked(String text) {
        return WORD.matcher(text).find();
    }
}
