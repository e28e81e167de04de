package io.leeway.privoxy.internal.driver;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.leeway.privoxy.internal.guard.Parameters;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What becomes of each method of JDBC: jdbc-methods.txt says it, one line a name, or one line a form where forms differ. A
 * method that it does not name is the JDK's own default, whatever JDK that is, and reaches no driver.
 */
class JdbcMethodsTest {

    private static final Map<Class<?>, Class<?>> WRAPPERS = new LinkedHashMap<>();

    static {
        WRAPPERS.put(Connection.class, CheckedConnection.class);
        WRAPPERS.put(Statement.class, CheckedStatement.class);
        WRAPPERS.put(PreparedStatement.class, CheckedPreparedStatement.class);
        WRAPPERS.put(CallableStatement.class, CheckedCallableStatement.class);
        WRAPPERS.put(ResultSet.class, CheckedResultSet.class);
        WRAPPERS.put(DatabaseMetaData.class, CheckedDatabaseMetaData.class);
    }

    /** What a method calls besides the real method, and what is said of it. */
    private static final Map<Set<String>, String> SHAPES = Map.of(
            Set.of(), "passed on",
            Set.of("wrap"), "passed on, its result wrapped",
            Set.of("read"), "passed on as a cell that is read",
            Set.of("change"), "a cell changed",
            Set.of("change", "UNKNOWN"), "a cell changed, its value not known",
            Set.of("bind"), "bound",
            Set.of("bind", "UNKNOWN"), "bound, its value not known",
            Set.of("bindByName"), "bound by name");

    private static final JavaClasses CODE = new ClassFileImporter()
            .importClasses(
                    ForwardingConnection.class,
                    ForwardingStatement.class,
                    ForwardingPreparedStatement.class,
                    ForwardingCallableStatement.class,
                    ForwardingResultSet.class,
                    ForwardingDatabaseMetaData.class);

    @Test
    void eachMethodIsStillWhatItWas() throws IOException {
        List<String> lines =
                WRAPPERS.entrySet().stream().flatMap(JdbcMethodsTest::lines).toList();

        assertThat(String.join("\n", lines) + "\n").isEqualTo(written());
    }

    private static String written() throws IOException {
        try (InputStream in = Objects.requireNonNull(JdbcMethodsTest.class.getResourceAsStream("jdbc-methods.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The lines of an interface: its own methods, and those of the ones above that it does otherwise. */
    private static Stream<String> lines(Map.Entry<Class<?>, Class<?>> entry) {
        Map<String, List<Method>> names = Arrays.stream(entry.getKey().getMethods())
                .filter(method -> isOf(entry.getKey(), entry.getValue(), method))
                .sorted(Comparator.comparing(JdbcMethodsTest::form))
                .collect(groupingBy(Method::getName, TreeMap::new, Collectors.toList()));
        String type = entry.getKey().getSimpleName();
        return names.entrySet().stream().flatMap(name -> lines(type, name.getValue(), entry.getValue()));
    }

    private static boolean isOf(Class<?> type, Class<?> wrapper, Method method) {
        Class<?> implementer = implementer(wrapper, method);
        boolean isAsAbove = Arrays.stream(type.getInterfaces())
                .filter(WRAPPERS::containsKey)
                .anyMatch(above -> implementer.isAssignableFrom(WRAPPERS.get(above)));
        return !implementer.isInterface() && !isAsAbove;
    }

    private static Stream<String> lines(String type, List<Method> forms, Class<?> wrapper) {
        Map<Method, String> shapes = new LinkedHashMap<>();
        forms.forEach(form -> shapes.put(form, shape(wrapper, form)));
        return Set.copyOf(shapes.values()).size() == 1
                ? Stream.of(type + "." + forms.get(0).getName() + ": " + shapes.get(forms.get(0)))
                : shapes.entrySet().stream().map(shape -> type + "." + form(shape.getKey()) + ": " + shape.getValue());
    }

    private static String shape(Class<?> wrapper, Method method) {
        Class<?> implementer = implementer(wrapper, method);
        if (!implementer.getSimpleName().startsWith("Forwarding")) {
            return "decided by " + implementer.getSimpleName();
        }
        JavaMethod code = CODE.get(implementer).getMethod(method.getName(), method.getParameterTypes());
        assertThat(code.getMethodCallsFromSelf())
                .as("%s calls the real method", code)
                .anyMatch(call -> isForm(call.getTarget(), method));
        Set<String> others = code.getAccessesFromSelf().stream()
                .map(JavaAccess::getTarget)
                .filter(target -> target.getOwner().isEquivalentTo(implementer)
                        || target.getOwner().isEquivalentTo(Parameters.class))
                .map(AccessTarget::getName)
                .filter(name -> !name.equals("delegate"))
                .collect(Collectors.toSet());
        return Objects.requireNonNull(SHAPES.get(others), () -> code + " is of no known shape: " + others);
    }

    private static boolean isForm(MethodCallTarget target, Method method) {
        List<String> given =
                Arrays.stream(method.getParameterTypes()).map(Class::getName).toList();
        return target.getOwner().isEquivalentTo(method.getDeclaringClass())
                && target.getName().equals(method.getName())
                && target.getRawParameterTypes().stream()
                        .map(JavaClass::getName)
                        .toList()
                        .equals(given);
    }

    private static Class<?> implementer(Class<?> wrapper, Method method) {
        try {
            return wrapper.getMethod(method.getName(), method.getParameterTypes())
                    .getDeclaringClass();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String form(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }
}
