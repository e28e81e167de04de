package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.leeway.eppi.EppiException;
import io.leeway.eppi.EppiException.Code;
import io.leeway.eppi.internal.config.Settings;
import io.leeway.eppi.internal.metrics.Meters;
import io.leeway.eppi.internal.net.Net;
import io.leeway.eppi.internal.net.OtherVersion;
import io.leeway.eppi.node.RogueProvider.Fault;
import io.leeway.testkit.Depth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members that drop out, lie or are missing: a clear error, no index, and the next construction goes well. */
class FaultsTest {

    private static final Map<String, String> QUICK =
            Map.of("eppi.attempts", "1", "eppi.timeout", "15s", "eppi.classes.least", "1");

    /** Where nothing is waited for to its limit, the limit is one that a slow machine does not reach. */
    private static final Map<String, String> PATIENT =
            Map.of("eppi.attempts", "1", "eppi.timeout", "180s", "eppi.classes.least", "1");

    private static final Map<Fault, Set<Code>> SAID = Map.of(
            Fault.LEAVES_AFTER_START, EnumSet.of(Code.PROVIDERS),
            Fault.JOINS_ANOTHER_CONSTRUCTION, EnumSet.of(Code.PROVIDERS),
            Fault.LEAVES_AFTER_JOIN, EnumSet.of(Code.GONE),
            Fault.LEAVES_AFTER_COMMITMENT, EnumSet.of(Code.GONE),
            Fault.SENDS_NOISE_AS_COMMITMENT, EnumSet.of(Code.MALFORMED),
            Fault.COMMITS_TO_DIFFERENT_THINGS, EnumSet.of(Code.DISAGREEMENT),
            Fault.SENDS_ANOTHER_SHARE, EnumSet.of(Code.COMMITMENT),
            Fault.SENDS_A_SHORT_SHARE, EnumSet.of(Code.MALFORMED),
            Fault.CLAIMS_EVERYBODY, EnumSet.of(Code.AUDIT),
            Fault.SENDS_WHAT_IS_NO_ROW, EnumSet.of(Code.PROVIDERS));

    @TempDir
    Path directory;

    private Hospitals hospitals(Map<String, String> options) {
        var hospitals = new Hospitals(directory, 3, 3, options);
        for (int i = 0; i < 20; i++) {
            hospitals.person("p" + i, 0.5, i % 3);
        }
        return hospitals.person("all", 0.5, 0, 1, 2);
    }

    @Tag(Depth.DEEP)
    @ParameterizedTest
    @EnumSource(Fault.class)
    void aProviderThatDoesWhatItMustNotEndsTheConstructionAndNoIndexIsServed(Fault fault) {
        refuses(fault);
    }

    @Test
    @Tag(Depth.DEEP)
    void whoClaimsPersonsThatDoNotExistIsFoundAndNamed() {
        refuses(Fault.CLAIMS_EVERYBODY);
    }

    @Test
    void whoSendsAnotherShareThanItCommittedToIsFound() {
        refuses(Fault.SENDS_ANOTHER_SHARE);
    }

