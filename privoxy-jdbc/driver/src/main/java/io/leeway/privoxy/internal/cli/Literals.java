package io.leeway.privoxy.internal.cli;

import io.leeway.privoxy.internal.guard.Parameters;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values as they are written on the command line: {@code 5}, {@code 1.5}, {@code 'text'}, {@code TRUE}, {@code NULL},
 * {@code DATE '2026-01-31'}, {@code TIMESTAMP '2026-01-31 12:00:00'}, {@code TIME '12:00:00'}, {@code UUID '…'}, and
 * {@code *} for what is not known.
 */
final class Literals {

    private static final String FORMS =
            "write 5, 1.5, 'text', TRUE, NULL, DATE '2026-01-31', TIMESTAMP '2026-01-31 12:00:00', TIME '12:00:00',"
                    + " UUID '...', or * for a value that is not known";

    private static final Map<String, Object> CONSTANTS = Map.of("TRUE", true, "FALSE", false, "*", Parameters.UNKNOWN);

    private Literals() {}

    /** One value. */
    static @Nullable Object value(String text) throws CommandException {
        String word = text.strip();
        Object constant = CONSTANTS.get(word.toUpperCase(Locale.ROOT));
        if (constant != null) {
            return constant;
        }
        if (word.equalsIgnoreCase("NULL")) {
            return null;
        }
        try {
            return word.endsWith("'") ? quoted(word) : number(word);
        } catch (DateTimeException | IllegalArgumentException none) {
            throw new CommandException("\"" + word + "\" is no value: " + FORMS, none);
        }
    }

    private static Object number(String word) {
        BigDecimal number = new BigDecimal(word);
        return number.scale() == 0 && number.precision() < 19 ? number.longValueExact() : number;
    }

    private static Object quoted(String word) {
        int start = word.indexOf('\'');
        if (start == word.length() - 1) {
            throw new IllegalArgumentException("a quote is missing");
        }
        String text = word.substring(start + 1, word.length() - 1).replace("''", "'");
        return switch (word.substring(0, start).strip().toUpperCase(Locale.ROOT)) {
            case "" -> text;
            case "DATE" -> LocalDate.parse(text);
            case "TIME" -> LocalTime.parse(text);
            case "TIMESTAMP" -> LocalDateTime.parse(text.replace(' ', 'T'));
            case "UUID" -> UUID.fromString(text);
            default -> throw new IllegalArgumentException("no type");
        };
    }

    /** Values with commas between them. */
    static List<@Nullable Object> values(String text) throws CommandException {
        var values = new ArrayList<@Nullable Object>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ',' : text.charAt(i);
            if (c == '\'') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                values.add(value(text.substring(start, i)));
                start = i + 1;
            }
        }
        if (quoted) {
            throw new CommandException("in \"" + text + "\" a quote is not closed");
        }
        return values;
    }
}
