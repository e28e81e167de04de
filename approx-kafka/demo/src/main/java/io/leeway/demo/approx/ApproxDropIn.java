package io.leeway.demo.approx;

import io.leeway.approx.ApproxCommand;
import io.leeway.approx.WindowReport;
import io.leeway.demo.Bars;
import io.leeway.demo.Demo;
import io.leeway.demo.DemoContext;
import io.leeway.demo.DropIn;
import io.leeway.demo.Table;
import io.leeway.demo.Teller;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A day of taxi rides, written by three applications into an exact topic and into an approximate one. */
public final class ApproxDropIn implements DropIn {

    private static final int PRODUCERS = 3;
    private static final double MSR = 0.2;
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Runs it alone. */
    public static void main(String[] arguments) throws IOException {
        Demo.main(new ApproxDropIn(), arguments);
    }

    @Override
    public String name() {
        return "approx";
    }

    @Override
    public String title() {
        return "approx-kafka: a fifth of a topic's records, and what they tell about all of them";
    }

    @Override
    public void run(DemoContext context) throws Exception {
        Path directory = Files.createTempDirectory("approx-demo-");
        context.teller().progress("a broker starts", 0.1);
        try (Broker broker = Broker.start(directory, "rides", "trips", "approx-reports")) {
            day(context, directory, broker);
        } finally {
            delete(directory);
        }
    }

    private static void day(DemoContext context, Path directory, Broker broker) throws Exception {
        Teller teller = context.teller();
        try (Program keys = Program.start(
                directory,
                ApproxCommand.class.getName(),
                "keys",
                "--directory=" + directory,
                "--names=ip:127.0.0.1",
                "--password=changeit")) {
            keys.awaitEnd();
        }
        teller.progress("the gateway starts", 0.3);
        try (Program gateway = Program.start(
                directory,
                ApproxCommand.class.getName(),
                "gateway",
                "--bootstrap=" + broker.address(),
                "--gateway.listen=127.0.0.1:0",
                "--keystore=" + directory.resolve("keys.p12"),
                "--keystore.password=changeit",
                "--token=a token for the demo",
                "--status=127.0.0.1:0")) {
            String[] line = gateway.awaitLine("gateway at port").split("[ ,]+");
            String properties = properties(directory, broker.address(), line[3]);
            teller.text(
                    "A Kafka broker runs, with a gateway of approx-kafka beside it. Three applications, each a process"
                            + " of its own, write every taxi ride of a day into two topics, rides and trips. They use Kafka's own"
                            + " producer and know nothing else; what makes trips approximate is in their properties. A job of Flink reads"
                            + " trips and its reports with the same properties, and tells the mean fare of each hour:");
            teller.code(properties.replace(directory.toString(), "keys"));
            int anHour = context.shortOrLong(100, 1_000);
            List<Program> producers = new ArrayList<>();
            try {
                Path file = Files.writeString(directory.resolve("client.properties"), properties);
                for (int i = 0; i < PRODUCERS; i++) {
                    producers.add(Program.start(
                            directory, TripProducer.class.getName(), file.toString(), "" + i, "" + anHour));
                }
                teller.progress("the applications connect", 0.5);
                for (Program producer : producers) {
                    producer.awaitLine("ready");
                }
                teller.progress("a job of Flink starts", 0.6);
                Program job = Program.start(directory, TripJob.class.getName(), file.toString());
                producers.add(job);
                job.awaitLine("running");
                awaitSessions(line[line.length - 1]);
                teller.progress("a day passes", 0.7);
                for (Program producer : producers.subList(0, PRODUCERS)) {
                    producer.tell("go");
                }
                for (Program producer : producers.subList(0, PRODUCERS)) {
                    producer.awaitLine("sent");
                }
                tell(teller, broker, job, anHour);
            } finally {
                producers.forEach(Program::close);
            }
        }
    }

    private static String properties(Path directory, String broker, String gateway) {
        return String.join(
                "\n",
                "config.providers=approx",
                "config.providers.approx.class=io.leeway.approx.ApproxConfigProvider",
                "config.providers.approx.param.upstream=" + broker,
                "config.providers.approx.param.gateway=127.0.0.1:" + gateway,
                "config.providers.approx.param.topics=trips(msr=" + MSR + ";window=1h;value=csv:2)",
                "config.providers.approx.param.mode=atp",
                "config.providers.approx.param.token=a token for the demo",
                "config.providers.approx.param.trust=" + directory.resolve("trust.p12"),
                "config.providers.approx.param.trust.password=changeit",
                "bootstrap.servers=${approx:bootstrap}");
    }

