package io.leeway.approx.internal.window;

import io.leeway.approx.internal.wire.RecordData;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The name of a record's group. */
@FunctionalInterface
public interface Grouping {

    /** The name. */
    String of(RecordData record);

    /** A grouping as the option {@code approx.groups} names it; the text was checked. */
    static Grouping of(String text) {
        int colon = text.indexOf(':');
        String argument = text.substring(colon + 1);
        return switch (colon < 0 ? text : text.substring(0, colon)) {
            case "partition" -> record -> "partition-" + record.partition();
            case "key" -> record -> "key-" + Math.floorMod(Arrays.hashCode(record.key()), Integer.parseInt(argument));
            case "header" -> record -> header(record, argument);
            default -> record -> "all";
        };
    }

    private static String header(RecordData record, String name) {
        for (RecordData.Header header : record.headers()) {
            if (header.name().equals(name) && header.value() != null) {
                return new String(header.value(), StandardCharsets.UTF_8);
            }
        }
        return "other";
    }
}
