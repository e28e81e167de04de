package io.leeway.privoxy.solvers;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what SMT-LIB 2 commands print.
 *
 * <p>Lenient on purpose: a reply that is not understood gives no values, the counterexample is then not readable, and
 * no proof depends on it. Cores are proved anew.
 */
final class Replies {

    private final String text;
    private int at;

    private Replies(String text) {
        this.text = text;
    }

    /**
     * The names in {@code (a b c)}.
     *
     * <p>The template that comes of a core is proved anew, so a reply that is read wrongly costs a template and no
     * more.
     */
    static List<String> names(String reply) {
        Object read = new Replies(reply).read();
        List<String> names = new ArrayList<>();
        if (read instanceof List<?> list) {
            list.forEach(name -> names.add(String.valueOf(name)));
        }
        return names;
    }

    /** The values in {@code ((a 1.0) (b true))}, in canonical form. */
    static Map<String, String> values(String reply) {
        Map<String, String> values = new HashMap<>();
        if (new Replies(reply).read() instanceof List<?> pairs) {
            for (Object pair : pairs) {
                if (pair instanceof List<?> both && both.size() == 2) {
                    values.put(String.valueOf(both.get(0)), canonical(both.get(1)));
                }
            }
        }
        return values;
    }

    /**
     * Numbers as decimals or fractions, everything else as it is written.
     *
     * <p>Solvers write numbers in several forms: {@code (- 5.0)}, {@code (/ 1 3)}.
     */
    private static String canonical(Object value) {
        if (value instanceof List<?> list && !list.isEmpty()) {
            if (list.get(0).equals("-") && list.size() == 2) {
                String positive = canonical(list.get(1));
                return positive.startsWith("-") ? positive.substring(1) : "-" + positive;
            }
            if (list.get(0).equals("/") && list.size() == 3) {
                return quotient(canonical(list.get(1)), canonical(list.get(2)));
            }
        }
        return String.valueOf(value);
    }

    private static String quotient(String numerator, String denominator) {
        BigInteger over = new BigDecimal(numerator).toBigIntegerExact();
        BigInteger under = new BigDecimal(denominator).toBigIntegerExact();
        return over + "/" + under;
    }

    private Object read() {
        skipSpace();
        if (at < text.length() && text.charAt(at) == '(') {
            at++;
            List<Object> list = new ArrayList<>();
            for (skipSpace(); at < text.length() && text.charAt(at) != ')'; skipSpace()) {
                list.add(read());
            }
            at++;
            return list;
        }
        int start = at;
        // A quoted symbol may contain blanks and parentheses.
        if (at < text.length() && text.charAt(at) == '|') {
            at = text.indexOf('|', at + 1) + 1;
        } else {
            while (at < text.length() && "() \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
        }
        return text.substring(start, at);
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
