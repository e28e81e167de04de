package io.leeway.lazytables.internal.cli;

import java.util.ArrayList;
import java.util.List;

/** Lines whose cells stand below each other; numbers to the right. */
final class TextTable {

    private static final String GAP = "  ";

    private final List<List<String>> lines = new ArrayList<>();

    TextTable(String... heads) {
        lines.add(List.of(heads));
    }

    void add(String... cells) {
        lines.add(List.of(cells));
    }

    @Override
    public String toString() {
        var text = new StringBuilder();
        for (List<String> line : lines) {
            var row = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                String cell = line.get(column);
                String pad = " ".repeat(width(column) - cell.length());
                row.append(column == 0 ? "" : GAP).append(isNumeric(column) ? pad + cell : cell + pad);
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private int width(int column) {
        return lines.stream().mapToInt(line -> line.get(column).length()).max().orElse(0);
    }

    private boolean isNumeric(int column) {
        return lines.size() > 1
                && lines.stream().skip(1).map(line -> line.get(column)).allMatch(cell -> cell.matches("[0-9][0-9,.]*"));
    }
}
