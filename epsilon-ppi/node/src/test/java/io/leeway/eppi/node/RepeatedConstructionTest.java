package io.leeway.eppi.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatedConstructionTest {

    @TempDir
    Path directory;

    @Test
    void listsOnlyGrowAlsoWhenRecordsAreDeletedAndNodesStartAnew() {
        try (var hospitals = new Hospitals(directory, 3, 5, Map.of("eppi.classes.least", "1"))) {
            for (int i = 0; i < 40; i++) {
                hospitals.person("p" + i, 0.25 + i % 3 * 0.25, i % 5);
            }
            hospitals.start();
            hospitals.construct();
            Map<String, List<String>> first = lists(hospitals);

            hospitals.forget("hospital-a", "p0");
            hospitals.nodes.get("hospital-b").close();
            hospitals.startProvider("hospital-b");
            hospitals.construct();
            assertThat(lists(hospitals)).isEqualTo(first);
            assertThat(hospitals.searcher("doctor").search("p0").answers())
                    .allMatch(each -> each.error().isEmpty() && each.records().isEmpty());

            hospitals.visit("hospital-e", "p0");
            assertThat(hospitals.construct()).isEqualTo(3);
            lists(hospitals).forEach((person, list) -> assertThat(list).containsAll(first.get(person)));
            assertThat(hospitals.searcher("doctor").query("p0")).contains("hospital-a", "hospital-e");
        }
    }

    private static Map<String, List<String>> lists(Hospitals hospitals) {
        EppiSearcher doctor = hospitals.searcher("doctor");
        Map<String, List<String>> lists = new HashMap<>();
        for (int i = 0; i < 40; i++) {
            lists.put("p" + i, doctor.query("p" + i));
        }
        return lists;
    }
}
