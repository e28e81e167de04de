package io.leeway.benchmarks.plots;

import io.leeway.benchmarks.results.NaturalOrder;
import io.leeway.benchmarks.results.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Figures by the two parts of their names that differ in a plot. */
final class Figures {

    private Figures() {}

    /**
     * One whose name is like a pattern with the groups {@code what} and {@code of}.
     *
     * @param of the second part, empty if the pattern has one only
     */
    record Figure(String what, String of, double value, String unit) {}

    /** Those like a pattern, by their second parts, then by the first; in both, the product comes before its peers. */
    static List<Figure> like(String pattern, String product, List<Result> results) {
        Pattern names = Pattern.compile(pattern);
        var figures = new ArrayList<Figure>();
        for (Result result : results) {
            Matcher name = names.matcher(result.name());
            if (name.matches()) {
                String of = name.groupCount() > 1 ? name.group("of") : "";
                figures.add(new Figure(name.group("what"), of, result.value(), result.unit()));
            }
        }
        figures.sort(Comparator.comparing((Figure figure) -> !figure.of().startsWith(product))
                .thenComparing(Figure::of, NaturalOrder.OF_NAMES)
                .thenComparing(figure -> !figure.what().startsWith(product))
                .thenComparing(Figure::what, NaturalOrder.OF_NAMES));
        return figures;
    }

    /** Those that are alike in their second part, as places by the number that is the first part. */
    static Map<String, List<LinePlot.Point>> curves(List<Figure> figures) {
        var curves = new LinkedHashMap<String, List<LinePlot.Point>>();
        figures.forEach(figure -> curves.computeIfAbsent(figure.of(), none -> new ArrayList<>())
                .add(new LinePlot.Point(Double.parseDouble(figure.what()), figure.value())));
        curves.values().forEach(points -> points.sort(Comparator.comparingDouble(LinePlot.Point::x)));
        return curves;
    }
}
