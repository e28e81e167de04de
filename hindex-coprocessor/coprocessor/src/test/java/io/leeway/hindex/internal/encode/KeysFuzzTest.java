package io.leeway.hindex.internal.encode;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.leeway.hindex.IllegalDefinitionException;
import io.leeway.hindex.IndexDefinition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Any text is a definition or refused, any cell is indexed or malformed, and what was written is read again. The normal build
 * runs the inputs that are kept beside; {@code JAZZER_FUZZ=1} and {@code -Djazzer.hooks=true} look for new ones, in one method
 * at a time.
 */
class KeysFuzzTest {

    private static final List<String> CODECS = List.of(
            "utf8",
            "fold.desc",
            "bytes",
            "decimal",
            "decimal.desc",
            "date",
            "datetime",
            "uuid",
            "utf8.split(%2C)",
            "fold.words",
            "bytes.list",
            "int.packed",
            "utf8.json(a.b[0].c)",
            "decimal.json(a[*].b)",
            "double.json(a)");

    @FuzzTest(maxDuration = "2m")
    void definitions(FuzzedDataProvider data) {
        String text = data.consumeRemainingAsString();
        IndexDefinition definition;
        try {
            definition = IndexDefinition.parse("fuzzed", text);
        } catch (IllegalDefinitionException e) {
            return;
        }
        if (!IndexDefinition.parse("fuzzed", definition.toText()).equals(definition)) {
            throw new AssertionError(text + " became " + definition);
        }
    }

    @FuzzTest(maxDuration = "2m")
    void cells(FuzzedDataProvider data) {
        var keys = new IndexKeys(List.of(ColumnCodec.parse(data.pickValue(CODECS))), 0);
        byte[] cell = data.consumeRemainingAsBytes();
        var rows = new ArrayList<byte[]>();
        keys.rows(CellValues.of(List.of(cell)), new byte[] {7}, 0, 1, rows);
        for (byte[] row : rows) {
            keys.values(row);
            if (!Arrays.equals(keys.base(row), new byte[] {7})) {
                throw new AssertionError("base row not found again in " + Arrays.toString(row));
            }
        }
    }

    @FuzzTest(maxDuration = "2m")
    void rows(FuzzedDataProvider data) {
        var codecs = List.of(ColumnCodec.parse(data.pickValue(CODECS)), ColumnCodec.parse(data.pickValue(CODECS)));
        var keys = new IndexKeys(codecs, 0);
        byte[] row = data.consumeRemainingAsBytes();
        int start = keys.baseStart(row, 0, row.length);
        if (start < -1 || start > row.length) {
            throw new AssertionError("base row at " + start + " of " + row.length);
        }
    }
}
