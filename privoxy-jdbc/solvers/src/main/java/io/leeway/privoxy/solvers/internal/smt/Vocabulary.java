package io.leeway.privoxy.solvers.internal.smt;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The symbols of one script. All values have one sort, so that nothing is claimed about values of different kinds;
 * SQL's null is a constant of it. Two constants are declared different only if their values are known to be so.
 *
 * <p>Not thread-safe; one object a script.
 *
 * <p>One sort instead of one for each type of SQL (as the successor at OSDI 2022 has): databases convert between types,
 * so 5 and '5' may be one value, and a proof must not lean on their being two.
 */
final class Vocabulary {

    static final String SORT = "V";
    static final String NULL = "null";

    private final Map<Value, String> names = new LinkedHashMap<>();
    private final Map<String, Value> values = new HashMap<>();
    private final Map<String, String> symbols = new HashMap<>();
    private final Set<String> taken = new HashSet<>();
    /** Terms with a position, by line. */
    private final Map<String, Set<String>> lines = new LinkedHashMap<>();

    private final List<String> keyFunctions = new ArrayList<>();
    private final Map<String, Application> applications = new LinkedHashMap<>();
    private final List<String> constants = new ArrayList<>();
    private final StringBuilder declarations = new StringBuilder();
    private final boolean forDatabases;
    private int fresh;

    /**
     * An applied function.
     *
     * @param kind the kind of the values that it is compared with, or null if it is compared with none
     */
    record Application(
            String symbol, List<String> arguments, @Nullable ValueKind kind) {}

    /** Symbols for statements about all databases. */
    static Vocabulary forProof() {
        return new Vocabulary(false);
    }

    /**
     * Symbols for two databases that are to be found: values that may or may not be different are different, and a
     * collation calls no two values equal.
     *
     * <p>That leaves out databases in which a collation matters. It can only miss examples, while for proofs the same
     * would be unsound.
     */
    static Vocabulary forDatabases() {
        return new Vocabulary(true);
    }

    private Vocabulary(boolean forDatabases) {
        this.forDatabases = forDatabases;
        taken.add(NULL);
        names.put(Value.NULL, NULL);
        values.put(NULL, Value.NULL);
    }

    /**
     * The constant for a value.
     *
     * <p>The same constant for the same value: equality of values is Java's, as everywhere in the checker.
     */
    String value(Value value) {
        String name = names.get(value);
        if (name == null) {
            name = unique("v" + names.size());
            names.put(value, name);
            values.put(name, value);
            declare(name, 0, SORT);
        }
        return name;
    }

    /** The value that a term is the constant of, or null if it is another term. */
    @Nullable
    Value valueOf(String term) {
        return values.get(term);
    }

    /** The values that have constants, null among them. */
    Map<Value, String> values() {
        return Collections.unmodifiableMap(names);
    }

    /** A new constant of the values' sort. */
    String constant(String hint) {
        String name = unique(hint);
        declare(name, 0, SORT);
        return name;
    }

    /** A new Boolean constant. */
    String flag(String hint) {
        String name = unique(hint);
        declare(name, 0, "Bool");
        return name;
    }

    /** A name for a quantified variable, used nowhere else in the script. */
    String variable() {
        return unique("x" + fresh++);
    }

    /**
     * Declares a quantified variable's name as a constant instead.
     *
     * <p>Names are unique in a script, so a variable of a body can become a constant where the body is a fact.
     */
    void skolemize(List<String> variables) {
        variables.forEach(variable -> declare(variable, 0, SORT));
    }

    /** A function symbol; {@code id} names it within the script. */
    String function(String id, String hint, int arity) {
        return symbol(id, hint, arity, SORT);
    }

    /** A predicate symbol; {@code id} names it within the script. */
    String predicate(String id, String hint, int arity) {
        return symbol(id, hint, arity, "Bool");
    }

    /** Instances are told apart by the id, so that a function of the policy is the same in both databases. */
    private String symbol(String id, String hint, int arity, String result) {
        String name = symbols.get(id);
        if (name == null) {
            name = unique(hint);
            symbols.put(id, name);
            declare(name, arity, result);
        }
        return name;
    }

