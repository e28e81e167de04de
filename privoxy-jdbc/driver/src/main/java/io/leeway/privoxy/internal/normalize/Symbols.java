package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Condition;
import io.leeway.privoxy.internal.model.Term;
import io.leeway.privoxy.internal.model.UnionQuery;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.List;

/**
 * Names of uninterpreted functions. A name tells the operation and the types that it is applied to, since the same
 * operator is another function on other types ({@code 5/2} is 2 or 2.5). Its prefix tells how long it keeps its
 * meaning: {@code fn:} for ever, {@code session:} while the session's settings stay, {@code now:} during a statement.
 *
 * <p>The prefix is what lets facts outlive a statement: a row that was found by {@code session:to_char(…)} says
 * something under the settings of then only, one found by {@code now:} nothing afterwards.
 */
final class Symbols {

    private static final String PURE = "fn:";
    private static final String SESSION = Term.Function.SESSION;
    private static final String NOW = Term.Function.NOW;
    private static final String COMPARISON = "cmp:";
    private static final String KEY = "key:";

    private Symbols() {}

    /** An operation on these operands, none of them hidden. */
    static String of(FunctionKind kind, String name, List<? extends Operand> operands) {
        return prefix(kind, operands) + name + tags(operands);
    }

    /**
     * A comparison that is not identity.
     *
     * <p>Between two databases that agree on both sides it has one outcome; that a policy's view and a statement ask
     * for the same one shows by the same name.
     */
    static String comparison(String operator, Operand.Plain left, Operand.Plain right) {
        List<Operand.Plain> operands = List.of(left, right);
        String prefix = operands.stream().anyMatch(Symbols::isUnsteady) ? SESSION : "";
        return prefix + COMPARISON + operator + tags(operands);
    }

    /** Whether conditions on such terms still mean the same later in the request, so that they may be remembered. */
    static boolean isSteady(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            return isSteady(comparison.left()) && isSteady(comparison.right());
        }
        if (condition instanceof Condition.NullTest test) {
            return isSteady(test.term());
        }
        return isSteady(((Condition.OneOf) condition).term());
    }

    /** Whether a query gives the same whatever the time and the settings of the session. */
    static boolean isSteady(UnionQuery union) {
        return union.disjuncts().stream()
                .allMatch(query -> query.conditions().stream().allMatch(Symbols::isSteady)
                        && query.head().stream().allMatch(Symbols::isSteady));
    }

    /**
     * Whether a function takes part in a query, other than one by which values are compared for equality.
     *
     * <p>On MariaDB {@code sql_mode} (PAD_CHAR_TO_FULL_LENGTH for one) decides what a function is given, so a view with
     * any call depends on the session ({@link PolicyCompiler}).
     */
    static boolean calls(UnionQuery union) {
        return union.disjuncts().stream()
                .anyMatch(query -> query.conditions().stream().anyMatch(Symbols::calls)
                        || query.head().stream().anyMatch(Symbols::calls));
    }

    private static boolean calls(Condition condition) {
        if (condition instanceof Condition.Comparison comparison) {
            return calls(comparison.left()) || calls(comparison.right());
        }
        if (condition instanceof Condition.NullTest test) {
            return calls(test.term());
        }
        return calls(((Condition.OneOf) condition).term());
    }

    private static boolean calls(Term term) {
        return term instanceof Term.Function function
                && (!function.symbol().startsWith(KEY)
                        || function.arguments().stream().anyMatch(Symbols::calls));
    }

    private static boolean isSteady(Term term) {
        if (term instanceof Term.Function function) {
            return Term.Function.isSteady(function.symbol())
                    && function.arguments().stream().allMatch(Symbols::isSteady);
        }
        return true;
    }

    private static String prefix(FunctionKind kind, List<? extends Operand> operands) {
        if (kind == FunctionKind.NOW) {
            return NOW;
        }
        boolean steady = kind == FunctionKind.PURE || kind == FunctionKind.STRICT;
        return steady && operands.stream().noneMatch(Symbols::isUnsteady) ? PURE : SESSION;
    }

    /**
     * A JDBC parameter's type is the driver's choice, and times are read in the session's zone and format.
     *
     * <p>{@code length(created_at)} depends on how the time is written, which the session chooses.
     */
    private static boolean isUnsteady(Operand operand) {
        Sort sort = ((Operand.Plain) operand).sort();
        if (sort instanceof Sort.Typed typed) {
            ValueKind kind = typed.type().kind();
            return kind != ValueKind.NUMBER
                    && kind != ValueKind.TEXT
                    && kind != ValueKind.BOOLEAN
                    && kind != ValueKind.UUID
                    && kind != ValueKind.OPAQUE;
        }
        return sort instanceof Sort.OfSlot slot && slot.kind() == null;
    }

    private static String tags(List<? extends Operand> operands) {
        var text = new StringBuilder("(");
        for (int i = 0; i < operands.size(); i++) {
            text.append(i == 0 ? "" : ",")
                    .append(((Operand.Plain) operands.get(i)).sort().tag());
        }
        return text.append(')').toString();
    }
}
