package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.ValueKind;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Expr.LiteralKind;
import io.leeway.privoxy.internal.sql.ast.TypeName;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Types of results, for the few operations where it is certain and useful to know. A result without a type is compared
 * by functions that nothing is assumed of, which is always right.
 *
 * <p>Useful is what conditions of policies and statements are made of: {@code lower(email) = ?}, {@code length(x) > 3},
 * {@code CAST(? AS uuid)}. A type that is wrong would compare by identity what the database does not, which is why the
 * list is short.
 */
final class ResultSorts {

    // By the names under which OperationReader writes them.
    private static final Set<String> TRUTH = Set.of(
            "=",
            "<>",
            "<",
            "<=",
            ">",
            ">=",
            "and",
            "or",
            "not",
            "xor",
            "is null",
            "is not null",
            "in",
            "between",
            "like",
            "ilike",
            "similar to",
            "regexp",
            "starts_with",
            "json_exists",
            "jsonb_path_exists",
            "regexp_like",
            "is distinct",
            "is true",
            "is false",
            "is unknown");
    // Not on other functions whose number is whole, as nobody compares these in a policy.
    private static final Set<String> WHOLE =
            Set.of("length", "char_length", "character_length", "octet_length", "strpos");
    private static final Set<String> SAME_TEXT =
            Set.of("lower", "upper", "trim", "ltrim", "rtrim", "replace", "substring", "substr", "left", "right");
    static final ColumnType TEXT = ColumnType.exact(ValueKind.TEXT, "text");
    private static final ColumnType INTEGER = ColumnType.integer("integer");

    private ResultSorts() {}

    /** The sort of an operation's result, or null if it is not certain. */
    static @Nullable Sort of(String name, List<? extends Operand> operands, Dialect dialect) {
        if (TRUTH.contains(name)) {
            return Sort.BOOLEAN;
        }
        if (WHOLE.contains(name)) {
            return isDistance(name, operands, dialect) ? null : Sort.INTEGER;
        }
        // On MariaDB the result's collation may be the connection's, under which more is equal.
        if (SAME_TEXT.contains(name) && dialect != Dialect.MARIADB) {
            ColumnType type = typeOf(operands.get(0));
            return type != null && type.kind() == ValueKind.TEXT && type.hasExactEquality()
                    ? new Sort.Typed(TEXT)
                    : null;
        }
        return switch (name) {
            // Not /, which is whole to some and not to others.
            case "+", "-", "*" -> operands.stream().allMatch(ResultSorts::isWhole) ? Sort.INTEGER : null;
            case "coalesce" -> common(operands);
            case "||" -> isText(operands, dialect) ? new Sort.Typed(TEXT) : null;
            default -> null;
        };
    }

    /** Of PostgreSQL's segments and paths the length has a fraction. */
    private static boolean isDistance(String name, List<? extends Operand> operands, Dialect dialect) {
        if (!dialect.has(DialectRule.LENGTH_MAY_BE_A_DISTANCE) || !name.equals("length")) {
            return false;
        }
        ColumnType type = typeOf(operands.get(0));
        return type == null
                ? literalKind(operands.get(0)) != LiteralKind.STRING
                : type.kind() != ValueKind.TEXT && type.kind() != ValueKind.BYTES;
    }

    /**
     * The type that the other side of a lifted literal is expected to have inside a function, or null for any.
     *
     * <p>So that {@code lower('A')} in a policy and {@code lower(?)} with a lifted literal in a statement are one
     * function of one type.
     */
    static @Nullable ColumnType ofLiteral(LiteralKind kind) {
        return switch (kind) {
            case INTEGER -> INTEGER;
            case STRING -> TEXT;
            case BOOLEAN -> ColumnType.exact(ValueKind.BOOLEAN, "boolean");
            default -> null;
        };
    }

    /**
     * The type that a cast to this name has, if a value that already is of the type passes through it unchanged; null
     * for the others (lengths and scales cut, MariaDB's CHAR takes the connection's collation).
     */
    static @Nullable ColumnType ofCast(TypeName type, Dialect dialect) {
        if (!type.modifiers().isEmpty()
                || type.dimensions() > 0
                || !type.schema().isEmpty()) {
            return null;
        }
        return switch (type.name()) {
            case "integer", "int", "int4" -> INTEGER;
            case "bigint", "int8", "signed", "signed integer" -> ColumnType.integer("bigint");
            case "smallint", "int2" -> ColumnType.integer("smallint");
            case "text", "varchar", "character varying" -> dialect == Dialect.MARIADB ? null : TEXT;
            case "uuid" -> ColumnType.exact(ValueKind.UUID, "uuid");
            case "boolean", "bool" -> ColumnType.exact(ValueKind.BOOLEAN, "boolean");
            case "date" -> ColumnType.exact(ValueKind.DATE, "date");
            default -> null;
        };
    }

    private static @Nullable Sort common(List<? extends Operand> operands) {
        ColumnType type = typeOf(operands.get(0));
        boolean same = type != null
                && operands.stream().allMatch(operand -> type.equals(typeOf(operand)) || isLiteralOf(operand, type));
        return same && type != null ? new Sort.Typed(type) : null;
    }

    private static boolean isLiteralOf(Operand operand, ColumnType type) {
        LiteralKind kind = literalKind(operand);
        if (kind == LiteralKind.STRING) {
            return isVarying(type);
        }
        return kind == LiteralKind.BOOLEAN ? type.kind() == ValueKind.BOOLEAN : isWhole(operand) && type.whole();
    }

    private static boolean isText(List<? extends Operand> operands, Dialect dialect) {
        return dialect != Dialect.MARIADB
                && operands.stream()
                        .allMatch(operand -> isVarying(typeOf(operand)) || literalKind(operand) == LiteralKind.STRING);
    }

    private static boolean isVarying(@Nullable ColumnType type) {
        return type != null && type.kind() == ValueKind.TEXT && type.hasExactEquality();
    }

    private static boolean isWhole(Operand operand) {
        ColumnType type = typeOf(operand);
        return type == null ? literalKind(operand) == LiteralKind.INTEGER : type.whole();
    }

    private static @Nullable LiteralKind literalKind(Operand operand) {
        if (operand instanceof Operand.Plain plain) {
            return plain.sort() instanceof Sort.OfLiteral literal
                    ? literal.kind()
                    : plain.sort() instanceof Sort.OfSlot slot ? slot.kind() : null;
        }
        return null;
    }

    private static @Nullable ColumnType typeOf(Operand operand) {
        return operand instanceof Operand.Plain plain ? plain.sort().type() : null;
    }
}
