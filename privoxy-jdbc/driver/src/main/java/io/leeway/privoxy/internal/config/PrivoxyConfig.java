package io.leeway.privoxy.internal.config;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyMode;
import io.leeway.privoxy.PrivoxyOption;
import io.leeway.privoxy.PrivoxyOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a connection, complete and valid. Immutable; two configurations are equal if all options have the same
 * values.
 */
public final class PrivoxyConfig {

    private static final Map<String, PrivoxyOption<?>> BY_KEY = byKey();

    private final Map<PrivoxyOption<?>, Object> values;

    private PrivoxyConfig(Map<PrivoxyOption<?>, Object> values) {
        this.values = Map.copyOf(values);
    }

    /**
     * Reads options given as text under their keys.
     *
     * @throws PrivoxyFailureException naming every unknown key, every value out of bounds and every contradiction
     */
    public static PrivoxyConfig of(Map<String, String> given) throws PrivoxyFailureException {
        var faults = new ArrayList<String>();
        for (String key : new TreeMap<>(given).keySet()) {
            if (!BY_KEY.containsKey(key)) {
                faults.add("unknown option " + key + DidYouMean.hint(key, BY_KEY.keySet()));
            }
        }
        var values = new LinkedHashMap<PrivoxyOption<?>, Object>();
        for (PrivoxyOption<?> option : PrivoxyOptions.all()) {
            values.put(option, valueOf(option, given.get(option.key()), faults));
        }
        var config = new PrivoxyConfig(values);
        if (faults.isEmpty()) {
            config.contradictions(given, faults);
        }
        if (!faults.isEmpty()) {
            String detail = String.join("; ", faults) + ".";
            throw new PrivoxyFailureException(PrivoxyErrorCode.CONFIGURATION, detail);
        }
        return config;
    }

    /** The value of an option. */
    @SuppressWarnings("unchecked")
    public <T> T get(PrivoxyOption<T> option) {
        return (T) Objects.requireNonNull(values.get(option), option::key);
    }

    /** The mode for tables without one of their own. */
    public PrivoxyMode mode() {
        return get(PrivoxyOptions.MODE);
    }

    /** Whether a key is one of an option, known or mistyped, rather than one for the real driver. */
    public static boolean isOwnKey(String key) {
        return key.regionMatches(true, 0, PrivoxyOptions.KEY_PREFIX, 0, PrivoxyOptions.KEY_PREFIX.length())
                && !isContextKey(key);
    }

    /** Whether a key gives a context parameter. */
    public static boolean isContextKey(String key) {
        return key.regionMatches(true, 0, PrivoxyOptions.CONTEXT_PREFIX, 0, PrivoxyOptions.CONTEXT_PREFIX.length());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PrivoxyConfig config && values.equals(config.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /** Keys and values, without those that are sensitive. */
    @Override
    public String toString() {
        var text = new TreeMap<String, Object>();
        values.forEach((option, value) -> text.put(option.key(), option.sensitive() ? "***" : value));
        return text.toString();
    }

    private void contradictions(Map<String, String> given, List<String> faults) {
        boolean off = mode() == PrivoxyMode.OFF;
        if (get(PrivoxyOptions.POLICY).isEmpty() && !off) {
            faults.add("privoxyPolicy is missing; without a policy only privoxyMode=off can be used");
        }
        if (off && given.containsKey(PrivoxyOptions.TABLES.key())) {
            faults.add("privoxyTables contradicts privoxyMode=off");
        }
        boolean reviewed = get(PrivoxyOptions.TEMPLATE_USE) == PrivoxyOptions.TemplateUse.REVIEWED;
        if (reviewed && get(PrivoxyOptions.TEMPLATES).isEmpty()) {
            faults.add("privoxyTemplateUse=reviewed needs privoxyTemplates");
        }
        if (get(PrivoxyOptions.VALUES) && get(PrivoxyOptions.EXPLAIN) != PrivoxyOptions.Explain.COUNTEREXAMPLE) {
            faults.add("privoxyValues=true has no effect without privoxyExplain=counterexample");
        }
    }

    private static Object valueOf(PrivoxyOption<?> option, @Nullable String text, List<String> faults) {
        if (text != null) {
            try {
                return option.parse(text);
            } catch (IllegalArgumentException refused) {
                faults.add(option.key() + " " + refused.getMessage());
            }
        }
        return option.parse(option.defaultText());
    }

    private static Map<String, PrivoxyOption<?>> byKey() {
        var byKey = new TreeMap<String, PrivoxyOption<?>>();
        for (PrivoxyOption<?> option : PrivoxyOptions.all()) {
            byKey.put(option.key(), option);
        }
        return byKey;
    }
}
