package io.leeway.lazytables.internal.config;

import io.leeway.lazytables.LazyTablesOption;
import io.leeway.lazytables.LazyTablesOptions;
import io.leeway.lazytables.internal.console.DidYouMean;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Options that a program has not given itself: system properties under the options' keys, then variables of the
 * environment, {@code LAZYTABLES_TOKEN_FILE} for {@code lazytables.token.file}.
 *
 * <p>Properties count more, as they are given for one program; the environment may be that of a whole machine. Without
 * state.
 */
public final class Surroundings {

    private static final String VARIABLES = "LAZYTABLES_";
    /** Of the script that starts the command line. */
    private static final String CLASSPATH = "LAZYTABLES_CLASSPATH";
    /**
     * What Kubernetes tells each container of a service that is named after us, or nearly so.
     *
     * <p>A service called "lazytables" is not a mistake.
     */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_[A-Z0-9_]+)?)");
    /** One of these is left of our name, whatever else was mistyped. */
    private static final Pattern LIKE_OURS = Pattern.compile("(?i).*(lazy|table).*");

    private static final Set<String> KEYS =
            LazyTablesOptions.all().stream().map(LazyTablesOption::key).collect(Collectors.toUnmodifiableSet());
    private static final Set<String> NAMES =
            KEYS.stream().map(Surroundings::variable).collect(Collectors.toUnmodifiableSet());

    private Surroundings() {}

    /** Those of this process. */
    public static Map<String, String> options() {
        return options(System.getProperties(), System.getenv());
    }

    /**
     * A property or variable that is no option, and was meant to be one, is kept under the name that it was given, so
     * that it is told as a fault: without it the program would run alone where it should run with others.
     */
    static Map<String, String> options(Properties properties, Map<String, String> environment) {
        var options = new LinkedHashMap<String, String>();
        for (String key : KEYS) {
            String value = environment.get(variable(key));
            if (value != null) {
                options.put(key, value);
            }
        }
        environment.forEach((name, value) -> {
            boolean isKnown = NAMES.contains(name) || name.equals(CLASSPATH);
            if (!isKnown
                    && isMeant(name, VARIABLES, NAMES)
                    && !OF_KUBERNETES.matcher(name).matches()) {
                options.put(name, value);
            }
        });
        for (String key : properties.stringPropertyNames()) {
            if (KEYS.contains(key) || isMeant(key, LazyTablesOptions.PREFIX, KEYS)) {
                options.put(key, properties.getProperty(key));
            }
        }
        return options;
    }

    /**
     * Whether it was to be one of these names: by how it begins, or as it is so near to one of them that nothing else
     * can be meant.
     *
     * <p>Nearness alone is not enough: other programs have variables too.
     */
    private static boolean isMeant(String name, String prefix, Set<String> names) {
        return name.startsWith(prefix)
                || LIKE_OURS.matcher(name).matches()
                        && !DidYouMean.hint(name, names).isEmpty();
    }

    /**
     * What to say of a name that is no option, with the one that was meant, as it would be written in the same place.
     */
    static String unknown(String name) {
        boolean isVariable =
                name.indexOf('.') < 0 && (name.indexOf('_') >= 0 || name.equals(name.toUpperCase(Locale.ROOT)));
        return "unknown option " + name
                + (isVariable ? " in the environment" + DidYouMean.hint(name, NAMES) : DidYouMean.hint(name, KEYS));
    }

    /** The name of the variable for an option. */
    public static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replace('.', '_');
    }
}
