package io.leeway.autotune.internal.agent;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.internal.tune.Outcome;
import io.leeway.autotune.internal.tune.Plan;
import io.leeway.autotune.internal.tune.Round;
import io.leeway.autotune.internal.tune.Tuner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

/** Tuning inside the agent: at most one run at a time, on a thread of its own. Thread-safe. */
final class TuningThread {

    /** What the lease is held as. */
    static final String HOLDER = "the agent itself";

    private static final int MOST_ROUNDS = 2_000;
    private static final long BREAK_OFF_MILLIS = 30_000;

    private final LocalService service;
    private final Lease lease;
    private final Runnable store;
    private final Consumer<String> log;
    private final List<Round> rounds = new ArrayList<>();
    private volatile boolean stopped;
    private Thread thread = new Thread();
    private String state = "idle";

    TuningThread(LocalService service, Lease lease, Runnable store, Consumer<String> log) {
        this.service = service;
        this.lease = lease;
        this.store = store;
        this.log = log;
    }

    synchronized void start(AutoTuneOptions options) {
        if (thread.isAlive()) {
            throw AutoTuneError.LEASED.because("a run is under way");
        }
        lease.take(HOLDER);
        stopped = false;
        rounds.clear();
        state = "tuning";
        thread = new Thread(() -> run(Plan.of(options)), "autotune-tuner");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Plan plan) {
        try {
            long begun = System.nanoTime();
            var tuner = new Tuner(service, plan, this::tell, () -> stopped, () -> (System.nanoTime() - begun) / 1e9, 1);
            Outcome outcome = tuner.run();
            done(
                    outcome.accepted()
                            ? "done: " + outcome.last().changesFrom(outcome.first())
                            : "done: nothing better found");
        } catch (CancellationException e) {
            done("broken off: what was last kept is in place");
        } catch (RuntimeException | LinkageError e) {
            done("failed: " + e);
        }
    }

    private synchronized void done(String how) {
        state = how;
        lease.release(HOLDER);
        store.run();
        log.accept(how);
    }

    private synchronized void tell(Round round) {
        lease.take(HOLDER);
        if (rounds.size() < MOST_ROUNDS) {
            rounds.add(round);
        }
        log.accept(round.line());
    }

    /** Asks it to end after this round; what is best by then is verified. */
    void stop() {
        stopped = true;
    }

    /** Ends it at once, in the middle of a window if need be, and waits until its trial is taken back. */
    void breakOff() throws InterruptedException {
        Thread running;
        synchronized (this) {
            running = thread;
        }
        stopped = true;
        running.interrupt();
        running.join(BREAK_OFF_MILLIS);
        if (running.isAlive()) {
            throw AutoTuneError.LEASED.because("the run did not end in time");
        }
    }

    synchronized List<Round> rounds() {
        return List.copyOf(rounds);
    }

    synchronized String state() {
        return state;
    }

    /** As long as a run is under way its lease is renewed: a window may be longer than the dead man's time. */
    synchronized boolean isRunning() {
        return thread.isAlive();
    }
}
