package io.leeway.lazytables.internal.config;

import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;

/** Options that a program has not given itself: system properties under the options' keys, then variables of the environment, {@code LAZYTABLES_TOKEN_FILE} for {@code lazytables.token.file}. */
public final class Surroundings {

    private Surroundings() {}

    /** Those of this process. */
    public static Map<String, String> options() {
        return options(System.getProperties(), System.getenv());
    }

    /** A property that is no option is kept, so that it is told as a fault; a variable that is none may be somebody else's. */
    static Map<String, String> options(Properties properties, Map<String, String> environment) {
        var options = new LinkedHashMap<String, String>();
        for (LazyTablesOption<?> option : LazyTablesOptions.all()) {
            String value = environment.get(variable(option.key()));
            if (value != null) {
                options.put(option.key(), value);
            }
        }
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
