package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.column.Batch;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.spi.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/**
 * Ingests from sources such as Kafka's topics. Definitions and offsets are rows of two ordinary tables, so they are durable, backed up and
 * shown as all data is. Thread-safe.
 */
public final class Ingests implements AutoCloseable {

    /** How far each partition was read. */
    static final String OFFSETS = "lazybase_offsets";

    private static final String DEFINITIONS = "lazybase_ingests";

    private final Engine engine;
    private final Path directory;
    private final Map<String, IngestRun> runs = new TreeMap<>();

    Ingests(Engine engine, Path directory) {
        this.engine = engine;
        this.directory = directory;
    }

    /** Goes on with all ingests that were created. */
    public synchronized void start() {
        if (engine.pipeline().catalog().table(DEFINITIONS) == null) {
            return;
        }
        try (Session session = session()) {
            for (Object[] row : rows(session, "/*+ freshness('0 s') */ SELECT definition FROM " + DEFINITIONS)) {
                if (StatementParser.parse(row[0].toString()) instanceof Statement.CreateIngest create) {
                    run(create);
                }
            }
        }
    }

    private Session session() {
        return new Session(engine, "ingest", "lazybase", false);
    }

    private void run(Statement.CreateIngest create) {
        runs.put(create.name(), new IngestRun(engine, create, () -> open(create)));
    }

    private Source open(Statement.CreateIngest create) throws IOException {
        for (Source.Provider provider : ServiceLoader.load(Source.Provider.class)) {
            if (provider.kind().equals(create.kind())) {
                return provider.open(create.address(), create.topic(), directory);
            }
        }
        throw new LazyBaseException(
                Code.UNSUPPORTED,
                "Ingests from " + create.kind() + " need lazybase-" + create.kind() + ".jar on the class path.");
    }

    /** Begins one, and keeps it over restarts. */
    synchronized void create(Statement.CreateIngest create) {
        if (runs.containsKey(create.name())) {
            if (create.ifNotExists()) {
                return;
            }
            throw new LazyBaseException(Code.EXISTS, "There is an ingest " + create.name() + " already.");
        }
        Table target = Definitions.need(engine.pipeline().catalog(), create.table());
        byte flag = create.adds().isEmpty() ? Batch.PUT : Batch.PATCH;
        // Both fail here if they cannot work.
        RowBuilder.of(target, create.columns(), flag, create.adds());
        try (Source source = open(create)) {
            source.partitions();
        } catch (IOException e) {
            throw new LazyBaseException(Code.NOT_FOUND, "The source cannot be read: " + e.getMessage() + ".", e);
        }
        try (Session session = session()) {
            execute(
                    session,
                    "CREATE TABLE IF NOT EXISTS " + DEFINITIONS
                            + " (ingest text PRIMARY KEY, definition text NOT NULL)");
            execute(
                    session,
                    "CREATE TABLE IF NOT EXISTS " + OFFSETS
                            + " (ingest text, part int, next_offset bigint NOT NULL, skipped bigint NOT NULL,"
                            + " PRIMARY KEY (ingest, part))");
            forget(session, create.name());
            execute(session, "INSERT INTO " + DEFINITIONS + " VALUES ($1, $2)", create.name(), create.sql());
        }
        run(create);
    }

    /** Ends one; the rows that it brought stay. */
    synchronized void drop(String name, boolean ifExists) {
        IngestRun run = runs.remove(name);
        if (run == null) {
            if (ifExists) {
                return;
            }
            throw new LazyBaseException(Code.NOT_FOUND, "There is no ingest " + name + ".");
        }
        run.close();
        try (Session session = session()) {
            forget(session, name);
        }
    }

    private static void forget(Session session, String name) {
        execute(session, "DELETE FROM " + DEFINITIONS + " WHERE ingest = $1", name);
        execute(session, "DELETE FROM " + OFFSETS + " WHERE ingest = $1", name);
    }

    private static void execute(Session session, String sql, Object... parameters) {
        session.execute(session.prepare(sql, new int[0]), List.of(parameters));
        session.endImplicit();
    }

    static List<Object[]> rows(Session session, String sql) {
        var rows = new ArrayList<Object[]>();
        if (session.execute(session.prepare(sql, new int[0]), List.of()) instanceof Result.Query query) {
            try (Result.Rows source = query.rows()) {
                for (Object[] row = source.next(); row != null; row = source.next()) {
                    rows.add(row.clone());
                }
            }
        }
        return rows;
    }

    @Override
    public synchronized void close() {
        runs.values().forEach(IngestRun::close);
        runs.clear();
    }

    private synchronized List<IngestRun> all() {
        return List.copyOf(runs.values());
    }

    /** What all ingests do: {@code SELECT * FROM lazybase.ingests}, or {@code SHOW INGESTS}. */
    PgCatalog.Relation relation() {
        return new Shown(this);
    }

    private static final class Shown extends PgCatalog.Relation {

        private final Ingests ingests;

        Shown(Ingests ingests) {
            super(
                    "ingests",
                    PgCatalog.Field.all("ingest:s target:s source:s state:s row_count:l skipped:l behind:l error:s"));
            this.ingests = ingests;
        }

        @Override
        public Enumerable<@Nullable Object[]> scan(DataContext root) {
            return Linq4j.asEnumerable(new ArrayList<@Nullable Object[]>(IngestRun.rows(ingests.all())));
        }
    }
}
