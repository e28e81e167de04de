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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes records and reports into topics by an ordinary producer, on a thread of its own since a producer may block. What
 * waits is bounded by the credit of the sessions.
 *
 * <p>A broker refuses a batch as a whole, and a batch here has records of many producers. Those that are refused for
 * another's fault are sent again, {@value #ATTEMPTS} times at most.
 *
 * <p>A topic that is not there, or that the gateway may not write into, would make the producer ask for each of its records,
 * and those of all other topics wait. So it asks for one of them, {@value #BLOCK_MILLIS} ms at most, and the others are
 * refused until {@value #CLOSED_MILLIS} ms later.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the callback is told
public final class TopicWriter implements Sink, AutoCloseable {

    private static final Logger LOG = Logger.getLogger(TopicWriter.class.getName());
    private static final int KEPT_REPORTS = 1_000;
    private static final int ATTEMPTS = 5;
    private static final long BLOCK_MILLIS = 15_000;
    private static final long CLOSED_MILLIS = 30_000;
    /** Causes that are told once each; topics are named by data. */
    private static final int MOST_TOLD = 1_000;

    private sealed interface Task {}

    private record Write(RecordData record, Done done, int attempt) implements Task {}

    private record Tell(WindowReport report) implements Task {}

    /** Why nothing can be written into a topic, and until when nobody looks. */
    private record Closed(Exception why, long until) {}

    private final KafkaProducer<byte[], byte[]> producer;
    private final String reports;
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
    /** Refused for the fault of others in their batch. */
    private final Queue<Write> again = new ConcurrentLinkedQueue<>();
    /** Topics into which nothing can be written. Of the writing thread. */
    private final Map<String, Closed> closedTopics = new HashMap<>();

    private final Set<String> told = ConcurrentHashMap.newKeySet();
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
        // As much as the producer can hold: it is the topic that says how long a record may be.
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "33554432");
        // What a report counts as delivered is to be in the topic once, whichever broker is started anew meanwhile.
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
        // A batch that is too long for its topic is split and sent again. If the one behind it was sent meanwhile and
        // is
        // the first that the broker sees of this producer, the broker takes it wherever its numbers begin, and never
        // again what comes before.
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "" + BLOCK_MILLIS);
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
    public void write(RecordData record, Done done) {
        tasks.add(new Write(record, done, 1));
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
        try {
            while (!closed) {
                Task task = tasks.poll(100, TimeUnit.MILLISECONDS);
                sendAgain();
                dealWith(task);
            }
            do {
                sendAgain();
                for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
                    dealWith(task);
                }
                // Reports come when the last of their records are written.
                producer.flush();
            } while (!tasks.isEmpty() || !again.isEmpty());
        } catch (InterruptedException | InterruptException e) {
            // The gateway ends, and has waited for long enough.
            Thread.currentThread().interrupt();
        }
    }

    private void dealWith(@Nullable Task task) {
        if (task instanceof Write write) {
            send(write);
        } else if (task instanceof Tell tell) {
            tell(tell.report);
        }
    }

    private void sendAgain() {
        for (Write write = again.poll(); write != null; write = again.poll()) {
            send(write);
        }
    }

    private void send(Write write) {
        String topic = write.record.topic();
        Closed shut = isClosed(topic);
        if (shut != null) {
            refused(write, shut.why);
            return;
        }
        try {
            producer.send(toProducer(write.record), (metadata, failure) -> {
                if (failure == null) {
                    records.incrementAndGet();
                    write.done.accept(null);
                } else if (isOfOthers(failure) && write.attempt < ATTEMPTS) {
                    again.add(new Write(write.record, write.done, write.attempt + 1));
                } else if (isWithoutRoom(failure) && !closed) {
                    // Brokers are away, or slow: that lasts as long as they need.
                    again.add(write);
                } else {
                    note(topic, failure);
                    refused(write, failure);
                }
            });
        } catch (RuntimeException e) {
            refused(write, e);
        }
    }

    private @Nullable Closed isClosed(String topic) {
        Closed of = closedTopics.get(topic);
        if (of != null && System.nanoTime() - of.until >= 0) {
            closedTopics.remove(topic);
            return null;
        }
        return of;
    }

    private void note(String topic, Exception failure) {
        if (Thread.currentThread() != thread) {
            return;
        }
        // What fails on this thread was not sent at all.
        Exception why = null;
        if (failure instanceof TimeoutException && !isWithoutRoom(failure)) {
            why = new UnknownTopicOrPartitionException("nobody knows the topic");
        } else if (failure instanceof AuthorizationException || failure instanceof InvalidTopicException) {
            why = failure;
        }
        if (why != null) {
            closedTopics.put(topic, new Closed(why, System.nanoTime() + CLOSED_MILLIS * 1_000_000));
        }
    }

    private static boolean isWithoutRoom(Exception failure) {
        return failure instanceof BufferExhaustedException;
    }

    /** Kafka says of such a record only that another of its batch was refused. */
    private static boolean isOfOthers(Exception failure) {
        return failure.getClass() == KafkaException.class;
    }

    private void refused(Write write, Exception failure) {
        failed(write.record.topic(), failure);
        write.done.accept(name(failure));
    }

    private static String name(Exception failure) {
        return failure.getClass().getSimpleName();
    }

    /** Told once for each topic and cause, since it may be so for each record; the numbers are in metrics and reports. */
    private void failed(String topic, Exception failure) {
        failures.incrementAndGet();
        if (told.size() < MOST_TOLD && told.add(topic + ' ' + name(failure))) {
            LOG.log(
                    Level.WARNING,
                    ApproxError.WRITE.code() + ": records of topic " + topic + " are not written: "
                            + failure.getMessage() + " (" + name(failure)
                            + "). They do not count as delivered. Said once for each topic and cause.",
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
        broken(report);
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
        if (isClosed(reports) != null) {
            failures.incrementAndGet();
            return;
        }
        try {
            byte[] key = report.topic().getBytes(StandardCharsets.UTF_8);
            byte[] value = report.toJson().getBytes(StandardCharsets.UTF_8);
            producer.send(new ProducerRecord<>(reports, key, value), (metadata, failure) -> {
                if (failure != null) {
                    note(reports, failure);
                    failed(reports, failure);
                }
            });
        } catch (RuntimeException e) {
            failed(reports, e);
        }
    }

    /** A promise that the transport kept and the brokers broke; told once for each topic and cause. */
    private void broken(WindowReport report) {
        boolean news = report.refused() > 0 && !report.kept() && told.size() < MOST_TOLD;
        if (news && told.add(report.topic() + " window " + report.refusedWhy())) {
            LOG.log(
                    Level.WARNING,
                    "{0}: of {1} records of a window of topic {2} (group {3}) {4} are in it, fewer than promised: brokers"
                            + " refused {5} ({6}). Said once for each topic and cause; all reports tell.",
                    new Object[] {
                        ApproxError.PROMISE_REFUSED.code(),
                        report.records(),
                        report.topic(),
                        report.group(),
                        report.delivered(),
                        report.refused(),
                        report.refusedWhy()
                    });
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
