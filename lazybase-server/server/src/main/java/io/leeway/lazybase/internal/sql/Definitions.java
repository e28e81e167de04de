package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.model.Catalog;
import io.leeway.lazybase.internal.model.Column;
import io.leeway.lazybase.internal.model.ColumnType;
import io.leeway.lazybase.internal.model.Reference;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.pipeline.Pipeline;
import io.leeway.lazybase.internal.sql.Statement.ColumnDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Creates, changes and drops tables and views, on a live system. Stateless. */
final class Definitions {

    private static final int MOST_COLUMNS = 1_000;
    private static final int MOST_VIEWS = 256;
    private static final int LONGEST_NAME = 63;

    private Definitions() {}

    /** Does what a statement says, and says what was done. */
    static Result run(Engine engine, Statement statement) {
        var pipeline = engine.pipeline();
        if (statement instanceof Statement.CreateTable create) {
            create(pipeline, create);
            return new Result.Done("CREATE TABLE");
        } else if (statement instanceof Statement.CreateView create) {
            createView(pipeline, create);
            return new Result.Done("CREATE INDEX");
        } else if (statement instanceof Statement.DropTable drop) {
            drop(pipeline, drop);
            return new Result.Done("DROP TABLE");
        } else if (statement instanceof Statement.DropView drop) {
            dropView(pipeline, drop);
            return new Result.Done("DROP INDEX");
        } else if (statement instanceof Statement.Truncate truncate) {
            truncate(pipeline, truncate);
            return new Result.Done("TRUNCATE TABLE");
        } else if (statement instanceof Statement.CreateIngest create) {
            engine.ingests().create(create);
            return new Result.Done("CREATE INGEST");
        } else if (statement instanceof Statement.DropIngest drop) {
            engine.ingests().drop(drop.name(), drop.ifExists());
            return new Result.Done("DROP INGEST");
        } else if (statement instanceof Statement.AddColumn add) {
            addColumn(pipeline, add);
        } else if (statement instanceof Statement.DropColumn drop) {
            dropColumn(pipeline, drop);
        } else if (statement instanceof Statement.RenameColumn rename) {
            renameColumn(pipeline, rename);
        } else if (statement instanceof Statement.RenameTable rename) {
            renameTable(pipeline, rename);
        } else {
            throw new LazyBaseException(Code.UNSUPPORTED, "The statement is not known.");
        }
        return new Result.Done("ALTER TABLE");
    }

    static Table need(Catalog catalog, String name) {
        Table table = catalog.table(name);
        if (table == null) {
            throw new LazyBaseException(Code.NOT_FOUND, "There is no table " + name + ".");
        }
        return table;
    }

    private static LazyBaseException bad(String detail) {
        return new LazyBaseException(Code.BAD_DEFINITION, detail);
    }