    private static void awaitSessions(String port) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .timeout(Duration.ofSeconds(10))
                .build();
        long begun = System.nanoTime();
        while (client.send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .noneMatch(line -> line.matches("approx_sessions " + PRODUCERS + "(\\.0)?"))) {
            if (System.nanoTime() - begun > PATIENCE_NANOS) {
                throw new IOException("the applications have not found the gateway");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Hour by hour, what a sample says of the day whose truth the producers' seeds give. */
    private static void tell(Teller teller, Broker broker, Program job, int anHour)
            throws IOException, InterruptedException {
        double[] truth = truth(anHour);
        long all = (long) PRODUCERS * Trip.HOURS * anHour;
        List<WindowReport> reports = reports(broker, all);
        long delivered = reports.stream().mapToLong(WindowReport::delivered).sum();
        List<List<Double>> exact = fares(broker, "rides", all);
        List<List<Double>> sample = fares(broker, "trips", delivered);
        String[][] answers = answers(job, (long) PRODUCERS * anHour);

        List<List<String>> rows = new ArrayList<>();
        int inside = 0;
        for (int hour = 0; hour < Trip.HOURS; hour++) {
            long records = 0;
            double sum = 0;
            for (WindowReport report : reports) {
                if (Trip.hour(report.from()) == hour) {
                    records += report.records();
                    sum += report.sum();
                }
            }
            double low = Double.parseDouble(answers[hour][6]);
            double high = Double.parseDouble(answers[hour][7]);
            boolean covers = low <= truth[hour] && truth[hour] <= high;
            inside += covers ? 1 : 0;
            rows.add(List.of(
                    String.format(Locale.ROOT, "%02d:00", hour),
                    number("%.3f", truth[hour]),
                    number("%.3f", mean(exact.get(hour))),
                    number("%.2f", Double.parseDouble(answers[hour][5])) + " ± " + number("%.2f", (high - low) / 2),
                    covers ? "yes" : "no",
                    sample.get(hour).size() + " of " + records,
                    number("%.3f", sum / records)));
        }
        teller.heading("The mean fare of each hour");
        teller.table(new Table(
                "The truth is that of the seeds; rides is the exact topic, trips the approximate one, as Flink's job answered",
                List.of("hour", "truth", "from rides", "from trips, 95 %", "covers", "records", "from the reports"),
                rows));
        teller.text(String.format(
                Locale.ROOT,
                "%d of %d intervals contain the truth; 95 %% of very many would. The reports of windows also have exact sums"
                        + " of all records, sampled or not, so for a mean of everything no estimate is needed. For a quantile"
                        + " or a question that comes later, the sample is what there is.",
                inside,
                Trip.HOURS));
        promises(teller, reports);
        saved(teller, reports);
    }

    /** The last answer of each hour, by the job, once all of them are of all records. */
    private static String[][] answers(Program job, long anHour) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < PATIENCE_NANOS) {
            String[][] last = new String[Trip.HOURS][];
            for (String line : Files.readAllLines(job.log())) {
                String[] parts = line.split(" ");
                int hour = parts[0].equals("answer") ? Trip.hour(Long.parseLong(parts[1])) : Trip.HOURS;
                if (hour >= 0 && hour < Trip.HOURS) {
                    last[hour] = parts;
                }
            }
            if (Arrays.stream(last).allMatch(answer -> answer != null && Long.parseLong(answer[3]) >= anHour)) {
                return last;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IOException("the job has not answered for all hours: " + Files.readString(job.log()));
    }

    private static double[] truth(int anHour) {
        double[] sums = new double[Trip.HOURS];
        for (int producer = 0; producer < PRODUCERS; producer++) {
            Trip.Day day = new Trip.Day(producer, anHour);
            for (int i = 0; i < day.size(); i++) {
                Trip trip = day.next();
                sums[Trip.hour(trip.timestamp())] += trip.fare();
            }
        }
        return Arrays.stream(sums).map(sum -> sum / (PRODUCERS * anHour)).toArray();
    }

    /** The reports of the day, once they account for all records. */
    private static List<WindowReport> reports(Broker broker, long all) throws IOException {
        return ofDay(broker.read(
                        "approx-reports",
                        read -> ofDay(read).mapToLong(WindowReport::records).sum() >= all))
                .toList();
    }

    private static Stream<WindowReport> ofDay(List<ConsumerRecord<String, String>> records) {
        return records.stream()
                .map(record -> WindowReport.fromJson(record.value()))
                .filter(report -> Trip.hour(report.from()) < Trip.HOURS);
    }

    private static List<List<Double>> fares(Broker broker, String topic, long count) throws IOException {
        List<List<Double>> hours = new ArrayList<>();
        for (int hour = 0; hour < Trip.HOURS; hour++) {
            hours.add(new ArrayList<>());
        }
        broker
                .read(
                        topic,
                        read -> read.stream()
                                        .filter(record -> Trip.hour(record.timestamp()) < Trip.HOURS)
                                        .count()
                                >= count)
                .stream()
                .filter(record -> Trip.hour(record.timestamp()) < Trip.HOURS)
                .forEach(record -> hours.get(Trip.hour(record.timestamp())).add(Trip.fare(record.value())));
        return hours;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(value -> value).average().orElse(Double.NaN);
    }

    private static void promises(Teller teller, List<WindowReport> reports) throws IOException {
        long broken = reports.stream().filter(report -> !report.kept()).count();
        long suspect = reports.stream().filter(WindowReport::biased).count();
        teller.heading("What every window reports");
        teller.code(reports.get(0).toJson());
        teller.text(reports.size() + " reports, one for each hour and application. In " + broken
                + " of them fewer records arrived than promised; " + suspect
                + " samples differ in the length of their records from all by more than three standard errors.");
        if (broken > 0) {
            throw new IOException(broken + " windows did not get what they were promised");
        }
    }

    private static void saved(Teller teller, List<WindowReport> reports) {
        double whole = reports.stream().mapToLong(WindowReport::bytes).sum() / 1e3;
        double part = reports.stream().mapToLong(WindowReport::bytesDelivered).sum() / 1e3;
        teller.heading("What was sent, and what was saved");
        teller.bars(new Bars(
                "Records of one day, without headers of packets",
                "kB",
                List.of(new Bars.Bar("rides, exact", whole), new Bars.Bar("trips, approximate", part))));
        teller.text(String.format(
                Locale.ROOT,
                "%.0f %% of the bytes were never needed. %d packets were sent a second time: an answer took longer than those"
                        + " before, or a datagram was lost. Over a congested link more are, and they wait in queues behind"
                        + " exact traffic.",
                100 * (1 - part / whole),
                reports.stream().mapToLong(WindowReport::resent).sum()));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
