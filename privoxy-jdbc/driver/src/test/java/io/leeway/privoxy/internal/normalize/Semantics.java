package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** What the functions mean that the checker leaves uninterpreted: as H2 computes them, for the test's evaluator. */
final class Semantics {

    private static final Set<String> COMPARISONS =
            Set.of("=", "<>", "<", "<=", ">", ">=", "in", "= any", "between", "is distinct", "nullif", "case of");

    private Semantics() {}

    static Value apply(String symbol, List<Value> arguments) {
        if (symbol.equals("key:ci")) {
            return fold(arguments.get(0));
        }
        String name = symbol.substring(symbol.indexOf(':') + 1, symbol.indexOf('('));
        List<Value> operands = symbol.contains("/ci") && COMPARISONS.contains(name.replace("cmp:", ""))
                ? arguments.stream().map(Semantics::fold).toList()
                : arguments;
        return name.startsWith("cmp:") ? compare(name.substring(4), operands) : function(name, operands);
    }

    private static Value fold(Value value) {
        if (value.raw() instanceof List<?> list) {
            return Value.of(
                    ValueKind.OPAQUE,
                    list.stream().map(element -> fold((Value) element)).toList());
        }
        if (value.kind() != ValueKind.TEXT) {
            return value;
        }
        return value.isNull() ? value : Value.of(value.raw().toString().toLowerCase(Locale.ROOT));
    }

    private static Value function(String name, List<Value> a) {
        return switch (name) {
            case "+", "-", "*" -> arithmetic(name, a);
            case "unary -" -> a.get(0).isNull() ? Value.NULL : Value.of(-number(a.get(0)));
            case "||" -> concat(a);
            case "lower" -> fold(a.get(0));
            case "length", "char_length" ->
                a.get(0).isNull() ? Value.NULL : Value.of(text(a.get(0)).length());
            case "abs" -> a.get(0).isNull() ? Value.NULL : Value.of(Math.abs(number(a.get(0))));
            case "coalesce", "coalesce with others" ->
                a.stream().filter(v -> !v.isNull()).findFirst().orElse(Value.NULL);
            case "nullif" -> Value.TRUE.equals(compare("=", a)) ? Value.NULL : a.get(0);
            case "case" -> searchedCase(a);
            case "case of" -> simpleCase(a);
            case "like" -> like(a);
            case "row" -> Value.of(ValueKind.OPAQUE, a.toString());
            default -> condition(name, a);
        };
    }

    private static Value condition(String name, List<Value> a) {
        return switch (name) {
            case "and" -> and(a);
            case "or" -> not(and(a.stream().map(Semantics::not).toList()));
            case "not" -> not(a.get(0));
            case "is null" -> Value.of(a.get(0).isNull());
            case "is not null" -> Value.of(!a.get(0).isNull());
            case "is true" -> Value.of(Value.TRUE.equals(a.get(0)));
            case "is false" -> Value.of(Value.FALSE.equals(a.get(0)));
            case "is unknown" -> Value.of(a.get(0).isNull());
            case "is distinct" -> Value.of(!same(a.get(0), a.get(1)));
            case "between" -> and(List.of(compare(">=", a), compare("<=", List.of(a.get(0), a.get(2)))));
            case "in" -> in(a);
            case "= any" -> any(a);
            default -> compare(name, a);
        };
    }

    private static boolean same(Value a, Value b) {
        return a.isNull() || b.isNull() ? a.isNull() && b.isNull() : Value.TRUE.equals(compare("=", List.of(a, b)));
    }

    private static Value in(List<Value> a) {
        List<Value> equalities = new ArrayList<>();
        for (Value option : a.subList(1, a.size())) {
            equalities.add(not(compare("=", List.of(a.get(0), option))));
        }
        return not(and(equalities));
    }

    private static Value any(List<Value> a) {
        List<Value> options = new ArrayList<>(List.of(a.get(0)));
        ((List<?>) a.get(1).raw()).forEach(option -> options.add((Value) option));
        return in(options);
    }

    private static Value and(List<Value> a) {
        if (a.contains(Value.FALSE)) {
            return Value.FALSE;
        }
        return a.contains(Value.NULL) ? Value.NULL : Value.TRUE;
    }

    private static Value not(Value a) {
        return a.isNull() ? a : Value.of(Value.FALSE.equals(a));
    }

    @SuppressWarnings("unchecked")
    static Value compare(String operator, List<Value> a) {
        if (a.get(0).isNull() || a.get(1).isNull()) {
            return Value.NULL;
        }
        Object left = a.get(0).raw();
        Object right = a.get(1).raw();
        int order = left instanceof Long || left instanceof BigDecimal
                ? decimal(left).compareTo(decimal(right))
                : ((Comparable<Object>) left).compareTo(right);
        return Value.of(
                switch (operator) {
                    case "=" -> order == 0;
                    case "<>" -> order != 0;
                    case "<" -> order < 0;
                    case "<=" -> order <= 0;
                    case ">" -> order > 0;
                    case ">=" -> order >= 0;
                    default -> throw new IllegalArgumentException("no meaning for " + operator);
                });
    }

    private static BigDecimal decimal(Object raw) {
        return raw instanceof Long whole ? BigDecimal.valueOf(whole) : (BigDecimal) raw;
    }

    private static Value arithmetic(String operator, List<Value> a) {
        if (a.get(0).isNull() || a.get(1).isNull()) {
            return Value.NULL;
        }
        long left = number(a.get(0));
        long right = number(a.get(1));
        return Value.of(operator.equals("+") ? left + right : operator.equals("-") ? left - right : left * right);
    }

    private static Value concat(List<Value> a) {
        boolean nothing = a.get(0).isNull() || a.get(1).isNull();
        return nothing ? Value.NULL : Value.of(text(a.get(0)) + text(a.get(1)));
    }

    private static Value searchedCase(List<Value> a) {
        for (int i = 0; i + 1 < a.size(); i += 2) {
            if (Value.TRUE.equals(a.get(i))) {
                return a.get(i + 1);
            }
        }
        return a.size() % 2 == 1 ? a.get(a.size() - 1) : Value.NULL;
    }

    private static Value simpleCase(List<Value> a) {
        for (int i = 1; i + 1 < a.size(); i += 2) {
            if (Value.TRUE.equals(compare("=", List.of(a.get(0), a.get(i))))) {
                return a.get(i + 1);
            }
        }
        return a.size() % 2 == 0 ? a.get(a.size() - 1) : Value.NULL;
    }

    private static Value like(List<Value> a) {
        if (a.get(0).isNull() || a.get(1).isNull()) {
            return Value.NULL;
        }
        String pattern = Pattern.quote(text(a.get(1))).replace("%", "\\E.*\\Q").replace("_", "\\E.\\Q");
        return Value.of(text(a.get(0)).matches(pattern));
    }

    private static long number(Value value) {
        return (Long) value.raw();
    }

    private static String text(Value value) {
        return value.raw().toString();
    }
}
