package io.leeway.privoxy.internal.refute;

import io.leeway.privoxy.internal.model.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Meanings of functions, for evaluation. A key function wraps its argument, so that comparing the wrapped values can
 * stay undetermined where a collation might call different values equal. Of any other function only those applications
 * have a value that were given one.
 *
 * <p>Not thread-safe.
 *
 * <p>A function that nobody gave a meaning makes the pair not evaluable rather than wrong: which value the database
 * would compute is not known.
 */
final class Functions {

    private record Application(String symbol, List<Value> arguments) {}

    private final Map<Application, Value> results = new HashMap<>();
    private final Set<String> used = new TreeSet<>();

    /** Gives an application a value. */
    void put(String symbol, List<Value> arguments, Value result) {
        Value present = results.putIfAbsent(new Application(symbol, List.copyOf(arguments)), result);
        if (present != null && !present.equals(result)) {
            throw new NotEvaluable("a function has two values");
        }
    }

    Value apply(String symbol, List<Value> arguments) {
        if (symbol.startsWith("key:") && arguments.size() == 1) {
            return Comparisons.wrap(symbol, arguments.get(0));
        }
        Value result = results.get(new Application(symbol, arguments));
        if (result == null) {
            throw new NotEvaluable("a function has no known value");
        }
        // Told to the reader: it is a counterexample only for this meaning.
        used.add(symbol);
        return result;
    }

    /** The functions of which a given meaning was asked for. */
    Set<String> used() {
        return used;
    }
}
