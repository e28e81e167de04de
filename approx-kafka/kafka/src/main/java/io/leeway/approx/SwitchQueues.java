package io.leeway.approx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * The same queues as {@link Queues}, for switches: as tables of SONiC's configuration. A queue's number there is its
 * priority, so exact traffic is in 7 and approximate traffic in 6 (little slack) to 0 (much). The queue of exact traffic
 * marks from some packets on and has what the others leave of the memory; those have one packet more than the one below
 * each, of a pool of their own.
 */
final class SwitchQueues {

    private static final int CLASSES = 8;
    private static final int CODE_POINTS = 64;
    /** Packets of all approximate queues of a port. */
    private static final int SMALL = 28;

    private SwitchQueues() {}

    static String sonic(List<String> ports, int mtu, int mark) {
        for (String port : ports) {
            if (!port.matches("[A-Za-z][A-Za-z0-9_.-]{0,30}")) {
                throw new IllegalArgumentException("names of ports separated by commas, not " + port);
            }
        }
        Map<String, String> tables = new TreeMap<>();
        tables.put("DSCP_TO_TC_MAP", table(Map.of("APPROX", numbers(CODE_POINTS, SwitchQueues::queueOfCodePoint))));
        tables.put("TC_TO_QUEUE_MAP", table(Map.of("APPROX", numbers(CLASSES, queue -> queue))));
        tables.put("SCHEDULER", table(Map.of("approx_strict", fields("type", "STRICT"))));
        String threshold = "" + (long) mark * mtu;
        tables.put(
                "WRED_PROFILE",
                table(Map.of(
                        "APPROX_EXACT",
                        fields(
                                "ecn",
                                "ecn_all",
                                "green_drop_probability",
                                "100",
                                "green_max_threshold",
                                threshold,
                                "green_min_threshold",
                                threshold,
                                "wred_green_enable",
                                "true"))));
        tables.put(
                "BUFFER_POOL",
                table(Map.of(
                        "approx_pool",
                        fields("mode", "static", "size", "" + (long) SMALL * mtu * ports.size(), "type", "egress"))));
        tables.put("BUFFER_PROFILE", table(buffers(mtu)));
        Map<String, String> ofPorts = new TreeMap<>();
        Map<String, String> queues = new TreeMap<>();
        Map<String, String> memory = new TreeMap<>();
        for (String port : ports) {
            ofPorts.put(port, fields("dscp_to_tc_map", "APPROX", "tc_to_queue_map", "APPROX"));
            for (int queue = 0; queue < CLASSES - 1; queue++) {
                queues.put(port + "|" + queue, fields("scheduler", "approx_strict"));
                memory.put(port + "|" + queue, fields("profile", "approx_" + (queue + 1)));
            }
            queues.put(
                    port + "|" + (CLASSES - 1), fields("scheduler", "approx_strict", "wred_profile", "APPROX_EXACT"));
        }
        tables.put("PORT_QOS_MAP", table(ofPorts));
        tables.put("QUEUE", table(queues));
        tables.put("BUFFER_QUEUE", table(memory));
        return table(tables) + "\n";
    }

    /** The class selector, the three highest bits, is that of a queue; the senders' code points have 2 in the lower ones. */
    private static int queueOfCodePoint(int codePoint) {
        boolean approximate = (codePoint & 7) == 2 && codePoint > 8;
        return approximate ? (codePoint >> 3) - 1 : CLASSES - 1;
    }

    private static Map<String, String> buffers(int mtu) {
        Map<String, String> buffers = new TreeMap<>();
        for (int packets = 1; packets < CLASSES; packets++) {
            buffers.put(
                    "approx_" + packets,
                    fields("pool", "approx_pool", "size", "0", "static_th", "" + (long) packets * mtu));
        }
        return buffers;
    }

    private static String numbers(int count, IntFunction<Integer> of) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            fields.add("" + i);
            fields.add("" + of.apply(i));
        }
        return fields(fields.toArray(String[]::new));
    }

    private static String fields(String... namesAndValues) {
        StringJoiner text = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            text.add("\"" + namesAndValues[i] + "\": \"" + namesAndValues[i + 1] + "\"");
        }
        return text.toString();
    }

    private static String table(Map<String, String> rows) {
        StringJoiner text = new StringJoiner(",\n");
        new TreeMap<>(rows).forEach((name, row) -> text.add("\"" + name + "\": " + row));
        return "{\n  " + text.toString().replace("\n", "\n  ") + "\n}";
    }
}
