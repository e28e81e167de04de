package io.leeway.autotune.lab.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.autotune.lab.Study;
import io.leeway.autotune.lab.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
                  *) echo '{"p95": 7, "errors": 0}' ;;
                esac
                """);
        Study study = run(app).study();

        assertThat(reason(study, 1)).contains("load ended with status 3", "broken");
        assertThat(reason(study, 2)).contains("printed no JSON object");
        assertThat(reason(study, 3)).contains("the metric p95 is missing; there are [errors, p50]");
        assertThat(study.trials().get(4).mayBeBest()).isFalse();
        assertThat(reason(study, 5)).contains("of the limit errors <= 5 is missing");
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
    void refusesAStudyOfOtherParametersAndASecondRun() throws Exception {
        Path app = app("");
        Files.writeString(app, Files.readString(app).replace("budget: 12", "budget: 1"));
        run(app);
        write(
                "parameters.yaml",
                "parameters:\n  - {name: other, service: web, range: 1..5, default: 1, apply: {argument: \"x={value}\"}}\n");

        assertThatThrownBy(() -> run(app)).hasMessageContaining("AUTOTUNE-4003").hasMessageContaining("--fresh");
    }
}
