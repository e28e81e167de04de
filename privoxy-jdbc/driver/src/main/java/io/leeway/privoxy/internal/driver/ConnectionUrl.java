package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import io.leeway.privoxy.PrivoxyOptions;
import io.leeway.privoxy.internal.config.PrivoxyConfig;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A URL with this driver's prefix, and properties, taken apart.
 *
 * @param database named by the URL
 * @param realUrl for the real driver, without own options
 * @param realProperties for the real driver, without own options
 * @param options own options as given
 * @param context context parameters as given
 */
record ConnectionUrl(
        Database database,
        String realUrl,
        Properties realProperties,
        Map<String, String> options,
        Map<String, String> context) {

    /** The prefix of the URLs that this driver takes. */
    static final String PREFIX = "jdbc:privoxy:";

    private static final String REAL_PREFIX = "jdbc:";

    static boolean isOurs(String url) {
        return url.startsWith(PREFIX);
    }

    /** Takes them apart. Options of the properties win over those of the URL, as with other drivers. */
    static ConnectionUrl of(String url, Properties properties) throws SQLException {
        String rest = url.substring(PREFIX.length());
        Database database = Database.ofUrl(rest);
        if (database == null) {
            String known = Stream.of(Database.values())
                    .map(each -> PREFIX + each.protocol() + ':')
                    .collect(Collectors.joining(", "));
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.CONFIGURATION, "The URL must begin with one of " + known + '.');
        }
        var options = new LinkedHashMap<String, String>();
        var context = new LinkedHashMap<String, String>();
        String realUrl = REAL_PREFIX + stripped(rest, database, options, context);
        Properties real = stripped(properties, options, context);
        return new ConnectionUrl(database, realUrl, real, options, context);
    }

    /**
     * The URL without parameters and credentials, for messages.
     *
     * <p>Passwords stand in URLs, and messages in logs.
     */
    static String safe(String url) {
        int end = url.length();
        for (char separator : new char[] {'?', ';'}) {
            int at = url.indexOf(separator);
            end = at >= 0 && at < end ? at : end;
        }
        String shown = url.substring(0, end);
        int host = shown.indexOf("//");
        int credentials = shown.lastIndexOf('@');
        return host >= 0 && credentials > host
                ? shown.substring(0, host + 2) + shown.substring(credentials + 1)
                : shown;
    }

    /** Takes own options out of properties; others stay, defaults included. */
    static Properties stripped(Properties given, Map<String, String> options, Map<String, String> context) {
        var real = new Properties();
        for (String key : given.stringPropertyNames()) {
            String value = given.getProperty(key);
            if (!take(key, value, options, context)) {
                real.setProperty(key, value);
            }
        }
        // Some drivers take objects that are no strings.
        given.forEach((key, value) -> {
            if (!(key instanceof String && value instanceof String)) {
                real.put(key, value);
            }
        });
        return real;
    }

    private static String stripped(
            String rest, Database database, Map<String, String> options, Map<String, String> context) {
        int start = rest.indexOf(database.firstSeparator());
        if (start < 0) {
            return rest;
        }
        var kept = new ArrayList<String>();
        for (String parameter : parameters(rest.substring(start + 1), database.separator())) {
            int equals = parameter.indexOf('=');
            String key = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            if (!take(key, value, options, context)) {
                kept.add(parameter);
            }
        }
        String base = rest.substring(0, start);
        return kept.isEmpty()
                ? base
                : base + database.firstSeparator() + String.join(String.valueOf(database.separator()), kept);
    }

    /** Own keys never reach the real driver, which would refuse or log them. */
    private static boolean take(String key, String value, Map<String, String> options, Map<String, String> context) {
        if (PrivoxyConfig.isContextKey(key)) {
            context.put(key.substring(PrivoxyOptions.CONTEXT_PREFIX.length()), value);
            return true;
        }
        if (PrivoxyConfig.isOwnKey(key)) {
            options.put(key, value);
            return true;
        }
        return false;
    }

    /** Splits at separators; H2 escapes one in a value with a backslash. */
    private static List<String> parameters(String text, char separator) {
        var parameters = new ArrayList<String>();
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == '\\' && separator == ';') {
                at++;
            } else if (text.charAt(at) == separator) {
                parameters.add(text.substring(from, at));
                from = at + 1;
            }
        }
        parameters.add(text.substring(from));
        return parameters;
    }

    /** Percent escapes; a plus sign stays one, as it is common in file names. */
    private static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var out = new byte[bytes.length];
        int length = 0;
        for (int at = 0; at < bytes.length; at++) {
            int value = bytes[at] == '%' && at + 2 < bytes.length ? hex(bytes[at + 1], bytes[at + 2]) : -1;
            out[length++] = value < 0 ? bytes[at] : (byte) value;
            at += value < 0 ? 0 : 2;
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private static int hex(byte high, byte low) {
        int value = Character.digit(high, 16) * 16 + Character.digit(low, 16);
        return Character.digit(high, 16) < 0 || Character.digit(low, 16) < 0 ? -1 : value;
    }
}
