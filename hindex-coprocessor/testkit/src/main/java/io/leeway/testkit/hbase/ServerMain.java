package io.leeway.testkit.hbase;

import java.io.IOException;
import java.util.Arrays;

/**
 * The main class of a server process: runs another class's main method, for as long as the parent process lives.
 *
 * <p>The parent holds a pipe to the standard input. At its end, whatever ended the parent, even a kill signal that no
 * shutdown hook sees, the server halts; so no server is ever left behind.
 */
final class ServerMain {

    private ServerMain() {}

    /** The class to run, then its arguments. */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        var guard = new Thread(ServerMain::haltWithParent, "testkit-parent");
        guard.setDaemon(true);
        guard.start();
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(arguments, 1, arguments.length));
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
