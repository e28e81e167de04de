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
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {

    private static final Path ROOT = Path.of(System.getProperty("leeway.root", "../.."));

    private static Report run(String yaml) throws ExperimentFileException {
        return Experiment.parse(yaml, Path.of(".")).run(share -> {});
    }

    @Test
    void saysAllThatIsWrongAtOnceWithLineAndRemedy() {
        String yaml = """
            study: jobs
            transprots: [atp]
            msr: [0.5, 7]
            rate: fast
            pattern: incast
            workers: 8
            load: 0.1
            """;
        ExperimentFileException wrong =
                catchThrowableOfType(ExperimentFileException.class, () -> Experiment.parse(yaml, Path.of(".")));

        assertThat(wrong).isNotNull();
        assertThat(wrong.getMessage().lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("line 2: NS02").contains("transports?"),
                        line -> assertThat(line).startsWith("line 3: NS03").contains("7"),
                        line -> assertThat(line).startsWith("line 4: NS03").contains("Gbps"),
                        line -> assertThat(line).startsWith("line 6: NS02").contains("training"));
    }

    @Test
    void refusesWhatIsNoYamlAndWhatHasNoStudy() {
        assertThat(catchThrowableOfType(ExperimentFileException.class, () -> run("study: [jobs"))
                        .getMessage())
                .contains("NS01");
        assertThat(catchThrowableOfType(ExperimentFileException.class, () -> run("seed: 1"))
                        .getMessage())
                .contains("NS04");
        assertThat(catchThrowableOfType(
                                ExperimentFileException.class,
                                () -> run("{study: training, workers: 12, mechanisms: [butterfly]}"))
                        .getMessage())
                .contains("NS06");
    }

    @Test
    void theSameFileHasTheSameReportOnAnyNumberOfCores() throws Exception {
        String yaml = """
            study: jobs
            topology: leaf-spine 2 2 4
            jobs: 24
            messages: 100
            replications: 3
            transports: [atp, dctcp-es, pfabric-ss, udp]
            """;
        Report first = run(yaml);
        Report second = run(yaml);

        assertThat(second).isEqualTo(first);
        assertThat(run(yaml + "seed: 2\n").rows()).isNotEqualTo(first.rows());
        assertThat(first.value("unfinished", "atp")).isZero();
    }

    @Test
    void theUnbiasedSampleIsHonestAndThePublishedOneIsNot() throws Exception {
        Report report = run("""
            study: jobs
            topology: star 9
            pattern: incast
            load: 0
            jobs: 8
            messages: 2000
            msr: [0.5]
            transports: [atp, atp-full, dctcp-es, dctcp-ss]
            """);

        assertThat(report.value("size ratio", "atp")).isBetween(0.9, 1.1);
        assertThat(report.value("size ratio", "dctcp-ss")).isBetween(0.9, 1.1);
        assertThat(report.value("size ratio", "atp-full")).isLessThan(0.5);
        assertThat(report.value("time ms", "atp-full")).isLessThan(report.value("time ms", "dctcp-es"));
        assertThat(report.value("busiest queue packets", "atp-full"))
                .isLessThan(report.value("busiest queue packets", "dctcp-es"));
    }

    @Test
    void everyExperimentThatIsShippedIsRight() throws Exception {
        try (var files = Files.walk(ROOT.resolve("network-simulator/experiments"))) {
            for (Path file :
                    files.filter(name -> name.toString().endsWith(".yaml")).toList()) {
                assertThat(Experiment.parse(Files.readString(file), file.getParent()))
                        .isNotNull();
            }
        }
    }

    @Test
    void writesAPageAndATable(@TempDir Path directory) throws Exception {
        Report report = run("{study: training, models: [vgg-16], workers: [4, 8], mechanisms: [baseline, ring]}");
        report.writeTo(directory);

        assertThat(Files.readString(directory.resolve("index.html")))
                .contains("<svg", "ring")
                .doesNotContain("<script", "NaN");
        assertThat(Files.readAllLines(directory.resolve("results.csv"))).hasSize(5);
    }

    private record Said(int code, String out, String err) {}

    private static Said command(String... words) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Console console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                name -> null,
                false);
        int code = new NetsimCommand(console).run(List.of(words));
        return new Said(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void tracesAreWrittenChangedComparedAndSimulated(@TempDir Path directory) throws IOException {
        String plain = directory.resolve("plain").toString();
        String fast = directory.resolve("fast").toString();
        String grown = directory.resolve("grown").toString();
        String other = directory.resolve("other").toString();
        assertThat(command("trace-synth", "vgg-16", plain).code()).isZero();
        assertThat(command("trace-scale", "--factor", "2", "--matching", "conv", plain, fast)
                        .code())
                .isZero();
        assertThat(command("trace-grow", "--copies=3", "--matching=conv5_1", plain, grown)
                        .code())
                .isZero();
        assertThat(command("trace-jitter", "--deviation", "0.1", "--seed", "7", plain, other)
                        .code())
                .isZero();

        assertThat(command("trace-diff", plain, plain)).isEqualTo(new Said(0, "", ""));
        assertThat(command("trace-diff", plain, fast).out().lines()).hasSize(13);
        assertThat(command("trace-diff", plain, grown).out().lines())
                .hasSize(6)
                .allMatch(line -> line.startsWith("+ copy"));
        assertThat(command("trace-diff", plain, other).code()).isEqualTo(1);

        Path file = Files.writeString(
                directory.resolve("experiment.yaml"), "{study: training, models: [plain, vgg-16], workers: 4}");
        Said said = command("run", "--out", directory.resolve("report").toString(), file.toString());
        assertThat(said.code()).as(said.err()).isZero();
        List<String> lines = Files.readAllLines(directory.resolve("report/results.csv"));
        assertThat(lines.get(1).split(",")[7]).isEqualTo(lines.get(3).split(",")[7]);
    }

    @Test
    void saysWhatIsWrongWithATrace(@TempDir Path directory) throws IOException {
        command("trace-synth", "vgg-16", directory.toString());
        Path file = directory.resolve("aggregation.csv");
        Files.writeString(file, Files.readString(file).replaceFirst("\n\\d+,fc7/weights,\\d+", "\n-5,fc7/weights,x"));

        Said said = command("trace-diff", directory.toString(), directory.toString());
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("line ", "fc7/weights");
        assertThat(command("nonsense").err()).contains("--help");
        assertThat(command("run", directory.resolve("none.yaml").toString()).err())
                .contains("none.yaml");
    }

    @Test
    void severalExperimentsHaveAReportEachAndStrictTellsWhatDiffers(@TempDir Path directory) throws IOException {
        String yaml = "study: training\nworkers: 4\nmechanisms: [ring]\nchecks: ['seconds %s; as it is']\n";
        Path right = Files.writeString(directory.resolve("right.yaml"), yaml.formatted("> 0.1"));
        Path wrong = Files.writeString(directory.resolve("wrong.yaml"), yaml.formatted("< 0.1"));
        Path out = directory.resolve("out");

        Said lenient = command("run", "--out", out.toString(), right.toString(), wrong.toString());
        assertThat(lenient.code()).isZero();
        assertThat(lenient.out()).contains("agrees", "differs: as it is");
        assertThat(Files.readString(out.resolve("wrong/index.html"))).contains("differs: as it is");
        assertThat(Files.readAllLines(out.resolve("right/checks.csv"))).hasSize(2);
        assertThat(command("run", "--strict", "--out", out.toString(), wrong.toString())
                        .code())
                .isEqualTo(1);
        assertThat(command("run", "--strict", "--out", out.toString(), right.toString())
                        .code())
                .isZero();
    }

    @Test
    void jobsComeFromAFileAndAreRefusedWithItsLines(@TempDir Path directory) throws IOException {
        Path jobs = Files.writeString(
                directory.resolve("jobs.csv"), "start_us,from,to,sizes,msr\n0,3,0,1400 200\n5,1,2,90000,1\n");
        Path file = Files.writeString(
                directory.resolve("experiment.yaml"),
                "study: jobs\ntopology: star 4\nflows: jobs.csv\ntransports: [atp, aeolus-es]\n");
        String out = directory.resolve("out").toString();
        assertThat(command("run", "--out", out, file.toString()).code()).isZero();
        assertThat(Files.readAllLines(directory.resolve("out/results.csv")))
                .hasSize(3)
                .allMatch(line -> line.startsWith("transport") || line.endsWith(",0"));

        Files.writeString(jobs, "0,3,7,1400\nx,1,2,3\n");
        assertThat(command("check", file.toString()).err())
                .contains("line 3: NS05 jobs.csv line 2: start_us", "NS06 jobs.csv has host 7");
    }

    @Test
    void groupsOfAFileHaveARowEachBelowThatOfAll(@TempDir Path directory) throws Exception {
        Files.writeString(
                directory.resolve("jobs.csv"), "0,1,0,1000000,,near\n0,2,0,1000000,,near\n0,3,0,4000000,1,far\n");
        Report report = Experiment.parse(
                        "{study: jobs, topology: dumbbell 3 2 2, flows: jobs.csv, msr: 1, transports: [dctcp-es]}",
                        directory)
                .run(share -> {});

        int group = report.columns().indexOf("group");
        int goodput = report.columns().indexOf("goodput Gbps");
        assertThat(report.rows()).extracting(row -> row.get(group)).containsExactly("all", "far", "near");
        assertThat(report.rows().get(0).get(goodput))
                .isEqualTo(report.rows().get(2).get(goodput));
        assertThat(Double.parseDouble(report.rows().get(2).get(goodput))).isBetween(5.0, 20.0);
        assertThat(report.rows().get(1).get(report.columns().indexOf("fairness")))
                .isEqualTo("1");
    }

    @Test
    void aKeyThatIsGivenTwiceIsTold() {
        ExperimentFileException wrong = catchThrowableOfType(
                ExperimentFileException.class, () -> run("study: jobs\nload: 0.1\njobs: 3\nload: 0.2\n"));

        assertThat(wrong).hasMessageContaining("line 4: NS02 load was given in line 2");
    }

    @Test
    void aReportThatHasNoPlaceIsToldBeforeAnythingRuns(@TempDir Path directory) throws IOException {
        Path inTheWay = Files.writeString(directory.resolve("report"), "a file");
        // A simulation of this would take hours.
        Path file = Files.writeString(
                directory.resolve("long.yaml"), "{study: jobs, topology: fat-tree 16, jobs: 10000000, messages: 1000}");

        Said said = command("run", "--out", inTheWay.toString(), file.toString());
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("report", "check the path");
    }

    @Test
    void aFileThatIsNoTextOrADirectoryIsNamed(@TempDir Path directory) throws IOException {
        Path binary = Files.write(directory.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});

        assertThat(command("check", binary.toString()).err()).contains("binary.yaml", "UTF-8");
        assertThat(command("check", directory.toString()).err()).contains(directory.toString());
    }

    @Test
    void aNameThatIsNotInATableIsToldWithThoseThatAre() {
        ExperimentFileException wrong = catchThrowableOfType(
                ExperimentFileException.class,
                () -> run("{study: jobs, transports: [dctcp-e, quic], mechanisms: [rings]}"));

        assertThat(wrong)
                .hasMessageContaining("dctcp-e, did you mean dctcp-es?")
                .hasMessageContaining("quic; there are atp, ");
    }
}