    private static void checkName(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw bad("A name has 1 to " + LONGEST_NAME + " characters: " + name + ".");
        }
    }

    static void create(Pipeline pipeline, Statement.CreateTable statement) {
        checkName(statement.table());
        pipeline.define(catalog -> {
            if (catalog.table(statement.table()) != null || catalog.tableOfView(statement.table()) != null) {
                if (statement.ifNotExists()) {
                    return catalog;
                }
                throw new LazyBaseException(Code.EXISTS, "There is a table " + statement.table() + " already.");
            }
            Table made = table(catalog, statement);
            return catalog.with(made, catalog.nextId() + 1 + made.views().size());
        });
    }

    /** Keys and ids are all that such a table has; it is kept in the order of both. */
    private static Table withIdentity(Table table, int identity) {
        Column column = table.columnOf(identity);
        List<Integer> key = table.primary().key();
        if (column.type() != ColumnType.BIGINT
                || key.contains(identity)
                || table.columns().size() != key.size() + 1
                || key.size() > Reference.MOST_PARTS) {
            throw bad("A table that gives ids has a primary key and one bigint besides: " + column.name() + ".");
        }
        var byId = new ArrayList<Integer>(List.of(identity));
        byId.addAll(key);
        var view = new View(table.id() + 2, table.name() + "_" + column.name() + "_key", byId, byId);
        return new Table(
                table.id(),
                table.name(),
                table.columns(),
                List.of(table.primary(), view),
                table.nextColumn(),
                identity,
                List.of());
    }

    private static List<Reference> references(Catalog catalog, List<ColumnDefinition> definitions) {
        var references = new ArrayList<Reference>();
        for (int c = 0; c < definitions.size(); c++) {
            String name = definitions.get(c).references();
            if (name.isEmpty()) {
                continue;
            }
            Table keys = need(catalog, name);
            if (keys.identity() == 0) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED,
                        "Column " + definitions.get(c).name() + " REFERENCES " + name
                                + ", which gives no ids; other foreign keys are not there.");
            }
            if (definitions.get(c).type() != ColumnType.BIGINT) {
                throw bad("Column " + definitions.get(c).name() + " has ids, so it is a bigint.");
            }
            List<Column> key = keys.primary().key().stream().map(keys::columnOf).toList();
            references.add(new Reference(c + 1, keys.id(), key));
        }
        return references;
    }

    private static Table table(Catalog catalog, Statement.CreateTable statement) {
        if (statement.columns().size() > MOST_COLUMNS) {
            throw bad("A table has " + MOST_COLUMNS + " columns at most.");
        }
        if (statement.key().isEmpty()) {
            throw bad("A table needs a PRIMARY KEY: rows are sorted by it and updated through it.");
        }
        var names = new HashSet<String>();
        var columns = new ArrayList<Column>();
        for (ColumnDefinition definition : statement.columns()) {
            checkName(definition.name());
            if (!names.add(definition.name())) {
                throw bad("Column " + definition.name() + " is there twice.");
            }
            columns.add(column(columns.size() + 1, definition, statement.key().contains(definition.name())));
        }
        var key = new ArrayList<Integer>();
        for (String name : statement.key()) {
            int place = columns.stream().map(Column::name).toList().indexOf(name);
            if (place < 0 || key.contains(place + 1)) {
                throw bad("The primary key names " + name + ", which is no column or is named twice.");
            }
            key.add(place + 1);
        }
        var stored = new ArrayList<>(key);
        columns.forEach(column -> {
            if (!key.contains(column.id())) {
                stored.add(column.id());
            }
        });
        int id = catalog.nextId();
        var primary = new View(id + 1, statement.table(), key, stored);
        var table = new Table(
                id,
                statement.table(),
                columns,
                List.of(primary),
                columns.size() + 1,
                0,
                references(catalog, statement.columns()));
        for (int c = 0; c < columns.size(); c++) {
            if (statement.columns().get(c).identity()) {
                return withIdentity(table, c + 1);
            }
        }
        return table;
    }

    private static Column column(int id, ColumnDefinition definition, boolean key) {
        return new Column(
                id,
                definition.name(),
                definition.type(),
                definition.precision(),
                definition.scale(),
                definition.notNull() || key);
    }

    static void addColumn(Pipeline pipeline, Statement.AddColumn statement) {
        checkName(statement.column().name());
        pipeline.define(catalog -> {
            Table table = need(catalog, statement.table());
            if (table.indexOf(statement.column().name()) >= 0) {
                if (statement.ifNotExists()) {
                    return catalog;
                }
                throw new LazyBaseException(
                        Code.EXISTS, "There is a column " + statement.column().name() + " already.");
            }
            if (statement.column().identity()
                    || !statement.column().references().isEmpty()) {
                throw new LazyBaseException(Code.UNSUPPORTED, "Ids of keys are columns from the beginning.");
            }
            if (statement.column().notNull()) {
                throw bad("A new column cannot be NOT NULL: rows that are there have no value for it.");
            }
            return catalog.with(
                    table.withColumn(column(table.nextColumn(), statement.column(), false)), catalog.nextId());
        });
    }

    static void dropColumn(Pipeline pipeline, Statement.DropColumn statement) {
        pipeline.define(catalog -> {
            Table table = need(catalog, statement.table());
            int place = table.indexOf(statement.column());
            if (place < 0) {
                if (statement.ifExists()) {
                    return catalog;
                }
                throw new LazyBaseException(Code.NO_COLUMN, "There is no column " + statement.column() + ".");
            }
            int id = table.columns().get(place).id();
            if (id == table.identity()) {
                throw bad("Column " + statement.column() + " has the ids of " + table.name() + ".");
            }
            for (View view : table.views()) {
                if (view.key().contains(id)) {
                    throw bad("Column " + statement.column() + " belongs to the key of " + view.name() + ".");
                }
            }
            return catalog.with(table.withoutColumn(id), catalog.nextId());
        });
    }

    static void renameColumn(Pipeline pipeline, Statement.RenameColumn statement) {
        checkName(statement.newName());
        pipeline.define(catalog -> {
            Table table = need(catalog, statement.table());
            int place = table.indexOf(statement.column());
            if (place < 0) {
                throw new LazyBaseException(Code.NO_COLUMN, "There is no column " + statement.column() + ".");
            }
            if (table.identity() != 0) {
                throw bad("Columns of " + table.name() + " keep their names, as others give rows under them.");
            }
            if (table.indexOf(statement.newName()) >= 0) {
                throw new LazyBaseException(Code.EXISTS, "There is a column " + statement.newName() + " already.");
            }
            return catalog.with(
                    table.withRenamed(table.columns().get(place).id(), statement.newName()), catalog.nextId());
        });
    }

    static void renameTable(Pipeline pipeline, Statement.RenameTable statement) {
        checkName(statement.newName());
        pipeline.define(catalog -> {
            Table table = need(catalog, statement.table());
            if (catalog.table(statement.newName()) != null) {
                throw new LazyBaseException(Code.EXISTS, "There is a table " + statement.newName() + " already.");
            }
            return catalog.with(table.renamed(statement.newName()), catalog.nextId());
        });
    }

    static void drop(Pipeline pipeline, Statement.DropTable statement) {
        for (String name : statement.tables()) {
            Table table = pipeline.catalog().table(name);
            if (table == null && !statement.ifExists()) {
                throw new LazyBaseException(Code.NOT_FOUND, "There is no table " + name + ".");
            }
            if (table != null) {
                checkUnreferenced(pipeline.catalog(), table, statement.tables());
            }
        }
        for (String name : statement.tables()) {
            Table table = pipeline.catalog().table(name);
            if (table != null) {
                pipeline.drop(table.id());
            }
        }
    }

    private static void checkUnreferenced(Catalog catalog, Table table, List<String> dropped) {
        for (Table other : catalog.tables()) {
            boolean refers = other.references().stream().anyMatch(reference -> reference.table() == table.id());
            if (refers && dropped.stream().noneMatch(other.name()::equalsIgnoreCase)) {
                throw bad("Table " + other.name() + " refers to ids of " + table.name() + ".");
            }
        }
    }

    /** The table becomes another one of the same definition, without rows. */
    static void truncate(Pipeline pipeline, Statement.Truncate statement) {
        for (String name : statement.tables()) {
            Table old = need(pipeline.catalog(), name);
            if (old.identity() != 0) {
                throw new LazyBaseException(
                        Code.UNSUPPORTED, "Table " + name + " gives ids, which stay for ever; drop it instead.");
            }
            pipeline.drop(old.id());
            pipeline.define(catalog -> {
                int id = catalog.nextId();
                return catalog.with(old.again(id), id + 1 + old.views().size());
            });
        }
    }

    static void createView(Pipeline pipeline, Statement.CreateView statement) {
        checkName(statement.view());
        Catalog catalog = pipeline.catalog();
        if (catalog.table(statement.view()) != null || catalog.tableOfView(statement.view()) != null) {
            if (statement.ifNotExists()) {
                return;
            }
            throw new LazyBaseException(Code.EXISTS, "There is a table or view " + statement.view() + " already.");
        }
        Table table = need(catalog, statement.table());
        if (table.views().size() > MOST_VIEWS) {
            throw bad("A table has " + MOST_VIEWS + " secondary views at most.");
        }
        var key = new ArrayList<Integer>();
        statement.key().forEach(name -> key.add(columnId(table, name)));
        // So that every row has an entry of its own.
        table.primary().key().forEach(id -> {
            if (!key.contains(id)) {
                key.add(id);
            }
        });
        var stored = new ArrayList<>(key);
        List<String> include = statement.include();
        if (include == null) {
            table.columns().forEach(column -> add(stored, column.id()));
        } else {
            include.forEach(name -> add(stored, columnId(table, name)));
        }
        // The number is taken first, so that two views that are created at once do not get the same.
        int[] id = new int[1];
        pipeline.define(current -> {
            id[0] = current.nextId();
            return new Catalog(current.version() + 1, current.nextId() + 1, current.tables());
        });
        pipeline.addView(table.id(), new View(id[0], statement.view(), key, stored));
    }

    private static void add(List<Integer> ids, int id) {
        if (!ids.contains(id)) {
            ids.add(id);
        }
    }

    private static int columnId(Table table, String name) {
        int place = table.indexOf(name);
        if (place < 0) {
            throw new LazyBaseException(Code.NO_COLUMN, "Table " + table.name() + " has no column " + name + ".");
        }
        if (table.columns().get(place).type() == ColumnType.JSON) {
            throw bad("Column " + name + " is JSON, which has no order.");
        }
        return table.columns().get(place).id();
    }

    static void dropView(Pipeline pipeline, Statement.DropView statement) {
        Table table = pipeline.catalog().tableOfView(statement.view());
        if (table == null) {
            if (statement.ifExists()) {
                return;
            }
            throw new LazyBaseException(Code.NOT_FOUND, "There is no view " + statement.view() + ".");
        }
        for (View view : table.views()) {
            if (view.name().equalsIgnoreCase(statement.view())) {
                pipeline.dropView(table, view.id());
            }
        }
    }
}
