package io.leeway.autotune.internal.kubernetes;

import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts as Kubernetes writes them: 250m, 1.5, 512Mi, 1G, 1e9. */
public final class Quantity {

    private static final Pattern TEXT =
            Pattern.compile("([+-]?[0-9]*\\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+\\.)(m|k|[KMGTPE]i|[MGTPE])?");

    private static final String SIZES = "kMGTPE";

    private Quantity() {}

    /**
     * The amount.
     *
     * @throws IOException if the text is no quantity
     */
    public static double parse(String text) throws IOException {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IOException("not a quantity: " + text);
        }
        String unit = matcher.group(2) == null ? "" : matcher.group(2);
        double factor = switch (unit) {
            case "" -> 1;
            case "m" -> 1e-3;
            default -> Math.pow(unit.endsWith("i") ? 1024 : 1000, size(unit) + 1);
        };
        return Double.parseDouble(matcher.group(1)) * factor;
    }

    private static int size(String unit) {
        return SIZES.indexOf(unit.charAt(0) == 'K' ? 'k' : unit.charAt(0));
    }

    /** Cores, in thousandths as the API server keeps them. */
    public static String cores(double cores) {
        return String.format(Locale.ROOT, "%dm", Math.round(cores * 1_000));
    }

    /** Bytes. */
    public static String bytes(double bytes) {
        return Long.toString(Math.round(bytes));
    }

    /** Whether two texts are the same amount; what cannot be read is like nothing. */
    public static boolean isSame(String one, String other) {
        try {
            double amount = parse(one);
            return Math.abs(amount - parse(other)) <= 1e-6 * Math.max(1, Math.abs(amount));
        } catch (IOException e) {
            return false;
        }
    }
}
