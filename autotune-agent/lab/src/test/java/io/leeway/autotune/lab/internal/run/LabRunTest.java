package io.leeway.autotune.lab.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.lab.Lab;
import io.leeway.autotune.lab.Study;
import io.leeway.autotune.lab.Trial;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, whose latency is a formula of their configuration. */
class LabRunTest {

    @TempDir
    private Path directory;

    private final List<String> told = new ArrayList<>();

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** The load reads what was applied to the service in every way that there is. */
    private Path app(String more) throws IOException {
        write(
                "service.sh",
                "echo \"$SIZE $*\" > applied; cat \"$LAB_CONFIGURATION/conf/service.conf\" >> applied; echo up; exec sleep 1000\n");
        write("load.sh", """
                set -- $(cat applied | tr '=' ' ')
                size=$1; threads=$3; limit=$5
                echo "{\\"p95\\": $((100 + (threads - 12) * (threads - 12) + (size - 3) * (size - 3) * 10 + limit)), \\"errors\\": $limit}"
                """);
        write("parameters.yaml", """
                parameters:
                  - {name: threads, service: web, type: integer, range: 1..32, default: 2, apply: {argument: "threads={value}"}}
                  - {name: size, service: web, type: integer, range: 1..8, default: 8, apply: {environment: SIZE}}
                  - {name: limit, service: web, type: ordered, values: ["0", "1", "9"], default: "1",
                     apply: {file: conf/service.conf, line: "limit {value}"}}
                """);
        return write("app.yaml", """
                name: test
                parameters: parameters.yaml
                services:
                  web:
                    command: [sh, service.sh]
                    ready: printed up
                load:
                  command: [sh, load.sh]
                  limit: 20s
                budget: 12
                start-limit: 20s
                limits: [errors <= 5]
                """ + more);
    }

    private LabRun.Result run(Path app) throws IOException, InterruptedException {
        return LabRun.run(app, false, service -> false, told::add);
    }

    @Test
    void findsABetterConfigurationAndWritesWhatAnOperatorApplies() throws Exception {
        LabRun.Result result = run(app(""));

        Trial first = result.study().trials().get(0);
        Trial best = result.study().bestTrial().orElseThrow();
        assertThat(first.value()).isEqualTo(100 + 100 + 250 + 1);
        assertThat(best.value()).isLessThan(250);
        assertThat(result.isBetter()).isTrue();
        Path files = result.output().resolve("best");
        assertThat(files.resolve("web/command"))
                .content()
                .contains("threads=" + best.setting().get("threads"));
        assertThat(files.resolve("web/environment"))
                .content()
                .contains("SIZE=" + best.setting().get("size"));
        assertThat(files.resolve("conf/service.conf"))
                .content()
                .isEqualTo("limit " + best.setting().get("limit") + "\n");
        assertThat(files.resolve("changes.md")).content().contains("| threads | web | 2 |");
        assertThat(result.output().resolve("report.html"))
                .content()
                .contains("Parallel coordinates", "Importance of parameters", "<svg");
        assertThat(result.output().resolve("importances.json")).content().contains("\"threads\"");
    }