    /** The application of a function that queries or policy name. Key functions pass null and only null to null. */
    String apply(String function, List<String> arguments) {
        boolean isKey = function.startsWith("key:") && arguments.size() == 1;
        // The collation that tells all apart: the key is the value.
        if (isKey && forDatabases) {
            return arguments.get(0);
        }
        String id = "function " + function + "/" + arguments.size();
        boolean isNew = !symbols.containsKey(id);
        String name = function(id, "f." + function, arguments.size());
        if (isNew && isKey) {
            keyFunctions.add(name);
        }
        String text = Logic.apply(name, arguments);
        applications.putIfAbsent(text, new Application(function, List.copyOf(arguments), null));
        return text;
    }

    /** {@code a} and {@code b} are identical. */
    String equal(String a, String b) {
        if (a.equals(b)) {
            return Logic.TRUE;
        }
        Value left = values.get(a);
        Value right = values.get(b);
        if (left != null && right != null && (forDatabases || left.isKnownToDifferFrom(right))) {
            return Logic.FALSE;
        }
        noteKind(a, right);
        noteKind(b, left);
        // One writing for one equality, so that duplicates are found as texts.
        return a.compareTo(b) < 0 ? "(= " + a + " " + b + ")" : "(= " + b + " " + a + ")";
    }

    /**
     * The model gives a function's result a name only; to show it as a value its kind has to be guessed from what it is
     * compared with.
     */
    private void noteKind(String term, @Nullable Value other) {
        Application application = applications.get(term);
        if (application != null && other != null && !other.isNull()) {
            applications.put(term, new Application(application.symbol(), application.arguments(), other.kind()));
        }
    }

    String isNull(String term) {
        return equal(term, NULL);
    }

    String isNotNull(String term) {
        return Logic.not(isNull(term));
    }

    /** {@code a < b}, or {@code a <= b}, of two non-null values on a line, or of an order that nothing is known of. */
    String less(@Nullable String line, String a, String b, boolean orEqual) {
        // An order of which nothing is known but that it is the same in both databases.
        if (line == null) {
            String hint = orEqual ? "le" : "lt";
            return Logic.apply(predicate("order " + hint, hint, 2), List.of(a, b));
        }
        return "(" + (orEqual ? "<=" : "<") + " " + position(line, a) + " " + position(line, b) + ")";
    }

    /** The position of a term on a line. */
    String position(String line, String term) {
        // On the line of a key function constants have no place: what the collation makes of them is not known.
        Value value = values.get(term);
        BigDecimal position = value == null || line.startsWith("key:") ? null : Ordering.position(value);
        lines.computeIfAbsent(line, key -> new LinkedHashSet<>()).add(term);
        return position == null ? "(" + at(line) + " " + term + ")" : decimal(position);
    }

    private String at(String line) {
        return symbols.computeIfAbsent("line " + line, id -> unique("at." + line));
    }

    /** SMT-LIB has neither a minus sign nor whole numbers among the reals. */
    static String decimal(BigDecimal number) {
        String text = number.abs().toPlainString();
        String real = text.contains(".") ? text : text + ".0";
        return number.signum() < 0 ? "(- " + real + ")" : real;
    }

    /** Whether the script speaks of the term's position on a line. */
    boolean hasPosition(String line, String term) {
        return lines.getOrDefault(line, Set.of()).contains(term);
    }

    /** Terms with a position, by line. */
    Map<String, Set<String>> lines() {
        return Collections.unmodifiableMap(lines);
    }

    /** Applied functions by term. */
    Map<String, Application> applications() {
        return Collections.unmodifiableMap(applications);
    }

    /** Declared constants, Boolean ones too. */
    List<String> constants() {
        return Collections.unmodifiableList(constants);
    }

    /**
     * Whether numbers are part of the script.
     *
     * <p>Scripts without arithmetic are in a simpler logic.
     */
    boolean usesNumbers() {
        return !lines.isEmpty();
    }

