package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.CommitToken;
import io.leeway.lazybase.Freshness;
import io.leeway.lazybase.LazyBaseException;
import io.leeway.lazybase.LazyBaseException.Code;
import io.leeway.lazybase.internal.console.DidYouMean;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Settings of a session: those of our own, which are checked, and those of PostgreSQL, which are only kept. For one thread. */
final class SessionSettings {

    static final String FRESHNESS = "lazybase.freshness";
    static final String MONOTONIC = "lazybase.monotonic";
    static final String AT_LEAST = "lazybase.at_least";
    static final String WINDOW = "lazybase.window";
    static final String NOTICE = "lazybase.notice";

    private static final List<String> OWN = List.of(FRESHNESS, MONOTONIC, AT_LEAST, WINDOW, NOTICE);

    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry(MONOTONIC, "on"),
            Map.entry(AT_LEAST, ""),
            Map.entry(WINDOW, ""),
            Map.entry(NOTICE, "off"),
            Map.entry("server_version", "15.0"),
            Map.entry("server_version_num", "150000"),
            Map.entry("server_encoding", "UTF8"),
            Map.entry("client_encoding", "UTF8"),
            Map.entry("datestyle", "ISO, MDY"),
            Map.entry("intervalstyle", "postgres"),
            Map.entry("integer_datetimes", "on"),
            Map.entry("standard_conforming_strings", "on"),
            Map.entry("timezone", "UTC"),
            Map.entry("extra_float_digits", "3"),
            Map.entry("application_name", ""),
            Map.entry("search_path", "public"),
            Map.entry("transaction_isolation", "repeatable read"),
            Map.entry("default_transaction_isolation", "repeatable read"),
            Map.entry("transaction_read_only", "off"),
            Map.entry("default_transaction_read_only", "off"),
            Map.entry("max_identifier_length", "63"),
            Map.entry("max_index_keys", "32"),
            Map.entry("is_superuser", "off"),
            Map.entry("lc_collate", "C"),
            Map.entry("default_table_access_method", "heap"),
            Map.entry("statement_timeout", "0"));

    private final Engine engine;
    private final Map<String, String> settings = new TreeMap<>();

    SessionSettings(Engine engine) {
        this.engine = engine;
    }

    /** What a setting is; null if there is none of that name. */
    @Nullable
    String get(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        if (key.equals(FRESHNESS) && !settings.containsKey(key)) {
            return engine.settings().freshness().toString();
        }
        return settings.getOrDefault(key, DEFAULTS.get(key));
    }

    /** Changes a setting; null is the default. Unknown ones of PostgreSQL are kept, unknown ones of our own are refused. */
    void set(String name, @Nullable String value) {
        String key = name.toLowerCase(Locale.ROOT);
        if (value == null) {
            settings.remove(key);
            return;
        }
        try {
            switch (key) {
                case FRESHNESS -> Freshness.parse(value);
                case WINDOW -> window(value);
                case AT_LEAST -> atLeast(value);
                case MONOTONIC, NOTICE -> {
                    if (!value.equals("on") && !value.equals("off")) {
                        throw new IllegalArgumentException("'" + value + "' is neither on nor off");
                    }
                }
                default -> {
                    if (key.startsWith("lazybase.")) {
                        throw new LazyBaseException(
                                Code.NOT_FOUND, "There is no setting " + name + DidYouMean.hint(key, OWN));
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw new LazyBaseException(Code.BAD_VALUE, e.getMessage() + ".", e);
        }
        settings.put(key, value);
    }

    static CommitToken atLeast(String text) {
        return text.isEmpty() ? CommitToken.NONE : CommitToken.parse(text);
    }

    static long window(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        return Freshness.parse(text) instanceof Freshness.Within within
                ? within.age().toMillis()
                : 0;
    }

    boolean isOn(String name) {
        return "on".equals(get(name));
    }
}