    @Test
    void goesOnWithTheTrialThatWasBeingMeasuredWhenItWasKilled() throws Exception {
        Path app = app("");
        Study whole = run(app).study();
        Path output = directory.resolve("lab-test");
        Study killed = Study.fromJson(Files.readString(output.resolve("study.json")));
        // What is on disk when a run is killed in its fifth trial, with a service that outlived it.
        Study part = Study.of(killed.space(), killed.options());
        for (int i = 0; i < 4; i++) {
            part.tell(part.ask().number(), killed.trials().get(i).outcome());
        }
        part.ask();
        Files.writeString(output.resolve("study.json"), part.toJson());
        Process left = new ProcessBuilder("sleep", "1000").start();
        Files.writeString(
                output.resolve("processes.json"),
                "{\"pid\":" + left.pid() + ",\"started\":"
                        + left.info().startInstant().orElseThrow().toEpochMilli() + "}\n{\"pid\":1,\"star");

        Study goneOn = run(app).study();

        assertThat(goneOn.trials()).isEqualTo(whole.trials());
        assertThat(told).contains("goes on after 4 trials", "ended 1 processes that an earlier run left behind");
        assertThat(left.waitFor(60, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void failuresAreTrialsWithTheirReason() throws Exception {
        Path app = app("verify: 0\nfailed-score: 1000\n");
        write("load.sh", """
                case "$LAB_TRIAL" in
                  trial-0) echo '{"p95": 5, "errors": 0}' ;;
                  trial-1) echo broken; exit 3 ;;
                  trial-2) echo nothing ;;
                  trial-3) echo '{"p50": 5, "errors": 0}' ;;
                  trial-4) echo '{"p95": 1, "errors": 9}' ;;
                  trial-5) echo '{"p95": 5}' ;;
                  trial-6) echo '{"p95": NaN, "errors": 0}' ;;
                  trial-7) echo '{"p95": 1e999, "errors": 0}' ;;
                  trial-8) echo '{"p95": 6, "errors": 0, "tool": "wrk", "by": {"get": 1}, "best": null}' ;;
                  *) echo '{"p95": 7, "errors": 0}' ;;
                esac
                """);
        Study study = run(app).study();

        assertThat(reason(study, 1)).contains("load ended with status 3", "broken");
        assertThat(reason(study, 2)).contains("printed no JSON object");
        assertThat(reason(study, 3)).contains("the metric p95 is missing or no number; there are [errors, p50]");
        assertThat(study.trials().get(4).mayBeBest()).isFalse();
        assertThat(reason(study, 5)).contains("of the limit errors <= 5 is missing or no number");
        assertThat(reason(study, 6)).contains("the metric p95 is missing or no number; there are [errors]");
        assertThat(reason(study, 7)).contains("the metric p95 is missing or no number; there are [errors]");
        assertThat(study.trials().get(8).value()).isEqualTo(6);
        assertThat(study.bestTrial().orElseThrow().number()).isZero();
    }

    private static String reason(Study study, int number) {
        return ((Trial.Failed) study.trials().get(number).outcome()).reason();
    }

    @Test
    void commandsThatHangAreEndedAfterTheirLimit() throws Exception {
        Path app = app("");
        Files.writeString(
                app, Files.readString(app).replace("budget: 12", "budget: 1").replace("limit: 20s", "limit: 200ms"));
        write("load.sh", "sleep 1000\n");

        assertThatThrownBy(() -> run(app))
                .hasMessageContaining("AUTOTUNE-5002")
                .hasMessageContaining("load did not end");
    }

    @Test
    void aServiceThatEndsOrIsNeverReadyIsTheReasonWithWhatItPrinted() throws Exception {
        Path app = app("");
        write("service.sh", "echo no licence; exit 4\n");
        assertThatThrownBy(() -> run(app))
                .hasMessageContaining("AUTOTUNE-5002")
                .hasMessageContaining("web ended with status 4")
                .hasMessageContaining("no licence");

        Files.writeString(app, Files.readString(app).replace("start-limit: 20s", "start-limit: 300ms"));
        write("service.sh", "echo still starting; exec sleep 1000\n");
        assertThatThrownBy(() -> LabRun.run(app, true, service -> false, told::add))
                .hasMessageContaining("web was not ready")
                .hasMessageContaining("still starting");
    }

    @Test
    void aDeploymentThatFailsIsTheReasonWithWhatItPrinted() throws Exception {
        Path app = app("deploy: [sh, deploy.sh]\n");
        write("deploy.sh", "echo the registry is away; exit 7\n");

        assertThatThrownBy(() -> run(app))
                .hasMessageContaining("the first 3 trials failed")
                .hasMessageContaining("--fresh")
                .hasMessageContaining("deploy ended with status 7")
                .hasMessageContaining("the registry is away");
        assertThat(told).hasSize(3);
    }

    @Test
    void tellsAllFaultsOfBothFilesWithTheirLines() throws Exception {
        Path app = app("optimizer: magic\nrepeat: many\nfoo: 1\nreduce: variance\n");
        write("parameters.yaml", """
                parameters:
                  - {name: a, type: integer, range: 1-5, default: 3}
                  - {name: b, service: wbe, range: 1..5, default: 9}
                  - {name: c, values: [x, y], default: z, apply: {argument: nothing}}
                  - {name: d, type: number, range: 1..2, default: 1, when: {e: [1]}}
                """);

        assertThatThrownBy(() -> AppFile.read(app))
                .hasMessageContaining("AUTOTUNE-5001")
                .hasMessageContaining("parameters.yaml:2: range")
                .hasMessageContaining("parameters.yaml:3: service: there is no service wbe")
                .hasMessageContaining("parameters.yaml:3: default")
                .hasMessageContaining("parameters.yaml:4: default")
                .hasMessageContaining("argument: has no {value}")
                .hasMessageContaining("parameters.yaml:5: type")
                .hasMessageContaining("app.yaml:13: optimizer")
                .hasMessageContaining("app.yaml:14: repeat")
                .hasMessageContaining("there is no key foo here")
                .hasMessageContaining("reduce: needs traces");
    }

    @Test
    void aMissingParametersFileIsOneOfTheFaults() throws Exception {
        Path app = app("optimizer: magic\n");
        Files.delete(directory.resolve("parameters.yaml"));

        assertThatThrownBy(() -> AppFile.read(app))
                .hasMessageContaining("app.yaml:2: parameters")
                .hasMessageContaining("there is no file")
                .hasMessageContaining("optimizer");
    }

    @Test
    void refusesAStudyOfOtherParametersOrOfSomethingElseThatIsMeasured() throws Exception {
        Path app = app("");
        String text = Files.readString(app).replace("budget: 12", "budget: 1");
        Files.writeString(app, text);
        run(app);
        String parameters = Files.readString(directory.resolve("parameters.yaml"));

        Files.writeString(app, text + "objective: errors\n");
        assertThatThrownBy(() -> run(app))
                .hasMessageContaining("AUTOTUNE-4003")
                .hasMessageContaining("was p95 within [errors <= 5]")
                .hasMessageContaining("and is errors within");
        Files.writeString(app, text.replace("errors <= 5", "errors <= 6"));
        assertThatThrownBy(() -> run(app)).hasMessageContaining("what is measured has changed");
        Files.writeString(app, text);
        write("parameters.yaml", parameters.replace("default: 2", "default: 3"));
        assertThatThrownBy(() -> run(app)).hasMessageContaining("threads is another one");
        write("parameters.yaml", parameters + "  - {name: more, service: web, range: 1..5, default: 1}\n");
        assertThatThrownBy(() -> run(app)).hasMessageContaining("more is new").hasMessageContaining("--fresh");
        write("parameters.yaml", parameters);
        Files.writeString(app, text.replace("budget: 1", "budget: 2"));
        assertThat(run(app).study().trials()).hasSize(2);
        write(
                "parameters.yaml",
                "parameters:\n  - {name: other, service: web, range: 1..5, default: 1, apply: {argument: \"x={value}\"}}\n");
        assertThatThrownBy(() -> run(app)).hasMessageContaining("AUTOTUNE-4003").hasMessageContaining("--fresh");
    }

    @Test
    void aSecondRunInTheSameDirectoryIsRefusedWhileTheFirstGoesOn() throws Exception {
        Path app = app("");
        Path output = Files.createDirectories(directory.resolve("lab-test"));
        try (var channel =
                        FileChannel.open(output.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            assertThat(lock.isValid()).isTrue();
            assertThatThrownBy(() -> run(app))
                    .hasMessageContaining("AUTOTUNE-5002")
                    .hasMessageContaining("another run has " + output);
        }
    }

    /** A system that has locks for processes takes one away when any channel of the file is closed. */
    @Test
    void whoIsRefusedHereLeavesTheDirectoryToTheRunThatHasIt() throws Exception {
        Path app = app("");
        Files.writeString(app, Files.readString(app).replace("budget: 12", "budget: 1"));
        List<String> others = new ArrayList<>();
        LabRun.run(app, false, service -> false, line -> {
            if (others.isEmpty()) {
                assertThatThrownBy(() -> run(app)).hasMessageContaining("another run has");
                others.add(
                        JavaProcess.run(System.getProperty("java.class.path"), RunsALab.class.getName(), app.toString())
                                .output());
            }
        });
        assertThat(others).singleElement().asString().contains("another run has");
        assertThat(run(app).study().trials()).hasSize(1);
    }

    @Test
    void saysWhichPlaceCannotBeWritten() throws Exception {
        Path app = app("output: taken\n");
        write("taken", "a file");

        assertThatThrownBy(() -> Lab.run(app, false, told::add))
                .hasMessageContaining("AUTOTUNE-5002")
                .hasMessageContaining("taken is there already and no directory");
    }

    /** The load ends its lab and itself at once, as a terminal does that sends Ctrl-C to all of them. */
    @Test
    void aTrialThatWasBrokenOffFromOutsideIsNoFailureAndIsMeasuredAgain() throws Exception {
        Path app = app("");
        Files.writeString(app, Files.readString(app).replace("budget: 12", "budget: 5"));
        String load = Files.readString(directory.resolve("load.sh"));
        write("load.sh", "if [ $LAB_TRIAL = trial-3 ]; then kill -TERM $PPID; exit 143; fi\n" + load);

        JavaProcess.Result broken =
                JavaProcess.run(System.getProperty("java.class.path"), RunsALab.class.getName(), app.toString());

        assertThat(broken.exitCode()).as(broken.output()).isNotZero();
        Study left = Study.fromJson(Files.readString(directory.resolve("lab-test/study.json")));
        assertThat(left.trials()).hasSize(4);
        assertThat(left.trials().get(3).outcome()).isInstanceOf(Trial.Running.class);
        write("load.sh", load);
        assertThat(run(app).study().trials())
                .hasSize(5)
                .allSatisfy(trial -> assertThat(trial.outcome()).isInstanceOf(Trial.Complete.class));
        assertThat(told).contains("goes on after 3 trials");
    }

    /** A lab in a JVM of its own. */
    static final class RunsALab {
        private RunsALab() {}

        /** Runs the application file that is named. */
        public static void main(String[] arguments) {
            Lab.run(Path.of(arguments[0]), false, line -> {});
        }
    }

    @Test
    void templatesHaveTheDefaultOfWhatIsNotThere() throws Exception {
        Path app = app("templates: {conf/all.conf: all.conf, conf/none.conf: nowhere.conf}\n");
        write("all.conf", "threads {{threads}}\npause {{pause}}\nother {{other}}\n");
        write(
                "parameters.yaml",
                Files.readString(directory.resolve("parameters.yaml"))
                        + "  - {name: gc, service: web, values: [g1, zgc], default: zgc}\n"
                        + "  - {name: pause, service: web, range: 1..99, default: 7, when: {gc: [g1]}}\n");
        assertThatThrownBy(() -> AppFile.read(app))
                .hasMessageContaining("conf/none.conf: there is no file")
                .hasMessageContaining("nowhere.conf");
        Files.writeString(
                app,
                Files.readString(app)
                        .replace(", conf/none.conf: nowhere.conf", "")
                        .replace("budget: 12", "budget: 1"));

        run(app);

        assertThat(directory.resolve("lab-test/best/conf/all.conf"))
                .content()
                .isEqualTo("threads 2\npause 7\nother {{other}}\n");
    }

    @Test
    void tellsWhatTheLoadCannotAskOrDoesNotMeasureBeforeItBegins() throws Exception {
        write("app.yaml", """
                services:
                  web: {command: "true", ready: port 70000}
                  db: {command: "true", ready: "http://not a host/"}
                load:
                  requests:
                    - {name: search, url: localhost:8080/search}
                    - {name: buy, url: "http://localhost/buy"}
                objective: p59
                limits: [p95.buy <= 100, p95.serch <= 100]
                budget: 1.5
                parameters:
                  - {name: a, service: web, range: 1..5, default: many}
                  - {name: b, service: web, type: number, range: 1..5, default: 1}
                  - {name: c, service: web, values: [x, y], step: 2, default: x}
                """);

        assertThatThrownBy(() -> AppFile.read(directory.resolve("app.yaml")))
                .hasMessageContaining("app.yaml:2: ready: a port is 1 to 65535, not 70000")
                .hasMessageContaining("app.yaml:3: ready: ")
                .hasMessageContaining("app.yaml:6: url: an address is http://HOST:PORT/PATH")
                .hasMessageContaining("app.yaml:8: objective: the load measures no p59; it measures cpu-ms")
                .hasMessageContaining("app.yaml:9: limits: the load measures no p95.serch")
                .hasMessageContaining("app.yaml:10: budget: a whole number is wanted, not 1.5")
                .hasMessageContaining("app.yaml:12: default: many is no number")
                .hasMessageContaining("app.yaml:13: type: is integer, real, ordered or categorical, not number")
                .hasMessageContaining("app.yaml:14: step: is for numbers")
                .hasMessageNotContaining("p95.buy <");
    }

    @Test
    void refusesToApplyWhatNoProcessTakes() throws Exception {
        write("app.yaml", """
                deploy: "true"
                load: {command: "true"}
                parameters:
                  - {name: a, service: web, range: 1..5, default: 2, apply: {argument: "a={value}"}}
                  - {name: b, service: web, range: 1..5, default: 2}
                """);

        assertThatThrownBy(() -> AppFile.read(directory.resolve("app.yaml")))
                .hasMessageContaining("app.yaml:4: apply: there are no services here")
                .hasMessageNotContaining("app.yaml:5");
    }

    /** Requests of which the front takes a varying time and the store a short, steady one. */
    private static String traces() {
        var lines = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            long store = 200;
            long web = 5_000 + 1_000L * (i % 9);
            lines.append(String.format(java.util.Locale.ROOT, """
                    {"trace":"t%1$d","id":"a","service":"web","operation":"get","start":0,"end":%2$d}
                    {"trace":"t%1$d","id":"b","parent":"a","service":"store","operation":"get","start":100,"end":%3$d}
                    """, i, web, 100 + store));
        }
        return lines.toString();
    }

    @Test
    void tunesOnlyTheServicesThatTracesNameAndComparesTheReductions() throws Exception {
        Path app = app("reduce: critical-path\ntraces: [traces.jsonl]\nverify: 0\n");
        write("traces.jsonl", traces());
        write("store.sh", "echo \"$*\" > store; echo up; exec sleep 1000\n");
        Files.writeString(
                app,
                Files.readString(app)
                        .replace("budget: 12", "budget: 6")
                        .replace("load:", "  store:\n    command: [sh, store.sh]\n    ready: printed up\nload:"));
        write(
                "parameters.yaml",
                Files.readString(directory.resolve("parameters.yaml"))
                        + "  - {name: pages, service: store, range: 1..9, default: 4, apply: {argument: \"pages={value}\"}}\n");

        Study study = run(app).study();

        assertThat(told).contains("critical-path keeps 1 of 2 services and 3 of 4 parameters: web");
        assertThat(study.trials())
                .hasSize(6)
                .allSatisfy(trial -> assertThat(trial.setting().values()).containsOnlyKeys("threads", "size", "limit"));
        assertThat(directory.resolve("store")).content().isEqualTo("pages=4\n");
        assertThat(directory.resolve("lab-test/report.html"))
                .content()
                .contains("Which services are tuned", "critical-path-variance", "On critical path", "store");
        told.clear();
        Files.writeString(app, Files.readString(app).replace("budget: 6", "budget: 7"));
        assertThat(run(app).study().trials()).hasSize(7);
        assertThat(told).contains("goes on after 6 trials");
        Files.writeString(app, Files.readString(app).replace("reduce: critical-path", "reduce: variance"));
        assertThatThrownBy(() -> run(app))
                .hasMessageContaining("reduced by variance")
                .hasMessageContaining("--fresh");
    }

    @Test
    void aServiceThatEndsWhileItIsMeasuredHasFailedHoweverFastItsRequestsDid() throws Exception {
        Path app = app("");
        write("service.sh", "echo up; while [ ! -e crash ]; do sleep 0.05; done; echo out of memory; exit 9\n");
        // Until it is gone, as then something else answers: nobody.
        write(
                "load.sh",
                "touch crash; while [ -e /proc/$(cat pid) ]; do sleep 0.05; done; echo '{\"p95\": 1, \"errors\": 0}'\n");
        write("service.sh", "echo $$ > pid; rm -f crash; " + Files.readString(directory.resolve("service.sh")));

        assertThatThrownBy(() -> run(app))
                .hasMessageContaining("web ended while it was measured, with status 9")
                .hasMessageContaining("out of memory");
    }

    @Test
    void refusesToMeasureWhatListensThereAlready() throws Exception {
        try (var taken = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Path app = app("");
            for (String ready :
                    List.of("port " + taken.getLocalPort(), "http://127.0.0.1:" + taken.getLocalPort() + "/")) {
                Files.writeString(app, Files.readString(app).replaceFirst("ready: .*", "ready: " + ready));
                assertThatThrownBy(() -> LabRun.run(app, true, service -> false, told::add))
                        .hasMessageContaining("something listened at port " + taken.getLocalPort() + " already");
            }
        }
    }

    @Test
    void aLoadOfWhichMostRequestsFailIsNoFastOne() throws Exception {
        try (var closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = closed.getLocalPort();
            closed.close();
            Path app = app("");
            Files.writeString(
                    app,
                    Files.readString(app)
                            .replace("command: [sh, load.sh]", "url: http://127.0.0.1:" + port + "/")
                            .replace("  limit: 20s", "  rate: 200\n  warm-up: 0ms\n  measure: 200ms")
                            .replace("limits: [errors <= 5]\n", ""));

            assertThatThrownBy(() -> run(app)).hasMessageContaining("100 % of the requests failed");
        }
    }

    @Test
    void everyKeyOfTheApplicationFileIsInTheDocumentationAndNoOther() throws Exception {
        Path page = Path.of(System.getProperty("leeway.root", "../.."), "docs/autotune/lab.md");
        String table = Files.readString(page).split("\\| Key \\|", 2)[1].split("\n\n", 2)[0];
        Set<String> documented = table.lines()
                .skip(2)
                .flatMap(row -> Pattern.compile("`([a-z-]+)`")
                        .matcher(row.split("\\|")[1])
                        .results())
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThatThrownBy(() -> AppFile.read(app("foo: 1\n"))).satisfies(refused -> {
            String known = refused.getMessage().replaceAll("(?s).*there are (.*?)\\n.*", "$1");
            assertThat(new TreeSet<>(List.of(known.split(", ")))).isEqualTo(documented);
        });
    }
}
