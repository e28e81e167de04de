package io.leeway.privoxy.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.privoxy.PolicyViolationException;
import io.leeway.privoxy.UnsupportedQueryException;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import io.leeway.privoxy.internal.sql.Dialect;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Drives all overloads that take SQL, found by reflection, against a connection that writes down what is sent. */
class EveryTextPassesTheGateTest {

    private static final Set<String> SQL_METHODS = Set.of(
            "prepareStatement",
            "prepareCall",
            "nativeSQL",
            "execute",
            "executeQuery",
            "executeUpdate",
            "executeLargeUpdate",
            "addBatch");

    /** Methods with a text that is no SQL. A new one in a later JDK must be put here or above. */
    private static final Set<String> OTHER_TEXT = Set.of(
            "setCatalog",
            "setSchema",
            "setSavepoint",
            "setClientInfo",
            "getClientInfo",
            "createArrayOf",
            "createStruct",
            "setCursorName",
            "enquoteLiteral",
            "enquoteIdentifier",
            "enquoteNCharLiteral",
            "isSimpleIdentifier");

    private static final String FORBIDDEN = "SELECT id AS forbidden FROM people";
    private static final String NOT_UNDERSTOOD = "SELECT id FROM people TABLESAMPLE (1)";

    private final FakeGuard guard = new FakeGuard();
    private final Spy spy = new Spy();
    private CheckedH2 database;
    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        database = new CheckedH2();
        var config = PrivoxyConfig.of(Map.of("privoxyPolicy", "policy.sql"));
        Target target = Target.of(guard, config, Dialect.H2);
        connection = CheckedConnection.of(spy.over(database.plain()), target, Map.of());
        spy.sent.clear();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
        database.close();
    }

    @Test
    void everyMethodWithATextIsKnown() {
        List<String> unknown = new ArrayList<>();
        for (Class<?> type : List.of(Connection.class, Statement.class)) {
            Journal.sorted(type).stream()
                    .filter(method -> Arrays.asList(method.getParameterTypes()).contains(String.class))
                    .map(Method::getName)
                    .filter(name -> !SQL_METHODS.contains(name) && !OTHER_TEXT.contains(name))
                    .forEach(unknown::add);
        }

        assertThat(unknown).isEmpty();
    }

    @Test
    void noMethodOfAConnectionSendsATextThatIsNotUnderstood() {
        for (Method method : textMethods(Connection.class)) {
            assertRefused(method, connection, NOT_UNDERSTOOD, UnsupportedQueryException.class);
        }
        assertThat(spy.sent).isEmpty();
    }

    @Test
    void noMethodOfAStatementSendsATextThatIsNotUnderstood() throws SQLException {
        for (Method method : textMethods(Statement.class)) {
            try (Statement statement = connection.createStatement()) {
                assertRefused(method, statement, NOT_UNDERSTOOD, UnsupportedQueryException.class);
            }
        }
        assertThat(spy.sent).isEmpty();
    }

    @Test
    void noMethodOfAStatementSendsAForbiddenText() throws SQLException {
        for (Method method : textMethods(Statement.class)) {
            try (Statement statement = connection.createStatement()) {
                if (method.getName().equals("addBatch")) {
                    method(method, statement, FORBIDDEN);
                    spy.sent.remove("addBatch " + FORBIDDEN);
                    assertThatThrownBy(statement::executeBatch).isInstanceOf(PolicyViolationException.class);
                } else {
                    assertRefused(method, statement, FORBIDDEN, PolicyViolationException.class);
                }
            } catch (InvocationTargetException unexpected) {
                throw new AssertionError(method.toString(), unexpected);
            }
        }
        assertThat(spy.sent).isEmpty();
    }

    @Test
    void noPreparedStatementRunsAForbiddenTextHoweverItWasPrepared() throws Exception {
        int prepared = 0;
        for (Method prepare : textMethods(Connection.class)) {
            if (!PreparedStatement.class.isAssignableFrom(prepare.getReturnType())) {
                continue;
            }
            try (PreparedStatement statement = (PreparedStatement) method(prepare, connection, FORBIDDEN)) {
                spy.sent.clear();
                assertThatThrownBy(statement::executeQuery).isInstanceOf(PolicyViolationException.class);
                assertThatThrownBy(statement::execute).isInstanceOf(PolicyViolationException.class);
                assertThatThrownBy(statement::executeUpdate).isInstanceOf(PolicyViolationException.class);
                assertThatThrownBy(statement::executeLargeUpdate).isInstanceOf(PolicyViolationException.class);
                statement.addBatch();
                assertThatThrownBy(statement::executeBatch).isInstanceOf(PolicyViolationException.class);
                statement.addBatch();
                assertThatThrownBy(statement::executeLargeBatch).isInstanceOf(PolicyViolationException.class);
                assertThat(spy.sent).containsExactly("addBatch", "addBatch");
                prepared++;
            }
        }
        assertThat(prepared).isEqualTo(9);
    }

    @Test
    void aTextGivenToAPreparedStatementIsCheckedThoughDriversRefuseIt() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM people");
                CallableStatement call = connection.prepareCall("SELECT id FROM people")) {
            spy.sent.clear();
            for (Method method : textMethods(Statement.class)) {
                assertRefused(method, statement, NOT_UNDERSTOOD, UnsupportedQueryException.class);
                assertRefused(method, call, NOT_UNDERSTOOD, UnsupportedQueryException.class);
            }
        }
        assertThat(spy.sent).isEmpty();
    }

    @Test
    void whatIsPermittedIsSentOnceAndUnchanged() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id /* mine */ FROM people")) {
            assertThat(rows.next()).isTrue();
        }
        assertThat(spy.sent).containsExactly("executeQuery SELECT id /* mine */ FROM people");
        assertThat(guard.checked).containsExactly("SELECT id /* mine */ FROM people");
        assertThat(guard.executed).containsExactly("SELECT id /* mine */ FROM people");
    }

    @Test
    void aGuardThatBreaksIsARefusalWithoutItsMessage() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery("SELECT 'BREAK' FROM people"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("PRIVOXY-1501")
                    .hasMessageNotContaining("4711")
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(spy.sent).isEmpty();
    }

    private static List<Method> textMethods(Class<?> type) {
        return Journal.sorted(type).stream()
                .filter(method -> SQL_METHODS.contains(method.getName()))
                .filter(method -> method.getParameterCount() > 0 && method.getParameterTypes()[0] == String.class)
                .toList();
    }

    private static void assertRefused(Method method, Object object, String sql, Class<? extends Exception> refusal) {
        assertThatThrownBy(() -> method(method, object, sql))
                .as(method.toString())
                .isInstanceOf(InvocationTargetException.class)
                .hasCauseInstanceOf(refusal);
    }

    private static Object method(Method method, Object object, String sql) throws InvocationTargetException {
        var arguments = new Object[method.getParameterCount()];
        arguments[0] = sql;
        for (int i = 1; i < arguments.length; i++) {
            arguments[i] = argument(method.getParameterTypes()[i], i);
        }
        try {
            return method.invoke(object, arguments);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static Object argument(Class<?> type, int position) {
        if (type == int[].class) {
            return new int[] {1};
        }
        if (type == String[].class) {
            return new String[] {"ID"};
        }
        return switch (position) {
            case 1 -> ResultSet.TYPE_FORWARD_ONLY;
            case 2 -> ResultSet.CONCUR_READ_ONLY;
            default -> ResultSet.HOLD_CURSORS_OVER_COMMIT;
        };
    }
}
