package io.leeway.netsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leeway.netsim.internal.console.Console;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused in files and arguments, and in which words; and what is not refused though it looks odd. */
class InputFaultsTest {

    private static final String JOBS = "{study: jobs, topology: star 4, flows: jobs.csv, transports: [dctcp-es]%s}";

    @TempDir
    Path directory;

    private String refused(String yaml) {
        ExperimentFileException wrong =
                catchThrowableOfType(ExperimentFileException.class, () -> Experiment.parse(yaml, directory));
        assertThat(wrong).as(yaml).isNotNull();
        return String.valueOf(wrong.getMessage());
    }

    private Report run(String yaml) throws ExperimentFileException {
        return Experiment.parse(yaml, directory).run(share -> {});
    }

    private void jobs(String text) throws IOException {
        Files.writeString(directory.resolve("jobs.csv"), text);
    }

    private static String cell(Report report, int row, String column) {
        return report.rows().get(row).get(report.columns().indexOf(column));
    }

    private record Said(int code, String err) {}

    private static Said command(String... words) {
        var err = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                name -> null,
                false);
        int code = new NetsimCommand(console).run(List.of(words));
        return new Said(code, err.toString(StandardCharsets.UTF_8));
    }

    // Files of jobs.

    @Test
    void aJobOfAFileMayHaveThousandsOfMessagesAndNoMoreThanAJobMayHave() throws Exception {
        jobs("0,1,0," + String.join(" ", Collections.nCopies(5_000, "100")) + "\n");
        assertThat(cell(run(JOBS.formatted("")), 0, "unfinished")).isEqualTo("0");

        jobs("0,1,0," + String.join(" ", Collections.nCopies(1_000_001, "1")) + "\n");
        assertThat(refused(JOBS.formatted("")))
                .contains("NS05", "1000001 sizes")
                .hasSizeLessThan(200);
    }

    @Test
    void anEmptyShareIsTheSweptOneAlsoInTheLastCell() throws Exception {
        jobs("0,1,0,1000,\n1,2,0,1000,,near\n");

        assertThat(cell(run(JOBS.formatted(", msr: 1")), 0, "time ms")).isNotEqualTo("-");
    }

    @Test
    void saysOfAFileOfJobsWhatIsWrongAndNothingElse() throws Exception {
        jobs("0,1,1,1000\n");
        assertThat(refused(JOBS.formatted("")).lines())
                .singleElement()
                .asString()
                .contains("two different hosts");

        jobs("\uFEFFstart_us,from,to,sizes\n0,1,2,1000\n");
        assertThat(run(JOBS.formatted("")).rows()).hasSize(1);

        Files.write(directory.resolve("jobs.csv"), new byte[] {(byte) 0xff, 'x'});
        assertThat(refused(JOBS.formatted(""))).contains("jobs.csv is no text in UTF-8");
        assertThat(refused(JOBS.formatted("").replace("jobs.csv", "."))).contains("there is no file .");

        jobs("0,1,1,1\n".repeat(100_000));
        assertThat(refused(JOBS.formatted("")).lines())
                .hasSize(21)
                .last()
                .asString()
                .contains("the rest is not told");
    }

    @Test
    void theLoadOfAFileOfJobsIsNotKnown() throws Exception {
        jobs("0,1,0,1000\n");

        assertThat(cell(run(JOBS.formatted("")), 0, "load")).isEqualTo("-");
    }

    @Test
    void whatNoJobHasIsNotZero() throws Exception {
        jobs("0,1,0,1000,1\n");
        Report report = run(JOBS.formatted(""));

        assertThat(cell(report, 0, "delivered")).isEqualTo("-");
        assertThat(cell(report, 0, "loss")).isEqualTo("-");
    }

    // Experiment files.

    @Test
    void bracketsThatAreNestedWithoutEndAreAMistakeOfSyntax() {
        assertThat(refused("study: jobs\nabout: " + "[".repeat(20_000) + "]".repeat(20_000)))
                .contains("line 1: NS01", "nested");
        assertThat(refused("study: jobs\n---\nstudy: jobs\n")).contains("NS01 expected a single document");
    }

    @Test
    void backgroundNeedsAsManyHostsAsItFillsLinks() {
        String yaml = "{study: jobs, topology: star %d, background: ['6 in queue 4 from 0us']}";

        assertThat(refused(yaml.formatted(6))).contains("NS06 that much background comes from 6 hosts");
        assertThat(catchThrowableOfType(
                        ExperimentFileException.class, () -> Experiment.parse(yaml.formatted(7), directory)))
                .isNull();
        assertThat(refused("{study: timeline, topology: star 6, background: ['6 in queue 4 from 0us']}"))
                .contains("NS06 that much background");
    }

    @Test
    void whatCannotBeIsRefusedBeforeARun() {
        assertThat(refused("{study: jobs, beside: ['fbhd x 0, msr 0.9, load 0.3']}"))
                .contains("NS03 beside");
        assertThat(refused("{study: jobs, msr: [0.5, 0.7, 0.50]}")).contains("NS03 msr has a value twice");
        assertThat(refused("{study: training, servers: [1, 4], placement: skew 0.2}"))
                .contains("NS06 the fullest of 4 servers has at least a share of 0.25");
        assertThat(refused("{study: jobs, checks: ['load > 1 within 5']}")).contains("within 5 %");
    }

    @Test
    void wordsSayWhatMayBe() {
        assertThat(refused("{study: training, barrier: maybe}")).contains("`true`", "`false`");
        assertThat(refused("{study: training, speeds: 0}")).contains("0.01 to 1000");
        assertThat(refused("{study: jobs, seed: -1}")).contains("0 to 2147483647");
        assertThat(refused("{study: jobs, topology: star 1}")).contains("2 hosts or more");
    }

    @Test
    void aLoadThatIsAlmostNothingHasJobsThatNeverStart() throws Exception {
        Report report = run("{study: jobs, topology: star 4, jobs: 5, messages: 1, load: 1e-300, transports: [udp]}");

        assertThat(cell(report, 0, "unfinished")).isEqualTo("5");
    }

    // Traces.

    @Test
    void aReportCallsATraceAsTheFileDoes() throws Exception {
        command("trace-synth", "vgg-16", directory.resolve("plain").toString());
        Report report = run("{study: training, models: [plain], workers: 4, mechanisms: [ring],"
                + " checks: ['seconds{model=plain} > 0']}");

        assertThat(cell(report, 0, "model")).isEqualTo("plain");
        assertThat(report.verdicts()).allMatch(Report.Verdict::holds);
    }

    @Test
    void saysWhatATraceLacks() throws IOException {
        Path trace = directory.resolve("plain");
        Path order = trace.resolve("distribution.csv");
        String yaml = "{study: training, models: [plain], workers: 4}";
        command("trace-synth", "vgg-16", trace.toString());
        String right = Files.readString(order);

        for (String end : List.of("", "# end 5", "# end 9223372036854775807")) {
            Files.writeString(order, right.replaceFirst("# end \\d+", end));
            assertThat(refused(yaml)).contains("the last line should be `# end TIME`");
        }
        Files.writeString(order, right.replaceFirst("55296", "900000000000000000"));
        assertThat(refused(yaml)).contains("distribution.csv line 3", "a size of 1 to 10000000000000");
        Files.write(order, new byte[] {(byte) 0xff, 'x'});
        assertThat(refused(yaml)).contains("plain: distribution.csv is no text in UTF-8");
        Files.delete(order);
        assertThat(refused(yaml).lines()).singleElement().asString().contains("plain has no distribution.csv");
    }

    @Test
    void whatWouldTakeForEverIsSaidAndNotWrapped() throws Exception {
        Path trace = directory.resolve("slow");
        command("trace-synth", "vgg-16", trace.toString());
        Path order = trace.resolve("distribution.csv");
        Files.writeString(order, Files.readString(order).replaceFirst("# end \\d+", "# end 9999999999999999"));
        Path file = Files.writeString(
                directory.resolve("slow.yaml"), "{study: training, models: [slow], workers: 2, mechanisms: [ring]}");
        Said said = command("run", "--out", directory.resolve("out").toString(), file.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("longer than 50 days");
    }

    @Test
    void aTraceThatCannotBeMadeIsNotWritten() {
        String plain = directory.resolve("plain").toString();
        String made = directory.resolve("made").toString();
        command("trace-synth", "vgg-16", plain);

        assertThat(command("trace-scale", "--factor", "2", "--matching", "nothing", plain, made)
                        .err())
                .contains("no parameter matches nothing");
        assertThat(command("trace-scale", "--factor", "1e-300", plain, made).err())
                .contains("--factor has to be");
        assertThat(command("trace-grow", "--copies", "1000000000", "--matching", "conv", plain, made)
                        .err())
                .contains("--copies has to be 1 to 999");
        assertThat(command("trace-grow", "--copies", "0", "--matching", "conv", plain, made)
                        .code())
                .isEqualTo(2);
        assertThat(command("trace-jitter", "--deviation", "1000", plain, made).err())
                .contains("--deviation has to be 0 to 1");
        assertThat(directory.resolve("made")).doesNotExist();
    }

    // Reports.

    @Test
    void reportsOfTwoExperimentsOfOneNameDoNotReplaceEachOther() throws IOException {
        String yaml = "{study: training, workers: 4, mechanisms: [ring]}";
        Path one = Files.writeString(directory.resolve("same.yaml"), yaml);
        Path other = Files.writeString(
                Files.createDirectory(directory.resolve("other")).resolve("same.yaml"), yaml);
        Said said = command("run", "--out", directory.resolve("out").toString(), one.toString(), other.toString());

        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains(one.toString(), other.toString(), "out");
    }

    @Test
    void aPlotHasRoomForTheNamesOfItsLines() throws IOException {
        String name = "a-name-of-a-transport-that-is-longer-than-the-room-beside-a-plot";
        new Report(
                        "title",
                        "about",
                        List.of("msr", "transport", "time ms"),
                        List.of(List.of("0.5", name, "1"), List.of("0.9", name, "2")),
                        List.of(new Report.Plot("plot", "msr", List.of("time ms"), List.of("transport"))),
                        List.of(),
                        0,
                        0)
                .writeTo(directory);

        assertThat(Files.readString(directory.resolve("index.html")))
                .contains(">" + name + "</text>", "width=\"1024\"");
    }
}
