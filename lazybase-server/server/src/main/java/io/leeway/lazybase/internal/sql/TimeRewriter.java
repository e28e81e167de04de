package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.sql.Lexer.Kind;
import io.leeway.lazybase.internal.sql.Lexer.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * PostgreSQL's way of writing times in the standard's: {@code interval '7 days'}, {@code date_trunc('hour', t)}, {@code to_timestamp(n)},
 * {@code AT TIME ZONE 'UTC'}. Stateless.
 */
final class TimeRewriter {

    private static final Pattern PART = Pattern.compile("\\s*([+-]?\\d+(?:\\.\\d+)?)\\s*([a-zA-Z]+)\\s*,?");
    private static final Set<String> UTC = Set.of("utc", "etc/utc", "gmt", "z", "+00", "+00:00", "uct", "zulu");

    private TimeRewriter() {}

    static String rewrite(String sql) {
        String text = sql;
        for (int at = 0; ; at++) {
            List<Token> tokens = Lexer.tokens(text);
            if (at >= tokens.size() - 2) {
                return text;
            }
            Token token = tokens.get(at);
            Token next = tokens.get(at + 1);
            if (token.is("interval") && next.kind() == Kind.TEXT) {
                text = interval(text, tokens, at, at, at + 1, next.text());
            } else if (token.kind() == Kind.TEXT
                    && next.is("::")
                    && tokens.get(at + 2).is("interval")) {
                text = interval(text, tokens, at, at, at + 2, token.text());
            } else if (token.is("date_trunc")
                    && next.is("(")
                    && tokens.get(at + 2).kind() == Kind.TEXT) {
                text = truncated(text, tokens, at);
            } else if (token.is("to_timestamp") && next.is("(")) {
                text = timestamp(text, tokens, at);
            } else if (token.is("current_date")
                    && (next.is("-") || next.is("+"))
                    && tokens.get(at + 2).kind() == Kind.NUMBER) {
                Token days = tokens.get(at + 2);
                text = replace(text, days.from(), days.to(), "INTERVAL '" + days.text() + "' DAY(9)");
            } else if (token.is("at") && next.is("time") && tokens.get(at + 2).is("zone")) {
                text = zone(text, tokens, at);
            }
        }
    }

    private static String replace(String text, int from, int to, String by) {
        return text.substring(0, from) + by + text.substring(to);
    }

    /** {@code - interval '1 day 2 hours'} is {@code - INTERVAL '1' DAY - INTERVAL '2' HOUR}; one with a unit behind it stays. */
    private static String interval(String text, List<Token> tokens, int at, int first, int last, String value) {
        Token behind = tokens.get(last + 1);
        if (behind.kind() == Kind.WORD && unit(behind.text()) != null) {
            return text;
        }
        String sign = at > 0 && tokens.get(at - 1).is("-") ? " - " : " + ";
        String standard = String.join(sign, parts(value));
        return replace(text, tokens.get(first).from(), tokens.get(last).to(), standard);
    }

    private static List<String> parts(String value) {
        var parts = new ArrayList<String>();
        Matcher matcher = PART.matcher(value);
        int end = 0;
        while (matcher.lookingAt()) {
            String[] unit = unit(matcher.group(2));
            if (unit == null) {
                break;
            }
            parts.add(part(matcher.group(1), unit));
            end = matcher.end();
            matcher.region(end, value.length());
        }
        if (parts.isEmpty() || !value.substring(end).isBlank()) {
            throw new LazyBaseException(
                    Code.SYNTAX, "'" + value + "' is no interval; write, say, '7 days' or '1 hour 30 minutes'.");
        }
        return parts;
    }

    private static String part(String number, String[] unit) {
        if (unit[0].equals("SECOND")) {
            double seconds = Double.parseDouble(number) * Double.parseDouble(unit[1]);
            return "INTERVAL '" + new java.math.BigDecimal(Double.toString(seconds)).toPlainString() + "' SECOND(9, 3)";
        }
        long factor = Long.parseLong(unit[1]);
        if (number.contains(".")) {
            throw new LazyBaseException(Code.SYNTAX, "'" + number + "' of an interval has to be whole.");
        }
        return "INTERVAL '" + Long.parseLong(number) * factor + "' " + unit[0] + "(9)";
    }

    /** The standard's unit and how many of it. */
    private static String @org.jspecify.annotations.Nullable [] unit(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "year", "years", "y", "yr", "yrs" -> new String[] {"YEAR", "1"};
            case "quarter", "quarters" -> new String[] {"MONTH", "3"};
            case "month", "months", "mon", "mons" -> new String[] {"MONTH", "1"};
            case "week", "weeks", "w" -> new String[] {"DAY", "7"};
            case "day", "days", "d" -> new String[] {"DAY", "1"};
            case "hour", "hours", "h", "hr", "hrs" -> new String[] {"HOUR", "1"};
            case "minute", "minutes", "m", "min", "mins" -> new String[] {"MINUTE", "1"};
            case "second", "seconds", "s", "sec", "secs" -> new String[] {"SECOND", "1"};
            case "millisecond", "milliseconds", "ms" -> new String[] {"SECOND", "0.001"};
            default -> null;
        };
    }

    private static int closing(List<Token> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return tokens.size() - 1;
    }

    private static String truncated(String text, List<Token> tokens, int at) {
        int close = closing(tokens, at + 1);
        String unit = tokens.get(at + 2).text().toUpperCase(Locale.ROOT);
        String value = text.substring(tokens.get(at + 3).to(), tokens.get(close).from());
        String time = "CAST(" + value + " AS TIMESTAMP(3))";
        String by = switch (unit) {
            case "SECOND", "MINUTE", "HOUR", "DAY", "MONTH", "QUARTER", "YEAR" -> "FLOOR(" + time + " TO " + unit + ")";
            case "MILLISECONDS", "MILLISECOND", "MICROSECONDS" -> time;
            // Calcite's weeks begin on Sundays, PostgreSQL's on Mondays.
            case "WEEK" -> "(FLOOR((" + time + " - INTERVAL '1' DAY) TO WEEK) + INTERVAL '1' DAY)";
            default ->
                throw new LazyBaseException(
                        Code.UNSUPPORTED, "date_trunc('" + tokens.get(at + 2).text() + "', …).");
        };
        return replace(text, tokens.get(at).from(), tokens.get(close).to(), by);
    }

    /** {@code to_timestamp(n)} of seconds since 1970; with a format it is Calcite's. */
    private static String timestamp(String text, List<Token> tokens, int at) {
        int close = closing(tokens, at + 1);
        int depth = 0;
        for (int i = at + 1; i < close; i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 1 && tokens.get(i).is(",")) {
                return text;
            }
        }
        String value = text.substring(tokens.get(at + 1).to(), tokens.get(close).from());
        String by = "(TIMESTAMP '1970-01-01 00:00:00' + CAST(ROUND((" + value
                + ") * 1000) AS BIGINT) * INTERVAL '0.001' SECOND(9, 3))";
        return replace(text, tokens.get(at).from(), tokens.get(close).to(), by);
    }

    private static String zone(String text, List<Token> tokens, int at) {
        Token zone = tokens.get(at + 3);
        if (zone.kind() != Kind.TEXT || !UTC.contains(zone.text().toLowerCase(Locale.ROOT))) {
            throw new LazyBaseException(Code.UNSUPPORTED, "Times are in UTC; AT TIME ZONE takes 'UTC' only.");
        }
        return replace(text, tokens.get(at).from(), zone.to(), "");
    }
}
