package io.leeway.lazybase.internal.pg;

import java.util.LinkedHashMap;
import java.util.Map;

/** The {@code options} of a connection: {@code -c name=value} and {@code --name=value}, where a backslash keeps a space. */
final class StartupOptions {

    private StartupOptions() {}

    static Map<String, String> parse(String text) {
        var settings = new LinkedHashMap<String, String>();
        var word = new StringBuilder();
        boolean named = false;
        for (int i = 0; i <= text.length(); i++) {
            char c = i == text.length() ? ' ' : text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
            } else if (!Character.isWhitespace(c)) {
                word.append(c);
            } else if (!word.isEmpty()) {
                named = take(word.toString(), named, settings);
                word.setLength(0);
            }
        }
        return settings;
    }

    private static boolean take(String word, boolean named, Map<String, String> settings) {
        if (word.equals("-c")) {
            return true;
        }
        String setting = word;
        if (!named) {
            setting = word.startsWith("--") || word.startsWith("-c") ? word.substring(2) : "";
        }
        int split = setting.indexOf('=');
        if (split > 0) {
            settings.put(setting.substring(0, split), setting.substring(split + 1));
        }
        return false;
    }
}
