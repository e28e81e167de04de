package io.leeway.privoxy.internal.driver;

import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ParameterMetaData;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.SQLXML;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes down calls and what came of them, as text that is equal for equal behaviour: results with all rows, streams with
 * their content, exceptions with class, state and code, and nothing of identities.
 */
final class Journal {

    private final List<String> lines = new ArrayList<>();

    /** A call. */
    @FunctionalInterface
    interface Step {
        @Nullable
        Object run() throws Exception;
    }

    /** A call without result. */
    @FunctionalInterface
    interface Act {
        void run() throws Exception;
    }

    List<String> lines() {
        return lines;
    }

    /** The lines in which two journals differ. */
    static List<String> differences(List<String> plain, List<String> checked) {
        var differences = new ArrayList<String>();
        for (int i = 0; i < Math.max(plain.size(), checked.size()); i++) {
            String expected = i < plain.size() ? plain.get(i) : "nothing";
            String actual = i < checked.size() ? checked.get(i) : "nothing";
            if (!expected.equals(actual)) {
                differences.add("plain:   " + expected + "\nchecked: " + actual);
            }
        }
        return differences;
    }

    /** Runs a call and writes down its result. */
    void step(String name, Step step) {
        String outcome;
        try {
            outcome = text(step.run());
        } catch (Exception failed) {
            outcome = failure(failed);
        }
        lines.add(name + " -> " + outcome);
    }

    /** Runs a call that returns nothing. */
    void act(String name, Act act) {
        step(name, () -> {
            act.run();
            return "done";
        });
    }

    /** Calls every method of an interface that needs no argument, except some. */
    void allWithoutArguments(String name, Class<?> type, Object object, Set<String> except) {
        for (Method method : sorted(type)) {
            if (method.getParameterCount() == 0 && !except.contains(method.getName())) {
                step(name + '.' + method.getName(), () -> invoke(method, object));
            }
        }
    }

    /** Calls every getter of a result for a column, by position and by label. */
    void allGetters(String name, ResultSet row, int column, String label) {
        for (Method method : sorted(ResultSet.class)) {
            boolean isGetter = method.getName().startsWith("get") && method.getParameterCount() == 1;
            if (!isGetter) {
                continue;
            }
            Class<?> parameter = method.getParameterTypes()[0];
            if (parameter == int.class) {
                step(name + '.' + method.getName() + '(' + column + ')', () -> invoke(method, row, column));
                step(name + ".wasNull", row::wasNull);
            } else if (parameter == String.class) {
                step(name + '.' + method.getName() + '(' + label + ')', () -> invoke(method, row, label));
            }
        }
    }

    static List<Method> sorted(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> !java.lang.reflect.Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName)
                        .thenComparing(method -> Arrays.toString(method.getParameterTypes())))
                .toList();
    }

    private static @Nullable Object invoke(Method method, Object object, Object... arguments) throws Exception {
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static String failure(Exception failed) {
        if (failed instanceof SQLException sql) {
            return failed.getClass().getName() + '[' + sql.getSQLState() + ", " + sql.getErrorCode() + ']';
        }
        return failed.getClass().getName();
    }

    private static String text(@Nullable Object value) throws Exception {
        if (value == null) {
            return "null";
        }
        if (value instanceof ResultSet rows) {
            return rows(rows);
        }
        if (value instanceof Connection
                || value instanceof Statement
                || value instanceof DatabaseMetaData
                || value instanceof Savepoint) {
            return "a JDBC object";
        }
        if (value instanceof SQLWarning || value instanceof SQLXML) {
            return value.getClass().getName();
        }
        if (value instanceof Properties properties) {
            return new TreeMap<>(properties).toString();
        }
        if (value instanceof ResultSetMetaData || value instanceof ParameterMetaData) {
            return columns(value);
        }
        return plain(value);
    }

    private static String plain(Object value) throws Exception {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (value instanceof int[] counts) {
            return Arrays.toString(counts);
        }
        if (value instanceof long[] counts) {
            return Arrays.toString(counts);
        }
        if (value instanceof float[] elements) {
            return Arrays.toString(elements);
        }
        if (value instanceof Object[] elements) {
            return Arrays.deepToString(elements);
        }
        if (value instanceof Array array) {
            return "array " + text(array.getArray());
        }
        if (value instanceof Blob blob) {
            return "blob " + HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
        }
        if (value instanceof Clob clob) {
            return "clob " + clob.getSubString(1, (int) clob.length());
        }
        if (value instanceof InputStream stream) {
            return "stream " + HexFormat.of().formatHex(stream.readAllBytes());
        }
        if (value instanceof Reader reader) {
            return "reader " + read(reader);
        }
        return value.getClass().getSimpleName() + ' ' + value;
    }

    private static String read(Reader reader) throws Exception {
        var text = new StringBuilder();
        for (int c = reader.read(); c >= 0; c = reader.read()) {
            text.append((char) c);
        }
        return text.toString();
    }

    /** Every row, every cell. */
    private static String rows(ResultSet rows) throws SQLException {
        var text = new StringBuilder();
        try (rows) {
            ResultSetMetaData metaData = rows.getMetaData();
            while (rows.next()) {
                text.append('(');
                for (int i = 1; i <= metaData.getColumnCount(); i++) {
                    text.append(metaData.getColumnLabel(i))
                            .append('=')
                            .append(cell(rows, i))
                            .append(';');
                }
                text.append(')');
            }
        }
        return text.toString();
    }

    private static String cell(ResultSet rows, int column) throws SQLException {
        String value = rows.getString(column);
        return value + (rows.wasNull() ? "/null" : "");
    }

    /** What is told about every column or parameter. */
    private static String columns(Object metaData) throws Exception {
        boolean isResult = metaData instanceof ResultSetMetaData;
        Class<?> type = isResult ? ResultSetMetaData.class : ParameterMetaData.class;
        int count = isResult
                ? ((ResultSetMetaData) metaData).getColumnCount()
                : ((ParameterMetaData) metaData).getParameterCount();
        var text = new StringBuilder("count " + count);
        for (Method method : sorted(type)) {
            for (int i = 1; i <= count && method.getParameterCount() == 1; i++) {
                if (method.getParameterTypes()[0] == int.class) {
                    text.append(' ').append(method.getName()).append('=').append(told(method, metaData, i));
                }
            }
        }
        return text.toString();
    }

    private static String told(Method method, Object metaData, int column) {
        try {
            return String.valueOf(invoke(method, metaData, column));
        } catch (Exception failed) {
            return failure(failed);
        }
    }
}
