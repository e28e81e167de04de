package io.leeway.privoxy.internal.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where a command writes, and what it may ask its surroundings.
 *
 * @param out results
 * @param err problems and progress
 * @param environment variables; null for those that are not set
 * @param isTerminal whether somebody looks on, so that progress is worth showing
 */
public record Console(
        PrintStream out, PrintStream err, UnaryOperator<@Nullable String> environment, boolean isTerminal) {

    /** Since Java 22 there is a console without a terminal, too, that can be asked. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isOnTerminal() {
        java.io.Console console = System.console();
        if (console == null) {
            return false;
        }
        try {
            return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
        } catch (ReflectiveOperationException beforeJava22) {
            return true;
        }
    }

    /** The process's own. */
    public static Console ofProcess() {
        var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        var err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        return new Console(out, err, System::getenv, isOnTerminal());
    }
}
