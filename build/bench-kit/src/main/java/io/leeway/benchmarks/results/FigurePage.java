package io.leeway.benchmarks.results;

import java.util.List;
import java.util.stream.Collectors;

/** The page of all figures of a product, whether they have a goal or not. */
final class FigurePage {

    private static final String RUNS = "Runs";

    private FigurePage() {}

    static String of(String product, List<Result> results, Runs runs) {
        List<Section> sections = Section.of(results);
        return """
                # Figures of %1$s

                All %2$d figures, made from the results by `build/bench tables`. What they say, which miss their goal, and how they are taken: [benchmarks of %1$s](%1$s.md). The letters name the [runs](#runs).

                """.formatted(product, results.size())
                + contents(sections)
                + tables(sections, results, runs)
                + "## " + RUNS + "\n\n"
                + runs.table();
    }

    private static String contents(List<Section> sections) {
        return sections.size() < 2
                ? ""
                : sections.stream()
                        .map(section -> Markdown.linkTo(section.title()))
                        .collect(Collectors.joining(" · ", "", "\n\n"));
    }

    private static String tables(List<Section> sections, List<Result> results, Runs runs) {
        var cutter = FigureName.cutter(results);
        List<Detail> details = Detail.all(runs);
        return sections.stream()
                .map(section -> "## " + section.title() + "\n\n" + Layout.of(section, cutter, details))
                .collect(Collectors.joining());
    }
}
