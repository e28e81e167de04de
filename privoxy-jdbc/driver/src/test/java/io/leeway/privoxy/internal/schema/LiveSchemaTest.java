package io.leeway.privoxy.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.internal.model.Column;
import io.leeway.privoxy.internal.sql.Dialect;
import io.leeway.testkit.FakeClock;
import io.leeway.testkit.db.TestDatabase;
import io.leeway.testkit.db.TestDatabases;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveSchemaTest {

    private static final List<String> PATH = List.of("PUBLIC");

    private final FakeClock clock = new FakeClock();
    private final AtomicInteger reads = new AtomicInteger();
    private TestDatabase database;
    private Connection connection;
    private LiveSchema schema;
    private TableSource source;

    @BeforeEach
    void open() throws SQLException {
        database = TestDatabases.h2().freshDatabase("live");
        connection = database.connect();
        execute("CREATE TABLE people (id INT PRIMARY KEY, name VARCHAR)", "CREATE TABLE posts (id INT PRIMARY KEY)");
        schema = LiveSchema.open(Dialect.H2, connection, clock.nanos());
        source = schema.through(counted());
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void readsATableOnce() {
        find("PEOPLE");
        find("PEOPLE");

        assertThat(reads).hasValue(1);
        assertThat(source.schema().tables()).containsOnlyKeys("PUBLIC.PEOPLE");
    }

    @Test
    void readsManyTablesAtOnce() {
        source.prefetch(List.of(List.of("PEOPLE"), List.of("POSTS"), List.of("NOWHERE")), PATH);
        find("PEOPLE");
        find("POSTS");

        assertThat(reads).hasValue(1);
    }

    @Test
    void doesNotRememberThatATableIsMissing() throws SQLException {
        assertThat(source.find(List.of("TAGS"), PATH)).isNull();
        execute("CREATE TABLE tags (id INT)");

        assertThat(source.find(List.of("TAGS"), PATH)).isNotNull();
        assertThat(schema.version()).isZero();
    }

    @Test
    void doesNotRememberTemporaryTables() throws SQLException {
        execute("CREATE LOCAL TEMPORARY TABLE t (id INT)");

        assertThat(find("T").kind()).isEqualTo(Relation.Kind.TEMPORARY);
        execute("DROP TABLE t", "CREATE TABLE t (id INT)");
        assertThat(find("T").kind()).isEqualTo(Relation.Kind.TABLE);
    }

    @Test
    void noticesAChangedTable() throws SQLException {
        find("PEOPLE");
        find("POSTS");
        String before = schema.fingerprint();
        execute("ALTER TABLE people ADD COLUMN email VARCHAR");

        assertThat(schema.refresh(connection)).containsExactly("PUBLIC.PEOPLE");

        assertThat(schema.version()).isEqualTo(1);
        assertThat(schema.fingerprint()).isNotEqualTo(before);
        assertThat(find("PEOPLE").table().columns()).extracting(Column::name).contains("EMAIL");
        assertThat(schema.refresh(connection)).isEmpty();
        assertThat(schema.version()).isEqualTo(1);
    }

    @Test
    void noticesADroppedConstraint() throws SQLException {
        execute("ALTER TABLE people ADD CONSTRAINT name_key UNIQUE (name)");
        find("PEOPLE");
        execute("ALTER TABLE people DROP CONSTRAINT name_key");

        assertThat(schema.refresh(connection)).containsExactly("PUBLIC.PEOPLE");
        assertThat(find("PEOPLE").table().keys()).hasSize(1);
    }

    @Test
    void keepsNothingThatIsReadOfThePast() throws SQLException {
        TableSource past = schema.through(new ConnectionSource() {
            @Override
            public <T> T with(Work<T> work) throws SQLException {
                return work.on(connection);
            }

            @Override
            public boolean readsThePast() {
                return true;
            }
        });
        SchemaMark before = schema.mark();

        assertThat(past.find(List.of("PEOPLE"), PATH)).isNotNull();
        assertThat(past.isAbsent(List.of("TAGS"), PATH)).isTrue();
        assertThat(past.reach("PUBLIC.PEOPLE")).isNotNull();

        assertThat(schema.snapshot().schema().tables()).isEmpty();
        find("PEOPLE");
        execute("ALTER TABLE people ADD COLUMN email VARCHAR", "CREATE TABLE tags (id INT)");
        schema.suspect();
        assertThat(schema.refreshIfDue(new ConnectionSource() {
                    @Override
                    public <T> T with(Work<T> work) {
                        throw new IllegalStateException("does not look");
                    }

                    @Override
                    public boolean readsThePast() {
                        return true;
                    }
                }))
                .isEmpty();
        assertThat(schema.isRefreshDue()).isTrue();
        assertThat(schema.mark()).isEqualTo(new SchemaMark(before.version(), before.doubts() + 1));
    }

    @Test
    void noticesADroppedTable() throws SQLException {
        find("POSTS");
        execute("DROP TABLE posts");

        assertThat(schema.refresh(connection)).containsExactly("PUBLIC.POSTS");
        assertThat(source.find(List.of("POSTS"), PATH)).isNull();
    }

    @Test
    void noticesATableThatTakesTheNameOfAnother() throws SQLException {
        List<String> path = List.of("FIRST", "PUBLIC");
        execute("CREATE SCHEMA first");
        assertThat(Objects.requireNonNull(source.find(List.of("POSTS"), path))
                        .table()
                        .name())
                .isEqualTo("PUBLIC.POSTS");
        execute("CREATE TABLE first.posts (id INT)");

        assertThat(schema.refresh(connection)).containsExactly("PUBLIC.POSTS");
        assertThat(Objects.requireNonNull(source.find(List.of("POSTS"), path))
                        .table()
                        .name())
                .isEqualTo("FIRST.POSTS");
    }

    @Test
    void looksForChangesOnceInAnInterval() throws SQLException {
        find("PEOPLE");
        execute("ALTER TABLE people ADD COLUMN email VARCHAR");

        assertThat(schema.refreshIfDue(counted())).isEmpty();
        clock.advance(Duration.ofNanos(LiveSchema.REFRESH_INTERVAL_NANOS));
        assertThat(schema.refreshIfDue(counted())).containsExactly("PUBLIC.PEOPLE");
        assertThat(schema.refreshIfDue(counted())).isEmpty();

        assertThat(reads).hasValue(2);
    }

    @Test
    void forgetsWhatIsInvalid() {
        find("PEOPLE");

        schema.invalidate();

        assertThat(schema.version()).isEqualTo(1);
        assertThat(schema.snapshot().relations()).isEmpty();
        find("PEOPLE");
        assertThat(reads).hasValue(2);
    }

    @Test
    void readsAgainWhenSomethingChangedWhileItRead() throws SQLException {
        ConnectionSource changing = new ConnectionSource() {
            @Override
            public <T> T with(Work<T> work) throws SQLException {
                return work.on(InterruptedReads.of(connection, () -> {
                    if (reads.incrementAndGet() == 1) {
                        execute("ALTER TABLE people ADD COLUMN email VARCHAR");
                        schema.invalidate();
                    }
                }));
            }
        };

        Relation people = Objects.requireNonNull(schema.through(changing).find(List.of("PEOPLE"), PATH));

        assertThat(people.table().arity()).isEqualTo(3);
        assertThat(find("PEOPLE").table().arity()).isEqualTo(3);
    }

    @Test
    void keepsWhatAPrivateReaderSeesToItself() {
        TableSource privately = schema.privately(counted());

        assertThat(privately.find(List.of("PEOPLE"), PATH)).isNotNull();

        assertThat(schema.snapshot().relations()).isEmpty();
    }

    @Test
    void tellsThatTheDatabaseCannotBeAsked() throws SQLException {
        connection.close();

        assertThatThrownBy(() -> find("PEOPLE"))
                .isInstanceOf(SchemaUnavailableException.class)
                .hasCauseInstanceOf(SQLException.class);
    }

    @Test
    void fingerprintsDoNotDependOnTheOrderOfReading() throws SQLException {
        find("PEOPLE");
        find("POSTS");
        LiveSchema other = LiveSchema.open(Dialect.H2, connection, clock.nanos());
        TableSource backwards = other.through(counted());
        backwards.find(List.of("POSTS"), PATH);
        backwards.find(List.of("PEOPLE"), PATH);

        assertThat(other.fingerprint()).isEqualTo(schema.fingerprint()).hasSize(64);
    }

    @Test
    void oneSchemaServesAllConnectionsToADatabase() throws SQLException {
        var schemas = new LiveSchemas(2);
        LiveSchema first = schemas.of("a", Dialect.H2, connection);

        assertThat(schemas.of("a", Dialect.H2, connection)).isSameAs(first);
        assertThat(schemas.of("b", Dialect.H2, connection)).isNotSameAs(first);
        schemas.of("c", Dialect.H2, connection);
        assertThat(schemas.of("a", Dialect.H2, connection)).isNotSameAs(first);
    }

    @Test
    void namesTablesForSuggestions() {
        assertThat(source.names(PATH)).containsExactly("PUBLIC.PEOPLE", "PUBLIC.POSTS");
    }

    private Relation find(String table) {
        return Objects.requireNonNull(source.find(List.of(table), PATH));
    }

    private ConnectionSource counted() {
        return new ConnectionSource() {
            @Override
            public <T> T with(Work<T> work) throws SQLException {
                reads.incrementAndGet();
                return work.on(connection);
            }
        };
    }

    private void execute(String... statements) throws SQLException {
        for (String sql : statements) {
            try (var statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }
}
