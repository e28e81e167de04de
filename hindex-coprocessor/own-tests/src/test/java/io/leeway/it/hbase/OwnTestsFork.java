package io.leeway.it.hbase;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * The main class of a JVM that runs a class and tells about it on its standard output, in lines that begin with
 * {@value #MARK}. It ends with its parent.
 */
final class OwnTestsFork {

    static final String MARK = "@own-tests ";

    private OwnTestsFork() {}

    /** A class, and the qualifiers that get an index. */
    public static void main(String[] arguments) throws ClassNotFoundException {
        var guard = new Thread(OwnTestsFork::haltWithParent, "own-tests-parent");
        guard.setDaemon(true);
        guard.start();
        PrintStream out = System.out;
        // Its own voice stays apart from what tests print.
        System.setOut(System.err);
        run(arguments[0], List.of(arguments[1].split(",")), out);
        // Clusters may leave threads behind.
        out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void run(String name, List<String> qualifiers, PrintStream out) throws ClassNotFoundException {
        IndexEveryTable.expect(qualifiers);
        out.println(MARK + "begin " + name);
        var core = new JUnitCore();
        core.addListener(new RunListener() {
            @Override
            public void testStarted(Description description) {
                out.println(MARK + "test " + description.getMethodName());
            }
        });
        Result result = core.run(Class.forName(name));
        for (Failure failure : result.getFailures()) {
            System.err.println(failure.getTestHeader() + "\n" + failure.getTrace());
            out.println(MARK + "failure " + failure.getTestHeader() + ": " + firstLine(failure));
        }
        out.println(MARK + "end " + result.getRunCount() + " " + result.getFailureCount() + " "
                + (result.getIgnoreCount() + result.getAssumptionFailureCount()) + " "
                + CountedEntries.written() + " " + CountedEntries.removed());
        out.flush();
    }

    private static String firstLine(Failure failure) {
        return String.valueOf(failure.getException()).lines().findFirst().orElse("");
    }

    private static void haltWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is ever written; only the end matters.
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(1);
    }
}
