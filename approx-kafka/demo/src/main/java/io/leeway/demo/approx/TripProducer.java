package io.leeway.demo.approx;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * An application that knows Kafka and nothing else. It writes each trip into two topics. Which of them is approximate is
 * in its properties.
 */
public final class TripProducer {

    private TripProducer() {}

    /** Arguments: a file of properties, which producer it is, trips an hour. Ends when its input ends. */
    public static void main(String[] arguments) throws IOException {
        Properties properties = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(arguments[0]))) {
            properties.load(file);
        }
        Trip.Day day = new Trip.Day(Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            // The demo says when: a shim's first records travel as exact ones until it has found its gateway.
            System.out.println("ready");
            if (System.in.read() < 0) {
                return;
            }
            for (int i = 0; i < day.size(); i++) {
                send(producer, day.next());
            }
            // The next day has begun, so the last hour is over; an application would go on.
            send(producer, new Trip(Trip.MIDNIGHT + Trip.HOURS * Trip.HOUR + Trip.HOUR / 2, 0, 1, 1));
            producer.flush();
            System.out.println("sent");
            while (System.in.read() >= 0) {
                // Until the demo ends.
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // flush waits for all
    private static void send(KafkaProducer<String, String> producer, Trip trip) {
        String key = "zone-" + trip.zone();
        producer.send(new ProducerRecord<>("rides", null, trip.timestamp(), key, trip.text()));
        producer.send(new ProducerRecord<>("trips", null, trip.timestamp(), key, trip.text()));
    }
}
