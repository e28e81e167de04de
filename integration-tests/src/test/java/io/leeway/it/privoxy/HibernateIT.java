package io.leeway.it.privoxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.Privoxy;
import io.leeway.privoxy.PrivoxyRequest;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.LazyInitializationException;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.exception.ConstraintViolationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An unmodified ORM, told nothing of the policy. */
class HibernateIT {

    /** A user with notes. */
    @Entity(name = "User")
    @Table(name = "users")
    static class User {
        @Id
        long id;

        String name = "";

        @OneToMany(mappedBy = "user")
        List<Note> notes = new ArrayList<>();
    }

    /** A note of a user. */
    @Entity(name = "Note")
    @Table(name = "notes")
    static class Note {
        @Id
        long id;

        String text = "";

        @ManyToOne(fetch = FetchType.LAZY)
        @JoinColumn(name = "user_id")
        User user = new User();
    }

    /** What is done in a request of user 2. */
    private interface Work {
        void with(CheckedDatabase database, SessionFactory sessions) throws Exception;
    }

    @ParameterizedTest
    @EnumSource
    void findsAndLoadsLazily(Servers servers) throws Exception {
        asBen(servers, (database, sessions) -> {
            try (Session session = sessions.openSession()) {
                User ben = session.find(User.class, 2L);
                assertThat(ben.name).isEqualTo("Ben");
                assertThat(ben.notes).extracting(note -> note.text).containsExactly("of Ben");
                assertThat(ben.notes.get(0).user).isSameAs(ben);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLazyCollectionOfSomebodyElseIsRefusedWhenItIsLoaded(Servers servers) throws Exception {
        asBen(servers, (database, sessions) -> {
            try (Session session = sessions.openSession()) {
                User cleo = session.find(User.class, 3L);
                assertThat(cleo.name).isEqualTo("Cleo");
                assertThatThrownBy(() -> assertThat(cleo.notes.size()).isNegative())
                        .isNotInstanceOf(LazyInitializationException.class)
                        .hasRootCauseInstanceOf(PolicyViolationException.class);
                assertThat(session.find(User.class, 1L).name)
                        .as("the session goes on")
                        .isEqualTo("Ada");
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void queriesJoinsAndCounts(Servers servers) throws Exception {
        asBen(servers, (database, sessions) -> {
            try (Session session = sessions.openSession()) {
                assertThat(session.createQuery("from Note n join fetch n.user where n.user.id = :me", Note.class)
                                .setParameter("me", 2L)
                                .list())
                        .extracting(note -> note.user.name)
                        .containsExactly("Ben");
                assertThat(session.createQuery("select count(n) from Note n where n.user.id = :me", Long.class)
                                .setParameter("me", 2L)
                                .getSingleResult())
                        .isOne();
                assertThatThrownBy(() ->
                                session.createQuery("from Note", Note.class).list())
                        .hasRootCauseInstanceOf(PolicyViolationException.class);
                assertThatThrownBy(() -> session.createNativeQuery("select text from notes", String.class)
                                .list())
                        .hasRootCauseInstanceOf(PolicyViolationException.class);
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void insertsInBatches(Servers servers) throws Exception {
        asBen(servers, (database, sessions) -> {
            sessions.inTransaction(session -> {
                User ben = session.getReference(User.class, 2L);
                for (int i = 0; i < 7; i++) {
                    session.persist(note(100L + i, ben));
                }
            });
            assertThat(database.read("SELECT COUNT(*) FROM notes WHERE id >= 100"))
                    .isEqualTo("7");
            sessions.inTransaction(session -> {
                for (Note note : session.createQuery("from Note n where n.user.id = 2 and n.id >= 100", Note.class)
                        .list()) {
                    note.text = "changed";
                }
            });
            assertThat(database.read("SELECT COUNT(*) FROM notes WHERE text = 'changed'"))
                    .isEqualTo("7");
        });
    }

    @ParameterizedTest
    @EnumSource
    void locksPessimistically(Servers servers) throws Exception {
        asBen(servers, (database, sessions) -> {
            sessions.inTransaction(session -> {
                Note note = session.createQuery("from Note n where n.id = 21 and n.user.id = 2", Note.class)
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .getSingleResult();
                session.refresh(note, LockModeType.PESSIMISTIC_WRITE);
                note.text = "locked and changed";
            });
            assertThat(database.read("SELECT text FROM notes WHERE id = 21")).isEqualTo("locked and changed");
            assertThatThrownBy(() -> sessions.inTransaction(
                            session -> session.find(Note.class, 31L, LockModeType.PESSIMISTIC_WRITE)))
                    .hasRootCauseInstanceOf(PolicyViolationException.class);
        });
    }

    @ParameterizedTest
    @EnumSource
    void aRefusalRollsBackWhatWasWritten(Servers servers) throws Exception {
        asBen(servers, (database, sessions) -> {
            assertThatThrownBy(() -> sessions.inTransaction(session -> {
                        session.persist(note(200L, session.getReference(User.class, 2L)));
                        session.flush();
                        session.find(Note.class, 31L);
                    }))
                    .hasRootCauseInstanceOf(PolicyViolationException.class);
            assertThat(database.read("SELECT COUNT(*) FROM notes WHERE id = 200"))
                    .isEqualTo("0");
        });
    }

    @ParameterizedTest
    @EnumSource
    void violatedConstraintsAreStillRecognised(Servers servers) throws Exception {
        asBen(
                servers,
                (database, sessions) -> assertThatThrownBy(() -> sessions.inTransaction(session -> {
                            session.persist(note(31L, session.getReference(User.class, 2L)));
                            session.flush();
                        }))
                        .satisfies(
                                e -> assertThat(causes(e)).anyMatch(ConstraintViolationException.class::isInstance)));
    }

    private static List<Throwable> causes(Throwable failure) {
        var causes = new ArrayList<Throwable>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    private static Note note(long id, User user) {
        var note = new Note();
        note.id = id;
        note.text = "note " + id;
        note.user = user;
        return note;
    }

    private static void asBen(Servers servers, Work work) throws Exception {
        Map<String, Object> settings = new HashMap<>();
        try (CheckedDatabase database = servers.calendar()) {
            settings.put("hibernate.connection.url", database.url());
            settings.put("hibernate.connection.username", database.plain().user());
            settings.put("hibernate.connection.password", database.plain().password());
            settings.put("hibernate.jdbc.batch_size", "20");
            var configuration =
                    new Configuration().addAnnotatedClass(User.class).addAnnotatedClass(Note.class);
            configuration.getProperties().putAll(settings);
            try (SessionFactory sessions = configuration.buildSessionFactory();
                    PrivoxyRequest request = Privoxy.begin(Map.of("MyUId", 2L))) {
                assertThat(request.isOpen()).isTrue();
                work.with(database, sessions);
            }
        }
    }
}
