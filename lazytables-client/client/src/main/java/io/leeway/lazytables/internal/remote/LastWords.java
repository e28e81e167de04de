package io.leeway.lazytables.internal.remote;

import io.leeway.lazytables.LazyTablesException.Code;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a server's process says and does that has no memory left: all of it was made before. Whatever else is tried
 * then, such as to log, may fail in turn and leave a process that lives and answers nobody.
 *
 * <p>Used by a server's process only; a server inside a program must not end that.
 */
public final class LastWords {

    /** As Java's own option for it has it. */
    private static final int EXIT_CODE = 3;

    private static final byte[] WORDS = (Code.MEMORY.text()
                    + ": The server has no memory left and ends at once, without a last snapshot: start it again with more"
                    + " (-Xmx), or spread the tables over more servers. It goes on from its newest snapshot\n")
            .getBytes(StandardCharsets.US_ASCII);

    /** Not the stream that Java gives for it, which encodes, and locks, and so needs memory. */
    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.err);

    private static volatile boolean endsProcess;

    private LastWords() {}

    /**
     * This process is a server's and nobody else's: it ends at once where any thread has no memory.
     *
     * <p>Threads of libraries may fail with it too, whom nobody else hears.
     */
    public static void endProcess() {
        endsProcess = true;
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (thrown instanceof OutOfMemoryError) {
                say();
            }
            System.getLogger(LastWords.class.getName()).log(System.Logger.Level.ERROR, "A thread failed", thrown);
        });
    }

    /** Says it and ends without hooks: one of them would close the server, and store what may be wrong. */
    static void say() {
        try {
            OUT.write(WORDS);
        } catch (IOException nobodyHears) {
            // The exit code says it, too.
        } finally {
            if (endsProcess) {
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }
}
