package io.leeway.privoxy.internal.guard;

import io.leeway.privoxy.internal.sql.ast.Expr;
import io.leeway.privoxy.internal.sql.ast.Name;
import io.leeway.privoxy.internal.sql.ast.Statement;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Recognises {@code SET privoxy.MyUId = 2} and {@code RESET privoxy.MyUId} (or {@code RESET privoxy}): the way to give
 * the context for an application that can send nothing but SQL. Such a text is taken by the driver and never sent.
 */
final class ContextCommands {

    private static final String PREFIX = "privoxy";

    private ContextCommands() {}

    static @Nullable ContextCommand of(List<Statement> statements) {
        // Alone in its text: what stands beside it would be decided on under the identity of before.
        if (statements.size() != 1
                || !(statements.get(0) instanceof Statement.Set set)
                || set.settings().size() != 1) {
            return null;
        }
        Statement.Setting setting = set.settings().get(0);
        List<Name> name = setting.name().parts();
        if (setting.userVariable()
                || !name.get(0).text().toLowerCase(Locale.ROOT).equals(PREFIX)) {
            return null;
        }
        // Not ours; the database says what it thinks of it.
        if (name.size() > 2
                || setting.values().size() > 1
                || (name.size() == 1 && !setting.values().isEmpty())) {
            return null;
        }
        String parameter = name.size() == 1 ? "" : name.get(1).raw();
        if (setting.values().isEmpty()) {
            return new ContextCommand(parameter, null);
        }
        Object value = value(setting.values().get(0));
        return value == null ? null : new ContextCommand(parameter, value);
    }

    /** A literal, or a bare word as PostgreSQL takes it for a text; null for anything else. */
    private static @Nullable Object value(Expr expression) {
        if (expression instanceof Expr.Literal literal) {
            Object object = Literals.object(literal);
            return object == Parameters.UNKNOWN ? null : object;
        }
        if (expression instanceof Expr.Column word && word.name().isSimple()) {
            return word.name().last().raw();
        }
        return null;
    }
}
