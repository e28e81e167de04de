package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.privoxy.internal.sql.DialectRule;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.QualifiedName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Functions and procedures that may be called although nothing is known of them. Named as SQL names them: a part in
 * double quotes is taken as it stands, another as the database folds it. A name with a schema allows calls with that
 * schema, one without allows calls without.
 *
 * <p>Set by the operator ({@code privoxyFunctions}), for functions of the application's own that the driver cannot look
 * into. A statement that calls one counts as a write of unknown tables, and all facts go ({@link Normalizer}); its
 * arguments are revealed to it, and its result counts as a scalar function of them. It must therefore not be an
 * aggregate, nor read tables that its callers may not (see the limits page).
 *
 * <p>A name with a schema and one without are kept apart, because the database looks the second up in the search path,
 * which the session may choose: {@code app.f} being allowed says nothing of what {@code f} means.
 */
public final class AllowedFunctions {

    /** None. */
    public static final AllowedFunctions NONE = new AllowedFunctions(Dialect.H2, Set.of());

    private final Dialect dialect;
    private final Set<List<String>> names;

    private AllowedFunctions(Dialect dialect, Set<List<String>> names) {
        this.dialect = dialect;
        this.names = Set.copyOf(names);
    }

    /**
     * The functions of a list.
     *
     * @throws IllegalArgumentException if a name cannot be read
     */
    public static AllowedFunctions of(List<String> list, Dialect dialect) {
        Set<List<String>> names = new HashSet<>();
        list.forEach(text -> names.add(parts(text, dialect)));
        return new AllowedFunctions(dialect, names);
    }

    boolean has(QualifiedName name) {
        if (names.isEmpty()) {
            return false;
        }
        List<String> parts = new ArrayList<>();
        for (Name part : name.parts()) {
            // MariaDB finds functions whatever the case of their names. The others have folded an unquoted name in the
            // lexer already, and a quoted one is meant as it stands.
            parts.add(dialect.has(DialectRule.NAMES_IGNORE_CASE) ? part.text().toLowerCase(Locale.ROOT) : part.text());
        }
        return names.contains(parts);
    }

    private static List<String> parts(String text, Dialect dialect) {
        List<String> parts = new ArrayList<>();
        int i = 0;
        do {
            boolean quoted = i < text.length() && text.charAt(i) == '"';
            int end = text.indexOf(quoted ? '"' : '.', quoted ? i + 1 : i);
            end = end < 0 ? text.length() : end;
            String part = text.substring(quoted ? i + 1 : i, end);
            // An empty part or a quote that is not closed: this comes from a configuration, and a list that is silently
            // read otherwise than it was meant would allow another function.
            if (part.isBlank() || (quoted && end == text.length())) {
                throw new IllegalArgumentException("not the name of a function: " + text);
            }
            parts.add(quoted && !dialect.has(DialectRule.NAMES_IGNORE_CASE) ? part : folded(part.strip(), dialect));
            i = quoted ? end + 1 : end;
            if (i < text.length() && text.charAt(i) != '.') {
                throw new IllegalArgumentException("not the name of a function: " + text);
            }
        } while (i++ < text.length() - 1);
        return List.copyOf(parts);
    }

    /** As the lexers fold, so that a name of the list and one of a text are compared in the same spelling. */
    private static String folded(String part, Dialect dialect) {
        return dialect.has(DialectRule.NAMES_IGNORE_CASE) ? part.toLowerCase(Locale.ROOT) : dialect.folded(part);
    }
}
