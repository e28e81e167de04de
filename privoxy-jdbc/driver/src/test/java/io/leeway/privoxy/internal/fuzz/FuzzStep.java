package io.leeway.privoxy.internal.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One step of a scenario. All that it does follows from its fields, so that a scenario stays the same scenario when others
 * of its steps are left out.
 *
 * @param kind what is done
 * @param request number of the request that does it
 * @param connection number of the checked connection
 * @param texts what is run, or names
 * @param choice picks among the ways to do it
 * @param values of parameters
 */
record FuzzStep(Kind kind, int request, int connection, List<String> texts, int choice, List<Object> values) {

    /** What a step does. */
    enum Kind {
        QUERY,
        PREPARED,
        PARTIAL,
        SCROLL,
        UPDATABLE,
        WRITE,
        KEYS,
        BATCH,
        VALUES,
        MULTI,
        SET,
        AUTO_COMMIT,
        COMMIT,
        ROLLBACK,
        SAVEPOINT,
        ROLLBACK_TO,
        RELEASE,
        ISOLATION,
        READ_ONLY,
        SCHEMA,
        RECONNECT,
        OLD_HANDLE,
        NEXT_REQUEST,
        KEEP,
        RUN_KEPT,
        XA,
        DDL,
        GUESS,
        TWO_THREADS,
        WRITER
    }

    FuzzStep {
        texts = List.copyOf(texts);
        values = List.copyOf(values);
    }

    /** As a line that can be kept as a regression case. */
    @Override
    public String toString() {
        String what = texts.stream().collect(Collectors.joining(" ;; "));
        String with = values.isEmpty()
                ? ""
                : values.stream().map(FuzzStep::shown).collect(Collectors.joining(", ", " <- ", ""));
        return kind + " request " + request + " connection " + connection + " #" + choice + ": " + what + with;
    }

    private static String shown(Object value) {
        return value.getClass().getSimpleName() + " " + value;
    }
}
