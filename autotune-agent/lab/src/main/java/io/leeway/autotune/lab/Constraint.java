package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobValue;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What must hold between numbers: two sums of products with a comparison between them, such as
 * {@code front.heap + back.heap <= 0.8 * memory}. A constraint on a parameter that is not there holds. Immutable.
 *
 * @since 0.1
 */
public final class Constraint {

    /** Names may have dots and hyphens; a minus sign therefore stands apart. */
    private static final Pattern TOKEN =
            Pattern.compile("\\s*(?:(\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)|([A-Za-z_][\\w.-]*)|(<=|>=|<|>|[-+*/()]))");

    private static final List<String> COMPARISONS = List.of("<=", ">=", "<", ">");

    private final String text;
    private final Set<String> names = new TreeSet<>();
    private final Function<Map<String, Double>, Double> left;
    private final Function<Map<String, Double>, Double> right;
    private final String comparison;

    private Constraint(String text) {
        this.text = text.strip();
        var parser = new Parser(this.text, names);
        this.left = parser.sum();
        this.comparison = parser.take();
        if (!COMPARISONS.contains(comparison)) {
            throw parser.fault("a comparison is missing");
        }
        this.right = parser.sum();
        if (!parser.take().isEmpty()) {
            throw parser.fault("there is more than one comparison or a sign too many");
        }
    }

    /**
     * Reads one.
     *
     * @throws io.leeway.autotune.AutoTuneException with {@link AutoTuneError#BAD_RANGE} if it is none
     */
    public static Constraint parse(String text) {
        return new Constraint(text);
    }

    /** Which parameters or metrics it names. */
    public Set<String> names() {
        return Set.copyOf(names);
    }

    /** Whether it holds for a configuration. */
    public boolean holds(Map<String, KnobValue> values) {
        var numbers = new TreeMap<String, Double>();
        for (String name : names) {
            KnobValue value = values.get(name);
            if (!(value instanceof KnobValue.Amount amount)) {
                return true;
            }
            numbers.put(name, amount.value());
        }
        return holdsFor(numbers);
    }

    /** Whether it holds for numbers, all of which are there. */
    public boolean holdsFor(Map<String, Double> numbers) {
        double l = left.apply(numbers);
        double r = right.apply(numbers);
        return switch (comparison) {
            case "<=" -> l <= r;
            case ">=" -> l >= r;
            case "<" -> l < r;
            default -> l > r;
        };
    }

    @Override
    public String toString() {
        return text;
    }

    /** Recursive descent: sum, product, factor. */
    private static final class Parser {

        private final String text;
        private final List<MatchResult> tokens;
        private final Set<String> names;
        private int at;

        Parser(String text, Set<String> names) {
            this.text = text;
            this.names = names;
            this.tokens = TOKEN.matcher(text).results().toList();
            int length =
                    tokens.stream().mapToInt(token -> token.group().length()).sum();
            if (length != text.length()) {
                throw fault("a sign is unknown");
            }
        }

        RuntimeException fault(String what) {
            return AutoTuneError.BAD_RANGE.because("the constraint \"" + text + "\": " + what);
        }

        private boolean isNext(String... signs) {
            return at < tokens.size()
                    && List.of(signs).contains(tokens.get(at).group().strip());
        }

        String take() {
            return at < tokens.size() ? tokens.get(at++).group().strip() : "";
        }

        Function<Map<String, Double>, Double> sum() {
            Function<Map<String, Double>, Double> sum = product();
            while (isNext("+", "-")) {
                double sign = take().equals("+") ? 1 : -1;
                Function<Map<String, Double>, Double> before = sum;
                Function<Map<String, Double>, Double> next = product();
                sum = values -> before.apply(values) + sign * next.apply(values);
            }
            return sum;
        }

        private Function<Map<String, Double>, Double> product() {
            Function<Map<String, Double>, Double> product = factor();
            while (isNext("*", "/")) {
                boolean isTimes = take().equals("*");
                Function<Map<String, Double>, Double> before = product;
                Function<Map<String, Double>, Double> next = factor();
                product = values ->
                        isTimes ? before.apply(values) * next.apply(values) : before.apply(values) / next.apply(values);
            }
            return product;
        }

        private Function<Map<String, Double>, Double> factor() {
            if (at == tokens.size()) {
                throw fault("it ends too early");
            }
            MatchResult token = tokens.get(at++);
            if (token.group(1) != null) {
                double number = Double.parseDouble(token.group(1));
                return values -> number;
            }
            if (token.group(2) != null) {
                String name = token.group(2);
                names.add(name);
                return values -> values.getOrDefault(name, Double.NaN);
            }
            if (!token.group(3).equals("(")) {
                throw fault("a number or a name is missing before " + token.group(3));
            }
            Function<Map<String, Double>, Double> inner = sum();
            if (!take().equals(")")) {
                throw fault("a bracket is not closed");
            }
            return inner;
        }
    }
}
