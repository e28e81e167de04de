package io.leeway.demo;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Exceptions as text. */
final class StackTraces {

    private StackTraces() {}

    static String of(Throwable thrown) {
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }
}
