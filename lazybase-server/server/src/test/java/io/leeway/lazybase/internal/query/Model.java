package io.leeway.lazybase.internal.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the tables should be, computed as simply as possible: every commit is applied to a copy of everything. */
final class Model {

    /** One update: of a row by key, {@code null} values are NULL, columns that are not named are untouched. */
    record Update(Kind kind, long key, Map<String, Object> values) {}

    enum Kind {
        PUT,
        PATCH,
        DELETE,
        ADD
    }

    /** Each state of the table, after so many commits. */
    private final List<TreeMap<Long, Map<String, Object>>> states = new ArrayList<>();

    private final List<String> columns;

    Model(List<String> columns) {
        this.columns = columns;
        states.add(new TreeMap<>());
    }

    int commits() {
        return states.size() - 1;
    }

    Map<Long, Map<String, Object>> after(int commits) {
        return states.get(commits);
    }

    void forget(int commits) {
        while (states.size() - 1 > commits) {
            states.remove(states.size() - 1);
        }
    }

    void commit(List<Update> updates) {
        var next = new TreeMap<Long, Map<String, Object>>();
        states.get(states.size() - 1).forEach((key, row) -> next.put(key, new TreeMap<>(row)));
        for (Update update : updates) {
            switch (update.kind()) {
                case DELETE -> next.remove(update.key());
                case PUT -> {
                    var row = new TreeMap<String, Object>();
                    columns.forEach(column -> {
                        if (update.values().get(column) != null) {
                            row.put(column, update.values().get(column));
                        }
                    });
                    next.put(update.key(), row);
                }
                case PATCH -> {
                    Map<String, Object> row = next.computeIfAbsent(update.key(), none -> new TreeMap<>());
                    update.values().forEach((column, value) -> {
                        if (value == null) {
                            row.remove(column);
                        } else {
                            row.put(column, value);
                        }
                    });
                }
                case ADD -> {
                    Map<String, Object> row = next.computeIfAbsent(update.key(), none -> new TreeMap<>());
                    update.values()
                            .forEach((column, value) ->
                                    row.merge(column, value, (a, b) -> (Object) ((Long) a + (Long) b)));
                }
            }
        }
        states.add(next);
    }
}
