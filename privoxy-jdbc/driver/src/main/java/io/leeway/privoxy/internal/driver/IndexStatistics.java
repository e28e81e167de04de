package io.leeway.privoxy.internal.driver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hides the two columns of an index's description that count rows and pages.
 *
 * <p>The number of different keys of an index is the number of rows of a table that no view may show.
 */
final class IndexStatistics {

    private static final Set<Object> COLUMNS = Set.of(11, 12, "CARDINALITY", "PAGES");
    private static final Map<Class<?>, Object> ZEROS = Map.ofEntries(
            Map.entry(byte.class, (byte) 0),
            Map.entry(short.class, (short) 0),
            Map.entry(int.class, 0),
            Map.entry(long.class, 0L),
            Map.entry(float.class, 0f),
            Map.entry(double.class, 0d),
            Map.entry(String.class, "0"),
            Map.entry(BigDecimal.class, BigDecimal.ZERO),
            Map.entry(Object.class, 0L),
            Map.entry(Integer.class, 0),
            Map.entry(Long.class, 0L));

    private IndexStatistics() {}

    /** The result with zeros in place of the statistics. Few rows, seldom read: a proxy is enough. */
    static ResultSet hide(ResultSet result) {
        ClassLoader loader = IndexStatistics.class.getClassLoader();
        Object hidden = Proxy.newProxyInstance(
                loader,
                new Class<?>[] {ResultSet.class},
                (proxy, method, arguments) -> answer(result, method, arguments));
        return (ResultSet) hidden;
    }

    /** By number and by name, whichever getter is used; a wrong type would be an error where there was none. */
    private static @Nullable Object answer(ResultSet result, Method method, Object @Nullable [] arguments)
            throws Throwable {
        Object answer;
        try {
            answer = method.invoke(result, arguments);
        } catch (InvocationTargetException refused) {
            throw refused.getCause() == null ? refused : refused.getCause();
        }
        if (answer == null || arguments == null || !method.getName().startsWith("get") || !isStatistic(arguments[0])) {
            return answer;
        }
        boolean isTyped = arguments.length == 2 && arguments[1] instanceof Class<?>;
        return ZEROS.get(isTyped ? arguments[1] : method.getReturnType());
    }

    private static boolean isStatistic(Object column) {
        return COLUMNS.contains(column instanceof String name ? name.toUpperCase(Locale.ROOT) : column);
    }
}
