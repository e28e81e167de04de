package io.leeway.privoxy.internal.cli;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/** A line that tells how far a command is: on a terminal only, and only once it takes longer than two seconds. */
final class Progress implements AutoCloseable {

    private static final long PATIENCE_NANOS = 2_000_000_000L;
    private static final long INTERVAL_NANOS = 100_000_000L;
    private static final int WIDTH = 30;

    private final PrintStream err;
    private final boolean isShown;
    private final String label;
    private final LongSupplier nanoTime;
    private final long start;
    private long lastShown;
    private int length;

    Progress(Console console, String label, LongSupplier nanoTime) {
        this.err = console.err();
        this.isShown = console.isTerminal();
        this.label = label;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
        this.lastShown = start;
    }

    static Progress of(Console console, String label) {
        return new Progress(console, label, System::nanoTime);
    }

    /** So much is done. */
    void at(long done, long all) {
        long now = nanoTime.getAsLong();
        if (!isShown || now - start < PATIENCE_NANOS || now - lastShown < INTERVAL_NANOS) {
            return;
        }
        lastShown = now;
        double share = all <= 0 ? 0 : Math.min(1, (double) done / all);
        int full = (int) (share * WIDTH);
        String bar = "#".repeat(full) + "-".repeat(WIDTH - full);
        show("%s [%s] %3d %%".formatted(label, bar, (int) (share * 100)));
    }

    private void show(String line) {
        err.print('\r' + line + " ".repeat(Math.max(0, length - line.length())));
        err.flush();
        length = line.length();
    }

    /** Takes the line away. */
    @Override
    public void close() {
        if (length > 0) {
            err.print('\r' + " ".repeat(length) + '\r');
            err.flush();
            length = 0;
        }
    }
}