    private void refuses(Fault fault) {
        boolean isWaitedFor = SAID.getOrDefault(fault, Set.of()).contains(Code.PROVIDERS);
        try (Hospitals hospitals = hospitals(isWaitedFor ? QUICK : PATIENT).start()) {
            hospitals.nodes.get("hospital-c").close();
            awaitWaiting(hospitals, "hospital-c", false);
            try (var rogue = new RogueProvider(hospitals.options("hospital-c"), fault)) {
                awaitWaiting(hospitals, "hospital-c", true);
                assertThatExceptionOfType(EppiException.class)
                        .isThrownBy(hospitals::construct)
                        .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isIn(SAID.get(fault)));
                assertThat(hospitals.index.hasIndex()).as("after " + rogue).isFalse();
            }
        }
    }

    @Test
    @Tag(Depth.DEEP)
    void aProviderThatDropsOutOnceIsWaitedForAndTheConstructionIsBegunAnew() {
        Map<String, String> options = Map.of("eppi.attempts", "4", "eppi.classes.least", "1");
        try (Hospitals hospitals = hospitals(options).start()) {
            hospitals.nodes.get("hospital-c").close();
            awaitWaiting(hospitals, "hospital-c", false);
            var rogue = new RogueProvider(hospitals.options("hospital-c"), Fault.LEAVES_AFTER_COMMITMENT);
            try (rogue) {
                awaitWaiting(hospitals, "hospital-c", true);
                var back = new Thread(() -> {
                    awaitWaiting(hospitals, "hospital-c", false);
                    hospitals.startProvider("hospital-c");
                });
                back.start();
                assertThat(hospitals.construct()).isEqualTo(1);
                assertThat(hospitals.searcher("doctor").query("all")).hasSize(3);
                join(back);
            }
        }
    }

    @Test
    void whatTheFirstCoordinatorCannotRememberIsNotServedAndTheNextConstructionGoesWell() throws IOException {
        try (Hospitals hospitals = hospitals(QUICK).start()) {
            // As on a full disk: the file that is written beside cannot be made.
            Path obstacle = Files.createDirectories(directory.resolve("state/coordinator-0/epoch.part/full"));
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(hospitals::construct)
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.STATE));
            assertThat(hospitals.index.hasIndex()).isFalse();
            Files.delete(obstacle);
            Files.delete(obstacle.getParent());

            hospitals.construct();

            assertThat(hospitals.searcher("doctor").query("all")).hasSize(3);
        }
    }

    @Test
    @Tag(Depth.DEEP)
    void whereTheFirstCoordinatorForgotTheEpochItIsSaidWhichItWas() throws IOException {
        try (Hospitals hospitals = hospitals(QUICK).start()) {
            hospitals.construct();
            Files.delete(directory.resolve("state/coordinator-0/epoch"));
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(hospitals::construct)
                    .withMessageContaining("began epoch 1 where 1 was the last")
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.EPOCH));
            Files.writeString(directory.resolve("state/coordinator-0/epoch"), "1");
            assertThat(hospitals.construct()).isEqualTo(2);
        }
    }

    @Test
    void aMissingCoordinatorIsNamed() {
        try (Hospitals hospitals =
                hospitals(Map.of("eppi.attempts", "1", "eppi.timeout", "3s")).start()) {
            hospitals.coordinators.get(2).close();
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(hospitals::construct)
                    .withMessageContaining("coordinator-2")
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.COORDINATORS));
            assertThat(hospitals.index.hasIndex()).isFalse();
        }
    }

    @Test
    void aDatabaseThatIsGoneEndsTheConstructionWithoutAWordOfItsData() {
        try (Hospitals hospitals = hospitals(QUICK).start()) {
            hospitals.dropDatabase("hospital-b");
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(hospitals::construct)
                    .withMessageNotContaining("patients")
                    .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isIn(Code.DATABASE, Code.PROVIDERS));
            assertThat(hospitals.index.hasIndex()).isFalse();
        }
    }

    @Test
    @Tag(Depth.DEEP)
    void stateThatIsLostIsNoticedBeforeNoiseIsDrawnAnew() throws IOException {
        try (Hospitals hospitals = hospitals(QUICK).start()) {
            hospitals.construct();
            Files.delete(directory.resolve("state/hospital-a/noise.key"));
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(hospitals::construct)
                    .satisfies(e -> assertThat(e.code()).as(e.getMessage()).isIn(Code.STATE, Code.PROVIDERS));
        }
    }

    @Test
    void otherVersionsAndRostersAreTurnedAway() throws IOException {
        try (Hospitals hospitals = hospitals(QUICK).start()) {
            var other = OtherVersion.of(Settings.of(hospitals.options("doctor")));
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> other.dial(other.roster().named("hospital-a")))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.VERSION));

            Path roster = directory.resolve("other-roster");
            Files.writeString(
                    roster, Files.readString(directory.resolve("roster")).replace("stranger", "someone"));
            Map<String, String> options = hospitals.options("doctor");
            options.put("eppi.roster", roster.toString());
            var stranger = new Net(Settings.of(options), new Meters());
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(() -> stranger.dial(stranger.roster().named("hospital-a")))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.ROSTER));
        }
    }

    @Test
    void aRegisterThatWasChangedIsRefused() throws IOException {
        try (Hospitals hospitals = hospitals(QUICK).start()) {
            Path register = directory.resolve("register");
            Files.writeString(register, "0123456789abcdef0123456789abcdef 0.0\n", StandardOpenOption.APPEND);
            assertThatExceptionOfType(EppiException.class)
                    .isThrownBy(hospitals::construct)
                    .satisfies(e -> assertThat(e.code()).isEqualTo(Code.REGISTER));
        }
    }

    private static void awaitWaiting(Hospitals hospitals, String name, boolean isWanted) {
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(60))
                .until(() -> hospitals.coordinators.get(0).waiting().contains(name) == isWanted);
    }

    private static void join(Thread thread) {
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
