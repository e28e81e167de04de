package io.leeway.privoxy.internal.fuzz.oracle;

import java.util.List;

/** A condition on column {@code c}, with the values of its parameters. */
record Condition(String sql, List<Bound> values) {

    Condition {
        values = List.copyOf(values);
    }
}
