package io.leeway.privoxy.internal.fuzz.oracle;

import io.leeway.privoxy.internal.fuzz.oracle.TwinTable.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a query can name: the columns of its FROM, and those of the queries around it. */
final class Scope {

    /** How often a column is one that no view shows: rarely, as most such statements are refused. */
    private static final int HIDDEN = 12;

    /** A column as it is written here. */
    record Named(String reference, Kind kind, boolean isShown) {}

    final @Nullable Scope outer;
    final List<Named> columns = new ArrayList<>();
    /** Conditions under which views show the rows. */
    final List<String> guards = new ArrayList<>();
    /** What can stand before {@code .*}. */
    final List<String> parts = new ArrayList<>();

    Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** Also the queries around it. */
    Scope joined(Scope other) {
        columns.addAll(other.columns);
        guards.addAll(other.guards);
        parts.addAll(other.parts);
        return this;
    }

    @Nullable
    String column(Choices choices, Kind kind) {
        boolean isOuter = outer != null && choices.onceIn(4);
        Scope from = isOuter && outer != null ? outer : this;
        boolean hidden = choices.onceIn(HIDDEN);
        List<String> some = from.columns.stream()
                .filter(column -> column.kind == kind && (column.isShown || hidden))
                .map(Named::reference)
                .toList();
        return some.isEmpty() ? null : choices.pick(some);
    }

    /** Any that is shown, or a literal. */
    String any(Choices choices) {
        List<String> some =
                columns.stream().filter(Named::isShown).map(Named::reference).toList();
        return some.isEmpty() ? "1" : choices.pick(some);
    }
}