    /** Everything that goes before the assertions: declarations and what is known of values and orders. */
    String prelude() {
        // Statements about all values need quantifiers; the bounded form must not have any.
        boolean quantified = !forDatabases;
        StringBuilder text = new StringBuilder(declarations.length() + 400);
        text.append("(declare-sort ").append(SORT).append(" 0)\n");
        text.append("(declare-const ").append(NULL).append(' ').append(SORT).append(")\n");
        for (String line : lines.keySet()) {
            text.append("(declare-fun ")
                    .append(at(line))
                    .append(" (")
                    .append(SORT)
                    .append(") Real)\n");
            text.append("(declare-fun ")
                    .append(at(line))
                    .append(".back (Real) ")
                    .append(SORT)
                    .append(")\n");
        }
        text.append(declarations);
        appendDifferences(text);
        lines.forEach((line, terms) -> appendLine(text, line, quantified ? null : terms));
        if (quantified) {
            keyFunctions.forEach(function -> appendStrictness(text, function));
        }
        return text.toString();
    }

    private void appendDifferences(StringBuilder text) {
        if (forDatabases) {
            if (names.size() > 1) {
                text.append("(assert ")
                        .append(Logic.apply("distinct", names.values()))
                        .append(")\n");
            }
            return;
        }
        // Not all in one distinct: of values of different kinds it is not known.
        List<List<Value>> groups = new ArrayList<>();
        for (Value value : names.keySet()) {
            if (!value.isNull()) {
                List<Value> group = groups.stream()
                        .filter(candidate -> candidate.stream().allMatch(value::isKnownToDifferFrom))
                        .findFirst()
                        .orElse(null);
                if (group == null) {
                    group = new ArrayList<>(List.of(Value.NULL));
                    groups.add(group);
                }
                group.add(value);
            }
        }
        for (List<Value> group : groups) {
            List<String> members = group.stream().map(this::value).toList();
            text.append("(assert ").append(Logic.apply("distinct", members)).append(")\n");
        }
    }

    /** Positions are those of the values, and two values (or two of {@code terms}) never share one. */
    private void appendLine(StringBuilder text, String line, @Nullable Set<String> terms) {
        String at = at(line);
        names.forEach((value, name) -> {
            if (value.kind().name().equals(line)) {
                BigDecimal position = Ordering.position(value);
                if (position != null) {
                    text.append("(assert (= (")
                            .append(at)
                            .append(' ')
                            .append(name)
                            .append(") ");
                    text.append(decimal(position)).append("))\n");
                }
            }
        });
        // at has an inverse: two values of one position are one value. That makes the order total without speaking
        // of pairs.
        if (terms == null) {
            text.append("(assert (forall ((x V)) (! (= (")
                    .append(at)
                    .append(".back (")
                    .append(at);
            text.append(" x)) x) :pattern ((").append(at).append(" x)))))\n");
        } else {
            for (String term : terms) {
                text.append("(assert (= (")
                        .append(at)
                        .append(".back (")
                        .append(at)
                        .append(' ')
                        .append(term);
                text.append(")) ").append(term).append("))\n");
            }
        }
    }

    /**
     * The same as the chase's {@code Application.isStrict}. The pattern keeps solvers from instantiating it for each
     * term.
     */
    private static void appendStrictness(StringBuilder text, String function) {
        text.append("(assert (forall ((x V)) (! (= (= (").append(function).append(" x) null) (= x null)) :pattern ((");
        text.append(function).append(" x)))))\n");
    }

    /** Everything before the first assertion: solvers want symbols declared before they are used. */
    private void declare(String name, int arity, String result) {
        if (arity == 0) {
            constants.add(name);
        }
        declarations.append("(declare-fun ").append(name).append(" (");
        declarations.append(String.join(" ", Collections.nCopies(arity, SORT)));
        declarations.append(") ").append(result).append(")\n");
    }

    private String unique(String hint) {
        StringBuilder plain = new StringBuilder(hint.length());
        for (int i = 0; i < hint.length(); i++) {
            char c = hint.charAt(i);
            boolean isPlain = c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '.');
            // Names of tables and columns may have any character; hints are for people who read scripts.
            plain.append(isPlain ? c : '_');
        }
        String base = hint.isEmpty() || !Character.isLetter(plain.charAt(0)) ? "t" + plain : plain.toString();
        String name = base;
        for (int i = 2; !taken.add(name); i++) {
            name = base + "~" + i;
        }
        return name;
    }
}
