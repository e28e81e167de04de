package io.leeway.approx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.approx.estimate.WindowSketches;
import io.leeway.testkit.DocTable;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

class OptionsTest {

    @Test
    void readsRulesOfTopics() {
        ApproxOptions options = ApproxOptions.of(Map.of(
                "approx.topics", "trips(msr=0.5; groups=key:4; msr.key-0=1), clicks*(error.max=0.02;value=csv:2)",
                "approx.window", "30s"));
        assertThat(options.topicRules()).hasSize(2);
        TopicRule trips = options.topicRules().get(0);
        assertThat(trips.msr()).hasValue(0.5);
        assertThat(trips.groupMsr()).containsEntry("key-0", 1.0);
        assertThat(trips.window()).hasSeconds(30);
        assertThat(options.topicRules().get(1).matches("clicks-2")).isTrue();
        assertThat(trips.matches("trips-2")).isFalse();
    }

    @Test
    void tellsAllFaultsAtOnce() {
        assertThatThrownBy(() -> ApproxOptions.of(Map.of(
                        "approx.mode",
                        "fast",
                        "approx.nonsense",
                        "1",
                        "approx.confidence",
                        "2",
                        "approx.token",
                        "short")))
                .isInstanceOf(ApproxException.class)
                .hasMessageContaining("APPROX-001")
                .hasMessageContaining("approx.mode")
                .hasMessageContaining("approx.nonsense")
                .hasMessageContaining("approx.confidence")
                .hasMessageContaining("approx.token")
                .hasMessageNotContaining("short");
    }

    /** Not from the path of the records, in the first window. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_22)
    void sketchesAreAFaultOfTheOptionsWhereTheirLibraryDoesNotStart() {
        assertThatThrownBy(() -> ApproxOptions.of(Map.of("approx.topics", "a(msr=0.5;sketches=on)")))
                .hasMessageContaining("APPROX-001")
                .hasMessageContaining("Topic a")
                .hasMessageContaining("use Java 17 or 21");
        assertThatThrownBy(WindowSketches::new).hasMessageContaining("APPROX-301");
    }

    @Test
    void aTopicNeedsARateOrAnErrorAndAnErrorNeedsAValue() {
        assertThatThrownBy(() ->
                        ApproxOptions.of(Map.of("approx.topics", "a, b(msr=0.5;error.max=0.1), c(error.max=0.1)")))
                .hasMessageContaining("Topic a needs")
                .hasMessageContaining("Topic b has error.max of a mean, so it needs value")
                .hasMessageContaining("Topic c has error.max of a mean, so it needs value");
        assertThatThrownBy(() -> ApproxOptions.of(Map.of("approx.topics", "a(msr=1.5), b(msr=0.5;window=0r)")))
                .hasMessageContaining("Topic a: msr is above 0 and at most 1, not 1.5")
                .hasMessageNotContaining("Topic a needs")
                .hasMessageContaining("Topic b: window is not a duration");
        assertThatThrownBy(() -> ApproxOptions.of(Map.of("approx.topics", "a(msr=0.5")))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void anErrorIsOfOneAnswer() {
        ApproxOptions options = ApproxOptions.of(Map.of(
                "approx.error.max",
                "0.02",
                "approx.answer",
                "count",
                "approx.topics",
                "a, b(answer=ratio;value=csv:0;per=csv:1), c(msr=0.5), d(answer=sum;value=size)"));
        assertThat(options.topicRules())
                .extracting(TopicRule::answer)
                .containsExactly(
                        TopicRule.Answer.COUNT, TopicRule.Answer.RATIO, TopicRule.Answer.COUNT, TopicRule.Answer.SUM);
        assertThatThrownBy(() -> ApproxOptions.of(Map.of(
                        "approx.topics",
                        "a(error.max=0.1;answer=median), b(error.max=0.1;answer=ratio;value=csv:0), c(msr=0.5;answer=count),"
                                + " d(error.max=0.1;value=size;per=csv:1), e(error.max=0.1;answer=sum),"
                                + " f(error.max=0.1;answer=ratio;value=csv:0;per=column)")))
                .hasMessageContaining("Topic a: answer is mean, sum, ratio, count, rank or quantile, not median")
                .hasMessageContaining("Topic b has answer=ratio, so it needs per, the second number")
                .hasMessageContaining("Topic c has answer=count, which says what error.max is of, and no error.max")
                .hasMessageContaining("Topic d has per, which is for answer=ratio")
                .hasMessageContaining("Topic e has error.max of a sum, so it needs value; or say answer=count")
                .hasMessageContaining("Topic f: per cannot be column");
    }

    @Test
    void aTopicHasOnePromiseAndItsOwnReplacesThatOfAll() {
        ApproxOptions options = ApproxOptions.of(
                Map.of("approx.msr", "0.5", "approx.topics", "a, b(quota=100), c(error.max=0.1;value=size;msr.x=1)"));
        assertThat(options.topicRules().get(0).msr()).hasValue(0.5);
        assertThat(options.topicRules().get(1).msr()).isEmpty();
        assertThat(options.topicRules().get(1).quota()).isEqualTo(100);
        assertThat(options.topicRules().get(2).msr()).isEmpty();
        assertThatThrownBy(() -> ApproxOptions.of(Map.of("approx.topics", "a(quota=0), b(quota=5;msr=0.5)")))
                .hasMessageContaining("Topic a: quota is a whole number above 0, not 0")
                .hasMessageContaining(
                        "Topic b has msr and quota, of which each says how many records travel: leave one");
    }

    @Test
    void aShimHasAnAddressThatClientsCanUse() {
        assertThatThrownBy(() -> ApproxOptions.of(Map.of("approx.listen", "0.0.0.0:9092")))
                .hasMessageContaining("approx.listen is an address of this machine");
    }

    @Test
    void theTableOfOptionsIsThatOfTheCode() throws IOException {
        DocTable table = DocTable.of("Option", "Default", "What it does");
        for (ApproxOption option : ApproxOption.values()) {
            String fallback = option.fallback().isEmpty() ? "" : "`" + option.fallback() + "`";
            table.row("`" + option.key() + "`", fallback, option.text());
        }
        table.assertIn("approx/configuration.md", "approx options");
    }

    @Test
    void theTableOfErrorsIsThatOfTheCode() throws IOException {
        DocTable table = DocTable.of("Code", "Name", "What to do");
        for (ApproxError error : ApproxError.values()) {
            table.row("`" + error.code() + "`", error.name(), error.remedy());
        }
        table.assertIn("approx/operations.md", "approx errors");
    }
}
