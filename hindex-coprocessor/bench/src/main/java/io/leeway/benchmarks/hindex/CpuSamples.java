package io.leeway.benchmarks.hindex;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import javax.management.remote.JMXConnector;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import jdk.management.jfr.FlightRecorderMXBean;

/** What a server's threads were found at while they used the CPU, by the JDK's flight recorder in that server. */
final class CpuSamples {

    /** For the server: a write that a write has called is deeper than the recorder looks by itself. */
    static final List<String> OPTIONS = List.of(
            "-XX:FlightRecorderOptions=stackdepth=256", "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");

    private static final String SAMPLE = "jdk.ExecutionSample";

    private CpuSamples() {}

    /** What is done while samples are taken. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    /**
     * A sample.
     *
     * @param thread its name
     * @param frames classes and methods, {@code a.B.c}, the innermost first
     */
    record Sample(String thread, List<String> frames) {

        boolean isIn(String frame) {
            return frames.stream().anyMatch(each -> each.startsWith(frame));
        }
    }

    static void take(ProcessHandle server, Work work, Consumer<Sample> samples) throws Exception {
        Path file = Files.createTempFile("samples", ".jfr");
        try (JMXConnector connector = ServerJmx.connect(server)) {
            var recorder = ManagementFactory.getPlatformMXBean(
                    connector.getMBeanServerConnection(), FlightRecorderMXBean.class);
            long recording = recorder.newRecording();
            recorder.setPredefinedConfiguration(recording, "profile");
            recorder.startRecording(recording);
            work.run();
            recorder.stopRecording(recording);
            recorder.copyTo(recording, file.toString());
            recorder.closeRecording(recording);
            read(file, samples);
        } finally {
            Files.delete(file);
        }
    }

    private static void read(Path file, Consumer<Sample> samples) throws IOException {
        try (var recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                RecordedStackTrace stack = event.getStackTrace();
                if (event.getEventType().getName().equals(SAMPLE) && stack != null) {
                    samples.accept(new Sample(
                            event.getThread("sampledThread").getJavaName(),
                            stack.getFrames().stream().map(CpuSamples::name).toList()));
                }
            }
        }
    }

    private static String name(RecordedFrame frame) {
        return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
    }
}
