package io.leeway.privoxy.internal.normalize;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.model.ColumnType;
import io.leeway.privoxy.internal.model.Key;
import io.leeway.privoxy.internal.model.Table;
import io.leeway.privoxy.internal.model.Value;
import io.leeway.privoxy.internal.model.ValueKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A few small tables with keys, nullable columns and types of several kinds, and databases that fit them. */
@SuppressWarnings("ReferenceEquality") // The constants of this class are meant themselves.
final class RandomSchema {

    static final ColumnType INTEGER = ColumnType.integer("INTEGER");
    static final ColumnType TEXT = ColumnType.exact(ValueKind.TEXT, "CHARACTER VARYING");
    static final ColumnType TRUTH = ColumnType.exact(ValueKind.BOOLEAN, "BOOLEAN");
    static final ColumnType FOLDED = ColumnType.inexact(ValueKind.TEXT, "ci", "VARCHAR_IGNORECASE");

    private static final String SCHEMA = "S";

    private final RandomGenerator random;
    private final Map<String, Table> tables = new LinkedHashMap<>();

    RandomSchema(RandomGenerator random) {
        this.random = random;
        for (int i = 0; i < 2 + random.nextInt(2); i++) {
            Table table = table("T" + i);
            tables.put(table.name(), table);
        }
    }

    List<Table> tables() {
        return List.copyOf(tables.values());
    }

    Table named(String name) {
        return tables.get(SCHEMA + "." + name);
    }

    /** Whether strings that differ by case are equal somewhere, so that what DISTINCT shows is not determined. */
    boolean foldsCase() {
        return tables().stream().flatMap(table -> table.columns().stream()).anyMatch(column -> column.type() == FOLDED);
    }

    private Table table(String name) {
        int width = 2 + random.nextInt(3);
        int keyColumns = random.nextInt(8) == 0 ? 0 : random.nextInt(4) == 0 ? 2 : 1;
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            ColumnType type = i < keyColumns ? keyType() : type();
            columns.add(new Column("C" + i, type, i >= keyColumns && random.nextInt(3) > 0));
        }
        List<Key> keys = new ArrayList<>();
        if (keyColumns > 0) {
            keys.add(new Key(name + "_PK", keyColumns == 1 ? List.of(0) : List.of(0, 1), false));
        }
        if (random.nextInt(3) == 0) {
            keys.add(new Key(name + "_U", List.of(width - 1), true));
        }
        return new Table(SCHEMA + "." + name, columns, keys, List.of());
    }

    private ColumnType keyType() {
        return random.nextInt(6) == 0 ? FOLDED : random.nextInt(4) == 0 ? TEXT : INTEGER;
    }

    private ColumnType type() {
        return switch (random.nextInt(10)) {
            case 0, 1 -> TEXT;
            case 2, 3 -> TRUTH;
            case 4 -> random.nextInt(3) == 0 ? FOLDED : TEXT;
            default -> INTEGER;
        };
    }

    // --- databases ---------------------------------------------------------------------------------------------------

    Rows database() {
        Map<String, List<List<Value>>> contents = new LinkedHashMap<>();
        for (Table table : tables()) {
            List<List<Value>> rows = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                add(table, rows, row(table));
            }
            contents.put(table.name(), rows);
        }
        return new Rows(contents);
    }

    /** The same database with one to three rows added, removed or changed. */
    Rows mutated(Rows original) {
        Map<String, List<List<Value>>> contents = new LinkedHashMap<>();
        original.tables().forEach((name, rows) -> contents.put(name, new ArrayList<>(rows)));
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            Table table = tables().get(random.nextInt(tables().size()));
            mutate(table, contents.get(table.name()));
        }
        return new Rows(contents);
    }

    private void mutate(Table table, List<List<Value>> rows) {
        int kind = random.nextInt(4);
        if (kind == 0 || rows.isEmpty()) {
            add(table, rows, row(table));
            return;
        }
        List<Value> old = rows.remove(random.nextInt(rows.size()));
        if (kind > 1) {
            List<Value> changed = new ArrayList<>(old);
            int column = random.nextInt(changed.size());
            changed.set(column, value(table.columns().get(column)));
            if (!add(table, rows, changed)) {
                rows.add(old);
            }
        }
    }

    /** Adds a row unless a key or an equal row is in the way. */
    private boolean add(Table table, List<List<Value>> rows, List<Value> row) {
        Set<Object> taken = new HashSet<>();
        for (List<Value> other : rows) {
            taken.add(other);
            for (Key key : table.keys()) {
                taken.add(image(table, key, other));
            }
        }
        boolean free = !taken.contains(row);
        for (Key key : table.keys()) {
            boolean exempt =
                    key.columns().stream().anyMatch(column -> row.get(column).isNull());
            free &= exempt || !taken.contains(image(table, key, row));
        }
        return free && rows.add(row);
    }

    private static Object image(Table table, Key key, List<Value> row) {
        List<Object> image = new ArrayList<>();
        image.add(key.name());
        for (int column : key.columns()) {
            boolean folds = table.columns().get(column).type() == FOLDED;
            image.add(folds ? row.get(column).raw().toString().toLowerCase(java.util.Locale.ROOT) : row.get(column));
        }
        return image;
    }

    private List<Value> row(Table table) {
        return table.columns().stream().map(this::value).toList();
    }

    private Value value(Column column) {
        return column.nullable() && random.nextInt(4) == 0 ? Value.NULL : value(column.type());
    }

    Value value(ColumnType type) {
        return switch (type.kind()) {
            case NUMBER -> Value.of(random.nextInt(4));
            case BOOLEAN -> Value.of(random.nextBoolean());
            default -> Value.of(List.of("a", "b", "A", "ab").get(random.nextInt(4)));
        };
    }

    // --- DDL ---------------------------------------------------------------------------------------------------------

    List<String> ddl(String schema) {
        List<String> statements = new ArrayList<>();
        for (Table table : tables()) {
            var text = new StringBuilder("CREATE TABLE " + schema + "." + simpleName(table) + " (");
            for (Column column : table.columns()) {
                text.append(column.name()).append(' ').append(column.type().sqlName());
                text.append(column.nullable() ? ", " : " NOT NULL, ");
            }
            for (Key key : table.keys()) {
                text.append(key.name().endsWith("_PK") ? "PRIMARY KEY (" : "UNIQUE (");
                text.append(String.join(
                        ", ",
                        key.columns().stream()
                                .map(i -> table.columns().get(i).name())
                                .toList()));
                text.append("), ");
            }
            statements.add(text.substring(0, text.length() - 2) + ")");
        }
        return statements;
    }

    static String simpleName(Table table) {
        return table.name().substring(table.name().indexOf('.') + 1);
    }

    TableResolver resolver() {
        return (name, searchPath) -> {
            Table table = named(name.get(name.size() - 1));
            return table == null ? new TableResolver.Unknown(null) : new TableResolver.BaseTable(table);
        };
    }
}
