package io.leeway.lazytables.internal.config;

import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Options that a program has not given itself: system properties under the options' keys, then variables of the environment, {@code LAZYTABLES_TOKEN_FILE} for {@code lazytables.token.file}. */
public final class Surroundings {

    private static final String VARIABLES = "LAZYTABLES_";
    /** Of the launcher. */
    private static final String CLASSPATH = "LAZYTABLES_CLASSPATH";
    /** What Kubernetes tells each container of a service that is named after us. */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("LAZYTABLES(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[A-Z0-9_]+)?)");

    private Surroundings() {}

    /** Those of this process. */
    public static Map<String, String> options() {
        return options(System.getProperties(), System.getenv());
    }

    /** A property or variable that is no option is kept, so that it is told as a fault: without it the program would run alone where it should run with others. */
    static Map<String, String> options(Properties properties, Map<String, String> environment) {
        var options = new LinkedHashMap<String, String>();
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            String value = environment.get(variable(option.key()));
            if (value != null) {
                options.put(option.key(), value);
            }
        }
        Set<String> known = LazyTablesOptions.all().stream()
                .map(option -> variable(option.key()))
                .collect(Collectors.toSet());
        environment.forEach((name, value) -> {
            if (name.startsWith(VARIABLES)
                    && !known.contains(name)
                    && !name.equals(CLASSPATH)
                    && !OF_KUBERNETES.matcher(name).matches()) {
                options.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(LazyTablesOptions.PREFIX)) {
                options.put(key, properties.getProperty(key));
            }
        }
        return options;
    }

    /** The name of the variable for an option. */
    public static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
