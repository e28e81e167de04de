package io.leeway.autotune.internal.agent;

import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.AutoTuneOptions;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.bridge.Bridge;
import io.leeway.autotune.internal.knobs.KnobRegistry;
import io.leeway.autotune.internal.measure.Recording;
import io.leeway.autotune.internal.measure.Signals;
import io.leeway.autotune.internal.measure.Spans;
import io.leeway.autotune.internal.measure.Vitals;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts the agent together and lets it watch over itself. Everything is caught: the host runs as it would without it. */
public final class Agent {

    private static final long WATCH_MILLIS = 500;

    /** Every fifth second, what costs more than a glance. */
    private static final int LOOK_EVERY = 10;

    private final AutoTuneOptions options;
    private final AgentLog log;
    private final KnobRegistry knobs;
    private final Recording recording;
    private final Signals signals = new Signals();
    private final Spans spans;
    private final HostMetrics metrics;
    private final KeptFile file;
    private final LocalService service;
    private final Lease lease;
    private final TuningThread tuning;

    private Agent(AutoTuneOptions options, AgentLog log) {
        this.options = options;
        this.log = log;
        this.knobs = new KnobRegistry(options, log::once);
        this.recording = new Recording(new Vitals());
        this.service = new LocalService(name(options), knobs, recording, log::say);
        this.spans = new Spans(service.name());
        this.metrics = new HostMetrics(log::once);
        this.file = new KeptFile(options.get(AutoTuneOptions.STATE), log::say);
        this.lease = new Lease(
                System::nanoTime, options.get(AutoTuneOptions.DEAD_MAN).toNanos());
        this.tuning = new TuningThread(service, lease, this::store, log::say);
    }

    /**
     * Starts it.
     *
     * @param arguments of the agent
     * @param instrumentation of this JVM; the bridge is on the bootstrap class path already
     */
    public static void start(@Nullable String arguments, Instrumentation instrumentation) {
        AutoTuneOptions options = AutoTuneOptions.ofThisProcess(arguments);
        if (options.get(AutoTuneOptions.ENABLED)) {
            new Agent(options, new AgentLog(options.get(AutoTuneOptions.LOG))).start(instrumentation);
        }
    }

    private static String name(AutoTuneOptions options) {
        String given = options.get(AutoTuneOptions.NAME);
        String command = System.getProperty("sun.java.command", "java").split(" ")[0];
        return given.isEmpty() ? command.substring(command.lastIndexOf('/') + 1) : given;
    }

    private void start(Instrumentation instrumentation) {
        open(instrumentation);
        Bridge.connect(new Bridge.Sink() {
            @Override
            public void found(Object host) {
                if (!metrics.found(host)) {
                    knobs.found(host);
                }
            }

            @Override
            public void record(long nanos, boolean failed, @Nullable String trace) {
                recording.record(nanos, failed);
                if (trace != null) {
                    spans.add(trace, nanos, failed);
                }
            }

            @Override
            public void worked(Object pool) {
                KnobRegistry.worked(pool);
            }
        });
        new Instrumenter(options.get(AutoTuneOptions.ENTRIES)).install(instrumentation, log::once);
        var thread = new Thread(this::live, "autotune-agent");
        thread.setDaemon(true);
        thread.start();
    }

    /** The names of an executor's threads are in fields that the JDK does not open to others. */
    private static void open(Instrumentation instrumentation) {
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of(),
                Map.of("java.util.concurrent", Set.of(Agent.class.getModule())),
                Set.of(),
                Map.of());
    }

    /** The rest is none of the main thread's time: the service starts while this does. */
    private void live() {
        if (options.get(AutoTuneOptions.FLIGHT_RECORDER)) {
            signals.startFlightRecorder(log::say);
        }
        try {
            String token = token();
            var requests = new Requests(service, lease, tuning, options, signals, spans, this::store);
            var channel = new ControlChannel(options.get(AutoTuneOptions.PORT), token, requests::answer, log::once);
            AgentFile file =
                    AgentFile.write(options.get(AutoTuneOptions.DIRECTORY), service.name(), channel.port(), token);
            channel.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(file), "autotune-end"));
            log.say("ready: " + service.name() + ", pid "
                    + ProcessHandle.current().pid());
        } catch (IOException | RuntimeException e) {
            log.say("no control channel, it measures only: " + e);
        }
        watch();
    }

    private static void delete(AgentFile file) {
        try {
            file.close();
        } catch (IOException e) {
            // The next agent removes it.
        }
    }

    /** The dead man's switch: who changed something and is not heard of any more has its changes taken back. */
    private void watch() {
        long begun = System.nanoTime();
        int looks = 0;
        boolean toStart = options.get(AutoTuneOptions.TUNE);
        while (true) {
            try {
                Thread.sleep(WATCH_MILLIS);
                recording.watch();
                if (looks++ % LOOK_EVERY == 0) {
                    look();
                }
                if (tuning.isRunning()) {
                    lease.take(TuningThread.HOLDER);
                } else if (lease.isOver() && service.isDirty()) {
                    log.say("nothing heard of " + lease.holder() + ": back to what was last kept");
                    service.restore();
                }
                if (toStart
                        && System.nanoTime() - begun
                                > options.get(AutoTuneOptions.DELAY).toNanos()) {
                    toStart = false;
                    tuning.start(options);
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException | LinkageError e) {
                log.once("goes on after " + e);
            }
        }
    }

    private void store() {
        file.write(service.first(), service.read());
    }

    /** Puts back what was kept before a restart, where its pool is found again, and brings metrics up to date. */
    private void look() {
        Setting present = service.read();
        if (!tuning.isRunning() && !service.isDirty()) {
            file.due(present).values().forEach((name, value) -> {
                var change = new Setting(Map.of(name, value));
                try {
                    service.apply(change);
                    service.keep();
                    log.say(change.changesFrom(present) + ": as it was kept before the restart");
                } catch (AutoTuneException e) {
                    service.restore();
                    log.say("not put back: " + e.getMessage());
                }
            });
        }
        metrics.update(recording.recent(), service.read().values(), tuning.rounds(), tuning.isRunning());
    }

    private static String token() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
