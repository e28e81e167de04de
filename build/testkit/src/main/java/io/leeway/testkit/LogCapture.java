package io.leeway.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Collects what is logged below a name while it is open, at every level, and keeps it from the console.
 *
 * <p>{@code System.Logger} and, through a binding, SLF4J end in {@code java.util.logging} here, so both are seen.
 * Thread-safe; not for two captures of the same name at once.
 */
public final class LogCapture implements AutoCloseable {

    /**
     * One line of the log.
     *
     * @param message with its arguments filled in
     */
    public record Line(
            Level level,
            String logger,
            String message,
            @Nullable Throwable thrown) {}

    private final Logger logger;
    private final @Nullable Level levelBefore;
    private final boolean parentsBefore;
    private final Collector collector = new Collector();

    private LogCapture(Logger logger) {
        this.logger = logger;
        this.levelBefore = logger.getLevel();
        this.parentsBefore = logger.getUseParentHandlers();
    }

    /** Starts to collect what is logged under this name and the names below it. */
    public static LogCapture of(String loggerName) {
        var capture = new LogCapture(Logger.getLogger(loggerName));
        capture.logger.setLevel(Level.ALL);
        capture.logger.setUseParentHandlers(false);
        capture.logger.addHandler(capture.collector);
        return capture;
    }

    /** Everything so far. */
    public List<Line> lines() {
        return List.copyOf(collector.lines);
    }

    /** The messages of one level so far. */
    public List<String> messages(Level level) {
        return lines().stream()
                .filter(line -> line.level().equals(level))
                .map(Line::message)
                .toList();
    }

    /** Everything so far as one text, for checks that something is <em>not</em> logged. */
    public String text() {
        var text = new StringBuilder();
        for (Line line : lines()) {
            text.append(line.level()).append(' ').append(line.message()).append('\n');
            if (line.thrown() != null) {
                text.append(line.thrown()).append('\n');
            }
        }
        return text.toString();
    }

    /** Puts the logger back as it was. */
    @Override
    public void close() {
        logger.removeHandler(collector);
        logger.setUseParentHandlers(parentsBefore);
        logger.setLevel(levelBefore);
    }

    private static final class Collector extends Handler {

        private final List<Line> lines = new CopyOnWriteArrayList<>();
        private final SimpleFormatter formatter = new SimpleFormatter();

        @Override
        public void publish(LogRecord entry) {
            String name = entry.getLoggerName() == null ? "" : entry.getLoggerName();
            lines.add(new Line(entry.getLevel(), name, formatter.formatMessage(entry), entry.getThrown()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
