package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Set;

/** The operators that are the database's own. PostgreSQL lets users define others, which may do anything. */
final class Operators {

    private static final Set<String> POSTGRES = Set.of(
            "+", "-", "*", "/", "%", "^", "||", "&", "|", "#", "<<", ">>", "~", "~*", "!~", "!~*", "->", "->>", "#>",
            "#>>", "#-", "@>", "<@", "?", "?|", "?&", "@?", "@@", "&&", "&<", "&>", "-|-", "<->", "|/", "||/", "@",
            "~~", "~~*", "!~~", "!~~*", "^@", "<<=", ">>=", "!!", "<^", ">^", "|>>", "<<|", "|&>", "&<|", "~=");

    private Operators() {}

    static boolean isKnown(String operator, Dialect dialect) {
        if (dialect != Dialect.POSTGRESQL || Character.isLetter(operator.charAt(0))) {
            return !operator.startsWith("OPERATOR") || operator.startsWith("OPERATOR(\"pg_catalog\".");
        }
        return POSTGRES.contains(operator);
    }
}
