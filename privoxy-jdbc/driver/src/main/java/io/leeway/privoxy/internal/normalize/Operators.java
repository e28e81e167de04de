package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import java.util.Set;

/**
 * The operators that are the database's own. PostgreSQL lets users define others, which may do anything.
 *
 * <p>An operator is a function under another name, and one of a user's own may read tables
 * ({@code NormalizerHolesTest.operatorsOfUsersAreRefused}). {@code OPERATOR(schema.+)} names it with a schema: only the
 * catalogue's is the one that is known.
 */
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
