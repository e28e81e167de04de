package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import java.sql.Connection;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.Table;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class JooqIT {

    private static final Table<Record> USERS = table(name("users"));
    private static final Table<Record> EVENTS = table(name("events"));
    private static final Table<Record> ATTENDANCES = table(name("attendances"));
    private static final Table<Record> NOTES = table(name("notes"));
    private static final Field<Long> ID = field(name("id"), Long.class);
    private static final Field<String> NAME = field(name("name"), String.class);
    private static final Field<String> TITLE = field(name("title"), String.class);
    private static final Field<String> TEXT = field(name("text"), String.class);
    private static final Field<Long> USER_ID = field(name("user_id"), Long.class);
    private static final Field<Long> EVENT_ID = field(name("event_id"), Long.class);

    /** What is done with the context of user 2. */
    private interface Work {
        void with(DSLContext dsl) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void selects(Servers servers) throws Exception {
        asBen(servers, dsl -> {
            assertThat(dsl.select(NAME).from(USERS).orderBy(ID.desc()).fetch(NAME))
                    .containsExactly("Cleo", "Ben", "Ada");
            assertThat(dsl.selectFrom(NOTES).where(USER_ID.eq(2L)).fetch(TEXT)).containsExactly("of Ben");
            assertThat(dsl.select(count()).from(NOTES).where(USER_ID.eq(2L)).fetchOne(0, int.class))
                    .isOne();
            assertThatThrownBy(() -> dsl.selectFrom(NOTES).fetch())
                    .isInstanceOf(DataAccessException.class)
                    .hasRootCauseInstanceOf(PolicyViolationException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void existenceIsAQuestionToo(Servers servers) throws Exception {
        asBen(servers, dsl -> {
            assertThat(dsl.fetchExists(dsl.selectOne().from(NOTES).where(USER_ID.eq(2L))))
                    .isTrue();
            assertThat(dsl.fetchExists(dsl.selectOne()
                            .from(ATTENDANCES)
                            .where(USER_ID.eq(2L))
                            .and(EVENT_ID.eq(6L))))
                    .isFalse();
            assertThatThrownBy(() -> dsl.fetchExists(dsl.selectOne().from(NOTES).where(USER_ID.eq(3L))))
                    .isInstanceOf(DataAccessException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRowReadBeforeOpensTheNext(Servers servers) throws Exception {
        asBen(servers, dsl -> {
            assertThatThrownBy(() ->
                            dsl.select(TITLE).from(EVENTS).where(ID.eq(5L)).fetch())
                    .isInstanceOf(DataAccessException.class);
            dsl.selectFrom(ATTENDANCES).where(USER_ID.eq(2L)).fetch();
            assertThat(dsl.select(TITLE).from(EVENTS).where(ID.eq(5L)).fetchOne(TITLE))
                    .isEqualTo("Planning");
            assertThatThrownBy(() ->
                            dsl.select(TITLE).from(EVENTS).where(ID.eq(6L)).fetch())
                    .isInstanceOf(DataAccessException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void joinsAndLimits(Servers servers) throws Exception {
        asBen(servers, dsl -> {
            Field<Long> eventId = field(name("events", "id"), Long.class);
            assertThat(dsl.select(TITLE)
                            .from(EVENTS)
                            .join(ATTENDANCES)
                            .on(eventId.eq(EVENT_ID))
                            .where(USER_ID.eq(2L))
                            .orderBy(eventId)
                            .limit(10)
                            .fetch(TITLE))
                    .containsExactly("Planning");
        });
    }

    @ParameterizedTest
    @EnumSource
    void batchesAndTransactions(Servers servers) throws Exception {
        asBen(servers, dsl -> {
            int[] counts = dsl.batch(dsl.insertInto(NOTES, ID, USER_ID, TEXT).values((Long) null, null, null))
                    .bind(61L, 2L, "a")
                    .bind(62L, 2L, "b")
                    .execute();
            assertThat(counts).hasSize(2);
            assertThatThrownBy(() -> dsl.transaction(inside -> {
                        DSLContext own = DSL.using(inside);
                        own.update(NOTES)
                                .set(TEXT, "changed")
                                .where(USER_ID.eq(2L))
                                .execute();
                        own.selectFrom(NOTES).fetch();
                    }))
                    .hasRootCauseInstanceOf(PolicyViolationException.class);
            assertThat(dsl.select(TEXT)
                            .from(NOTES)
                            .where(USER_ID.eq(2L))
                            .orderBy(ID)
                            .fetch(TEXT))
                    .containsExactly("of Ben", "a", "b");
            dsl.deleteFrom(NOTES).where(USER_ID.eq(2L)).and(ID.gt(60L)).execute();
        });
    }

    private static void asBen(Servers servers, Work work) throws Exception {
        try (CheckedDatabase database = servers.calendar();
                Connection connection = database.connect();
                PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
            assertThat(request.isOpen()).isTrue();
            work.with(DSL.using(connection, servers == Servers.POSTGRESQL ? SQLDialect.POSTGRES : SQLDialect.MARIADB));
        }
    }
}
