package io.leeway.autotune.services;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** {@code name=value} arguments of a service. */
final class Arguments {

    private final String[] arguments;

    Arguments(String[] arguments) {
        this.arguments = arguments.clone();
    }

    int number(String name, int otherwise) {
        return Integer.parseInt(text(name, Integer.toString(otherwise)));
    }

    double decimal(String name, double otherwise) {
        return Double.parseDouble(text(name, Double.toString(otherwise)));
    }

    String text(String name, String otherwise) {
        return Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(name + "="))
                .map(argument -> argument.substring(name.length() + 1))
                .findFirst()
                .orElse(otherwise);
    }

    /** All whose name begins so, by the rest of the name. */
    Map<String, String> below(String prefix) {
        var values = new TreeMap<String, String>();
        for (String argument : arguments) {
            int end = argument.indexOf('=');
            if (argument.startsWith(prefix) && end > 0) {
                values.put(argument.substring(prefix.length(), end), argument.substring(end + 1));
            }
        }
        return values;
    }

    /** The pool and the hold of a service: {@code connections=}, {@code held=}. */
    Work work() {
        return new Work(number("connections", 10), decimal("held", 10));
    }
}
