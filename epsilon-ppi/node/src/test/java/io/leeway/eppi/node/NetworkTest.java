package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkTest {

    @TempDir
    Path directory;

    @Test
    void whatIsConstructedIsFoundByWhoMayAndByNobodyElse() {
        try (var hospitals = new Hospitals(directory, 3, 5, Map.of("eppi.classes.least", "1"))) {
            hospitals
                    .person("111", 0.5, 1)
                    .person("222", 0, 0, 3)
                    .person("333", 1, 2)
                    .person("444", 0.5, 0, 1, 2, 3, 4);
            for (int i = 0; i < 30; i++) {
                hospitals.person("90" + i, 0.5, i % 5);
            }
            hospitals.start();

            assertThat(hospitals.construct()).isEqualTo(1);

            EppiSearcher doctor = hospitals.searcher("doctor");
            assertThat(doctor.query("222")).containsExactly("hospital-a", "hospital-d");
            assertThat(doctor.query("333")).hasSize(5);
            assertThat(doctor.query("444")).hasSize(5);
            assertThat(doctor.query("111")).contains("hospital-b");
            List<EppiSearcher.Answer> answers = doctor.search("1-1-1").answers();
            assertThat(answers).allMatch(each -> each.error().isEmpty());
            assertThat(answers.stream().filter(each -> !each.records().isEmpty()))
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.provider()).isEqualTo("hospital-b");
                        assertThat(each.records()).containsExactly(List.of("2026-01-02", "check at hospital-b"));
                    });
            assertThat(hospitals.searcher("stranger").search("111").answers())
                    .allMatch(each -> each.error().startsWith("EPPI-1404")
                            && each.records().isEmpty());
        }
    }
}
