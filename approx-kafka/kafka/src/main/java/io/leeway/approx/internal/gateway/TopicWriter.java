package io.leeway.approx.internal.gateway;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxException;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.WindowReport;
import io.leeway.approx.internal.wire.RecordData;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes records and reports into topics by an ordinary producer, on a thread of its own since a producer may block. What
 * waits is bounded by the credit of the sessions. A report is written when all records before it are.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the callback is told
public final class TopicWriter implements Sink, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(TopicWriter.class.getName());
    private static final int KEPT_REPORTS = 1_000;

    private sealed interface Task {}

    private record Write(RecordData record, Runnable done) implements Task {}

    private record Tell(WindowReport report) implements Task {}

    private final KafkaProducer<byte[], byte[]> producer;
    private final String reports;
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    private final ArrayDeque<WindowReport> last = new ArrayDeque<>();
    private final List<Consumer<WindowReport>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    /** A writer to the brokers of the options. */
    public TopicWriter(ApproxOptions options) {
        reports = options.text(ApproxOption.REPORTS);
        Properties properties = properties(options);
        try {
            producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            Throwable root = e;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            throw new ApproxException(
                    ApproxError.OPTIONS,
                    "The producer to approx.bootstrap=" + options.text(ApproxOption.BOOTSTRAP) + " cannot be made: "
                            + root.getMessage() + ".",
                    e);
        }
        thread = new Thread(this::run, "approx-writer");
        thread.setDaemon(true);
        thread.start();
    }

    private static Properties properties(ApproxOptions options) {
        Properties properties = new Properties();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, "65536");
        // What a report counts as delivered is to be in the topic once, whichever broker is started anew meanwhile.
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        properties.put(ProducerConfig.CLIENT_ID_CONFIG, "approx-gateway");
        if (options.has(ApproxOption.PRODUCER)) {
            Path file = Path.of(options.text(ApproxOption.PRODUCER));
            try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
                properties.load(in);
                properties.replaceAll((key, value) -> ofThisClient(String.valueOf(value)));
            } catch (IOException e) {
                throw new ApproxException(
                        ApproxError.OPTIONS, "The file approx.producer=" + file + " cannot be read: " + e + ".", e);
            }
        }
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, options.required(ApproxOption.BOOTSTRAP));
        return properties;
    }

    /** In the jar Kafka's client has another name, and so have its login modules, which properties name. */
    private static String ofThisClient(String value) {
        // Put together here, since a name in one piece would be renamed in the jar too.
        String named = String.join(".", "org", "apache", "kafka", "");
        String own = KafkaProducer.class.getName();
        return value.replace(named, own.substring(0, own.indexOf("clients.producer")));
    }

    @Override
    public void write(RecordData record, Runnable done) {
        tasks.add(new Write(record, done));
    }

    @Override
    public void report(WindowReport report) {
        tasks.add(new Tell(report));
    }

    /** Records written so far. */
    public long records() {
        return records.get();
    }

    /** Records that the brokers did not take. */
    public long failures() {
        return failures.get();
    }

    /** The last reports, oldest first. */
    public List<WindowReport> lastReports() {
        synchronized (last) {
            return List.copyOf(last);
        }
    }

    private void run() {
        while (!closed || !tasks.isEmpty()) {
            try {
                Task task = tasks.poll(100, TimeUnit.MILLISECONDS);
                if (task instanceof Write write) {
                    send(write);
                } else if (task instanceof Tell tell) {
                    tell(tell.report);
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void send(Write write) {
        try {
            producer.send(toProducer(write.record), (metadata, failure) -> {
                write.done.run();
                if (failure == null) {
                    records.incrementAndGet();
                } else {
                    failed(failure);
                }
            });
        } catch (RuntimeException e) {
            write.done.run();
            failed(e);
        }
    }

    private void failed(Exception failure) {
        if (failures.getAndIncrement() % 1_000 == 0) {
            LOG.log(
                    Level.WARNING,
                    ApproxError.WRITE.code() + ": a record was not written: " + failure.getMessage(),
                    failure);
        }
    }

    private static ProducerRecord<byte[], byte[]> toProducer(RecordData record) {
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(
                record.topic(), record.partition(), record.timestamp(), record.key(), record.value());
        for (RecordData.Header header : record.headers()) {
            made.headers().add(new RecordHeader(header.name(), header.value()));
        }
        return made;
    }

    /** Told each report from now on. */
    public void onReport(Consumer<WindowReport> listener) {
        listeners.add(listener);
    }

    private void tell(WindowReport report) {
        listeners.forEach(listener -> listener.accept(report));
        synchronized (last) {
            last.add(report);
            if (last.size() > KEPT_REPORTS) {
                last.remove();
            }
        }
        if (reports.isEmpty()) {
            return;
        }
        try {
            // Whoever reads a report finds the records that it counts.
            producer.flush();
            byte[] key = report.topic().getBytes(StandardCharsets.UTF_8);
            byte[] value = report.toJson().getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(reports, key, value), (metadata, failure) -> {
                if (failure != null) {
                    failed(failure);
                }
            });
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        producer.close(Duration.ofSeconds(10));
    }
}
