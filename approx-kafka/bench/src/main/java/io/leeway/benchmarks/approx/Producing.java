package io.leeway.benchmarks.approx;

import com.sun.management.OperatingSystemMXBean;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.ApproxShim;
import io.leeway.approx.internal.wire.RecordData;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An application with an ordinary producer. On each line of input it produces the trips of an hour, as often as the line
 * says, dated so many hours later: {@code approx 1 0}, into an approximate topic, through the shim; {@code no-cap}, the same by a shim whose rate aims at any loss; {@code exact}, all of them, or {@code sampled},
 * half of them, as Kafka does. The answer is {@code done}, how long it took until all were where they were to be, in microseconds, and the CPU time of this
 * process, in nanoseconds.
 */
public final class Producing {

    static final String TOPIC = "trips";

    private Producing() {}

    /** Arguments: the brokers, the gateway, where the keys are, the rate of the port in bits a second. */
    public static void main(String[] arguments) throws Exception {
        ApproxShim shim = shim(arguments, "0.2");
        ApproxShim uncapped = shim(arguments, "1");
        List<RecordData> all = Trips.records(TOPIC, Source.RECORDS);
        List<RecordData> half = new java.util.ArrayList<>(all);
        Collections.shuffle(half, new Random(1));
        half = half.subList(0, all.size() / 2);
        while (!shim.path().equals("datagrams") || !uncapped.path().equals("datagrams")) {
            Thread.sleep(20);
        }
        System.out.println("ready");
        try (KafkaProducer<byte[], byte[]> through = producer(shim.bootstrap());
                KafkaProducer<byte[], byte[]> throughUncapped = producer(uncapped.bootstrap());
                KafkaProducer<byte[], byte[]> direct = producer(arguments[0]);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                long cpu = system.getProcessCpuTime();
                long begin = System.nanoTime();
                String mode = line.split(" ")[0];
                int hours = Integer.parseInt(line.split(" ")[1]);
                long later = Trips.HOUR * Integer.parseInt(line.split(" ")[2]);
                if (mode.equals("approx") || mode.equals("no-cap")) {
                    boolean capped = mode.equals("approx");
                    send(capped ? through : throughUncapped, TOPIC, all, hours, later);
                    if (!(capped ? shim : uncapped).drain(60_000)) {
                        throw new IllegalStateException("the window is not complete");
                    }
                } else {
                    send(direct, mode, mode.equals("exact") ? all : half, hours, later);
                }
                long end = System.nanoTime();
                System.out.println("done " + begin / 1_000 + " " + (end - begin) / 1_000 + " "
                        + (system.getProcessCpuTime() - cpu));
            }
        }
        System.exit(0);
    }

    private static ApproxShim shim(String[] arguments, String lossMax) {
        return new ApproxShim(ApproxOptions.of(Map.ofEntries(
                Map.entry("approx.upstream", arguments[0]),
                Map.entry("approx.gateway", arguments[1]),
                Map.entry("approx.trust", arguments[2] + "/trust.p12"),
                Map.entry("approx.trust.password", "changeit"),
                Map.entry("approx.token", Sink.TOKEN),
                Map.entry("approx.topics", TOPIC + "(msr=0.5;window=1h)"),
                Map.entry("approx.rate.max", arguments[3]),
                Map.entry("approx.loss.max", lossMax),
                Map.entry("approx.deadline", "10m"),
                Map.entry("approx.mode", "atp"))));
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", "5"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
    private static void send(
            KafkaProducer<byte[], byte[]> producer, String topic, List<RecordData> records, int hours, long later) {
        for (int hour = 0; hour < hours; hour++) {
            for (RecordData record : records) {
                producer.send(new ProducerRecord<>(topic, 0, record.timestamp() + later, null, record.value()));
            }
        }
        producer.flush();
    }
}
