package io.leeway.lazytables.internal.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.leeway.lazytables.LazyTablesException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReportTest {

    private static final String BSP = """
            {"kind":"run","application":"mf","workers":2,"slack":"0","workPerClock":1.0,"passes":3}
            {"kind":"clock","worker":0,"clock":0,"start":0,"compute":600000000,"wait":0,"measure":0,"end":600000000}
            {"kind":"clock","worker":1,"clock":0,"start":0,"compute":1000000000,"wait":0,"measure":0,"end":1000000000}
            {"kind":"clock","worker":0,"clock":1,"start":600000000,"compute":600000000,"wait":400000000,"measure":0,"end":1600000000}
            {"kind":"measure","name":"error","passes":1.0,"nanos":1000000000,"value":4.0}
            {"kind":"measure","name":"error","passes":2.0,"nanos":2000000000,"value":2.0}
            {"kind":"measure","name":"error","passes":3.0,"nanos":3000000000,"value":1.5}
            {"kind":"staleness","clocks":0,"reads":30}
            {"kind":"end","outcome":"passes","value":1.5,"nanos":3000000000}
            """;
    private static final String SSP = """
            {"kind":"run","application":"mf","workers":2,"slack":"2","workPerClock":0.5,"passes":3}
            {"kind":"measure","name":"error","passes":1.0,"nanos":500000000,"value":5.0}
            {"kind":"measure","name":"error","passes":2.0,"nanos":1000000000,"value":1.4}
            {"kind":"measure","name":"error","passes":3.0,"nanos":1500000000,"value":null}
            {"kind":"staleness","clocks":0,"reads":10}
            {"kind":"staleness","clocks":2,"reads":30}
            {"kind":"something new","value":1}
            {"kind":"end","outcome":"diverged","why":"too <much>"}
            """;

    @TempDir
    private Path directory;

    @Test
    void showsRunsOverEachOther() throws IOException {
        String page = page(BSP, SSP);

        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .endsWith("</html>\n")
                .contains("<title>LazyTables report</title>", "mf · 2 runs")
                .contains("BSP", "SSP, slack 2, work 0.5")
                .contains(
                        "error against time; lower is better",
                        "error against passes",
                        "Passes over the data against time")
                .contains("<td>after its passes</td>", "<span class=\"bad\">diverged</span>");
    }

    @Test
    void whatARunSaidOfItsDivergenceIsShown() throws IOException {
        assertThat(page(BSP, SSP)).contains("<p class=\"bad\">SSP, slack 2, work 0.5: too &lt;much&gt;</p>");
        assertThat(page(BSP)).doesNotContain("class=\"bad\"");
        String warned = "{\"kind\":\"warning\",\"why\":\"it grows\"}\n{\"kind\":\"end\"";
        assertThat(page(BSP.replace("{\"kind\":\"end\"", warned))).contains("<p class=\"bad\">BSP: it grows</p>");
    }

    /** Where nothing bounds it, as with reads that wait for nobody. */
    @Test
    void workersThatDriftApartAreTold() throws IOException {
        assertThat(page(apart(40))).contains("<p class=\"bad\">asynchronous: workers were up to 38 clocks apart");
        assertThat(page(apart(20))).doesNotContain("class=\"bad\"");
    }

    /** A worker that does so many clocks while another does its first. */
    private static String apart(int clocks) {
        var records = new StringBuilder(
                        BSP.lines().findFirst().orElseThrow().replace("\"slack\":\"0\"", "\"slack\":\"async\""))
                .append('\n');
        for (int clock = 0; clock < clocks; clock++) {
            records.append(clock(0, clock, clock, clock + 1));
        }
        records.append(clock(1, 0, 0, clocks)).append(clock(1, 1, clocks, 2 * clocks));
        return records.append("{\"kind\":\"end\",\"outcome\":\"passes\",\"value\":1.5,\"nanos\":9}\n")
                .toString();
    }

    private static String clock(int worker, int clock, int start, int end) {
        return "{\"kind\":\"clock\",\"worker\":" + worker + ",\"clock\":" + clock + ",\"start\":" + start
                + ",\"compute\":1,\"wait\":0,\"measure\":0,\"end\":" + end + "}\n";
    }

    @Test
    void aRunThatSaidNothingOfItIsSeenToDiverge() throws IOException {
        String grows = BSP.replace("\"value\":1.5", "\"value\":3.9");

        assertThat(page(grows.replace("\"slack\"", "\"falls\":true,\"slack\"")))
                .contains("<p class=\"bad\">BSP: error is 3.9000 after 3.0000 passes, was 4.0000 at first and 2.0000 at"
                        + " best: the run seems to diverge. Lower the slack");
        // An objective may rise, unless it was said that it falls.
        assertThat(page(grows)).doesNotContain("diverge");
        assertThat(page(SSP.replace("\"outcome\":\"diverged\",\"why\":\"too <much>\"", "\"outcome\":\"passes\"")))
                .contains("error is NaN after 3.0000 passes");
    }

    @Test
    void needsNothingFromElsewhereAndRunsNothing() throws IOException {
        assertThat(page(BSP, SSP)).doesNotContain("http", "<script", "url(", "src=", "@import");
    }

    @Test
    void tellsHowLongEachTookToWhatAllReachedThatDidNotFail() throws IOException {
        String better = SSP.replace("\"outcome\":\"diverged\"", "\"outcome\":\"passes\"");

        // The first reached 1.5, which the second passed after a second and two passes.
        assertThat(page(BSP, better))
                .contains("Time to 1.5000</th>")
                .containsPattern("SSP, slack 2, work 0.5</td>.*<td class=\"n\">1.00 s</td><td class=\"n\">2</td>");
    }

    @Test
    void waitingAndComputingAreAsRecorded() throws IOException {
        assertThat(page(BSP))
                .contains("worker 0: computed 1.20 s, waited 0.40 s, the rest 0.00 s")
                .contains("worker 1: computed 1.00 s, waited 0.00 s")
                .contains("worker 0, clock 2: waited 400.0 ms, computed 600.0 ms")
                // 0.4 of 2.6 seconds.
                .contains("<td class=\"n\">15 %</td>");
    }

    @Test
    void stalenessIsAShareOfReads() throws IOException {
        assertThat(page(BSP, SSP))
                .contains("BSP: 100.00 % of reads 0 clocks behind")
                .contains("SSP, slack 2, work 0.5: 25.00 % of reads 0 clocks behind")
                .contains("SSP, slack 2, work 0.5: 75.00 % of reads 2 clocks behind");
    }

    @Test
    void whatTheControllerChoseIsShownWithItsReasons() throws IOException {
        String adaptive = """
                {"kind":"run","application":"mf","model":"adaptive","workers":2,"slack":"0","workPerClock":1.0}
                {"kind":"pace","clock":0,"nanos":0,"slack":0,"work":1.0,"why":"the begin"}
                {"kind":"pace","clock":8,"nanos":1000000000,"slack":3,"work":0.5,"why":"wait < share"}
                {"kind":"end","outcome":"rest","value":1.0,"nanos":2000000000}
                """;

        assertThat(page(adaptive))
                .contains("What the controller chose", "wait &lt; share", "adaptive")
                .doesNotContain("wait < share");
        assertThat(page(BSP)).doesNotContain("What the controller chose");
    }

    @Test
    void textsOfRecordsAreNoMarkup() throws IOException {
        assertThat(page(BSP.replace("\"mf\"", "\"<b>mf\"").replace("\"error\"", "\"<i>error\"")))
                .doesNotContain("<b>mf", "<i>error")
                .contains("&lt;b&gt;mf", "&lt;i&gt;error");
    }

    @Test
    void aRunThatRecordedNothingIsSaid() throws IOException {
        assertThat(page("{\"kind\":\"run\"}\n")).contains("Nothing was recorded.", "not ended");
    }

    @Test
    void runsOfTheSameSettingsAreNamedApart() throws IOException {
        assertThat(page(BSP, BSP)).contains(">BSP</td>", ">BSP (2)</td>");
    }

    @Test
    void processesOfARunBecomeOneWithAllWorkersOnOneClock() throws IOException {
        // The second process's machine says that its worker began half a second later.
        String page = page(part("a1", 0, 2, 1_000_000), part("a1", 1, 2, 1_500_000), SSP);

        assertThat(page)
                .contains("mf · 2 runs", ">process 0</text>", ">process 1</text>")
                .contains("; 2 processes, whose workers began within 500.0 ms by their machines' clocks")
                // Until the end of the second one's clock.
                .contains("<td class=\"n\">1.50 s</td>")
                .contains("<td>after its passes</td>")
                .doesNotContain("missing", "BSP (2)");
        RunRecords run = RunFiles.read(files(part("a1", 1, 2, 1_500_000), part("a1", 0, 2, 1_000_000)))
                .runs()
                .get(0);
        assertThat(run.clocks)
                .extracting(
                        RunRecords.Clock::process,
                        RunRecords.Clock::worker,
                        RunRecords.Clock::start,
                        RunRecords.Clock::end)
                .containsExactly(tuple(0, 0, 0.0, 1e9), tuple(1, 1, 0.5e9, 1.5e9));
        assertThat(run.measures).containsExactly(new RunRecords.Measured(1, 1e9, 4));
        assertThat(run.staleness).containsExactly(Map.entry(0, 20.0));
    }

    @Test
    void whoTookAPlaceGoesOnInItsLane() throws IOException {
        String whole = part("a1", 0, 1, 1_000_000);
        String killed = whole.substring(0, whole.indexOf("{\"kind\":\"end\""));
        String next = part("a1", 0, 1, 3_000_000)
                .replace("\"passes\":1.0", "\"passes\":2.0")
                .replace(
                        "{\"kind\":\"staleness\"",
                        "{\"kind\":\"measure\",\"name\":\"error\",\"passes\":1.0,\"nanos\":0,\"value\":4.0}\n{\"kind\":\"staleness\"");

        RunRecords run = RunFiles.read(files(killed + next)).runs().get(0);

        assertThat(run.clocks).extracting(RunRecords.Clock::start).containsExactly(0.0, 2e9);
        // It looked again at the first pass, of which is known when it was done.
        assertThat(run.measures)
                .extracting(RunRecords.Measured::passes, RunRecords.Measured::nanos)
                .containsExactly(tuple(1.0, 1e9), tuple(2.0, 3e9));
        assertThat(run.outcome).isEqualTo("passes");
        assertThat(page(killed)).contains("not ended");
    }

    @Test
    void whatLacksOfARunIsSaid() throws IOException {
        assertThat(page(part("a1", 1, 3, 0)))
                .contains(
                        "<p class=\"bad\">BSP: the records of processes 0, 2 of 3 are missing: give their files, too</p>");
        // Runs may be compared by what the same process recorded of each.
        assertThat(page(part("a1", 0, 2, 0), part("b2", 0, 2, 0))).contains("mf · 2 runs");
        String killed = part("a1", 1, 2, 0).replaceAll("(?m)^.*\"end\",.*\n", "");
        assertThat(page(part("a1", 0, 2, 0), killed)).contains("<td>not ended: process 1</td>");
        assertThat(page(
                        part("a1", 0, 2, 0),
                        part("a1", 1, 2, 0).replace("\"passes\",\"value\"", "\"failed\",\"value\"")))
                .contains("<span class=\"bad\">failed</span>");
    }

    @Test
    void filesOfDifferentRunsAreNotTakenForOne() {
        assertThatThrownBy(() -> page(part("a1", 0, 3, 0), part("a1", 2, 3, 0), part("b2", 1, 3, 0)))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("runs2.jsonl (run b2, process 1 of 3) is of another run than ")
                .hasMessageContaining("runs0.jsonl (run a1, processes 0, 2 of 3): give all files of each run");
        assertThatThrownBy(() ->
                        page(part("a1", 0, 2, 0), part("a1", 1, 2, 0).replace("\"slack\":\"0\"", "\"slack\":\"1\"")))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("runs1.jsonl and ")
                .hasMessageContaining("runs0.jsonl say that they are of the same run, and differ");
        assertThatThrownBy(() -> page(part("a1", 0, 2, 0), part("a1", 0, 2, 0)))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("runs0.jsonl and ")
                .hasMessageContaining("runs1.jsonl hold the same records of process 0: give each once");
    }

    /** What a process with one worker of the same number records in a clock; the first tells the measure. */
    private static String part(String run, int process, int processes, long micros) {
        String measure = process > 0
                ? ""
                : "{\"kind\":\"measure\",\"name\":\"error\",\"passes\":1.0,\"nanos\":1000000000,\"value\":4.0}\n";
        return """
                {"kind":"run","application":"mf","workers":%d,"process":%d,"processes":%d,"slack":"0","workPerClock":1.0}
                {"kind":"begin","run":"%s","worker":%d,"micros":%d}
                {"kind":"clock","worker":%d,"clock":0,"start":0,"compute":1000000000,"wait":0,"measure":0,"end":1000000000}
                %s{"kind":"staleness","clocks":0,"reads":10}
                {"kind":"end","outcome":"passes","value":4.0,"nanos":1000000000}
                """.formatted(processes, process, processes, run, process, micros, process, measure);
    }

    @Test
    void whatIsNoRecordIsToldWithFileAndLine() {
        refused("is no record: at character 1", BSP + "what?\n", "line 10");
        refused("the first record is not of kind run", "{\"kind\":\"clock\"}\n", "line 1");
        refused("there is no run", "\n", "runs0");
        assertThatThrownBy(
                        () -> RunFiles.read(List.of(directory.resolve("nothing").toString())))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining("nothing cannot be read");
    }

    @Test
    void aLastLineThatAKillCutIsLeftOut() throws IOException {
        String whole = page(BSP);
        int last = BSP.lastIndexOf("{\"kind\":\"end\"");

        assertThat(page(BSP + "{\"kind\":\"clock\",\"wor")).isEqualTo(whole);
        assertThat(page(BSP.substring(0, last + 20))).contains("not ended");
        // Behind it goes on who took the place, in a run of its own.
        assertThat(page(BSP.substring(0, last + 20) + "\n" + BSP)).contains(">BSP</td>", ">BSP (2)</td>");
        refused("is no record", BSP.substring(0, last + 20) + "\n{\"kind\":\"clock\"}\n", "line 9");
    }

    private void refused(String why, String records, String where) {
        assertThatThrownBy(() -> page(records))
                .isInstanceOf(LazyTablesException.class)
                .hasMessageContaining(why)
                .hasMessageContaining(where);
    }

    private String page(String... records) throws IOException {
        return new RunReport(RunFiles.read(files(records))).html();
    }

    private List<String> files(String... records) throws IOException {
        String[] names = new String[records.length];
        for (int i = 0; i < records.length; i++) {
            names[i] = Files.writeString(directory.resolve("runs" + i + ".jsonl"), records[i])
                    .toString();
        }
        return List.of(names);
    }
}
