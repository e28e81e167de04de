package io.leeway.autotune.internal.outside;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Megabits a second that leave through a network device, by a token bucket of {@code tc}. It replaces the device's root
 * queue, so the device has to have none of its own; at the upper bound the bucket is taken away again.
 *
 * @param prefix what {@code tc} is run with, such as {@code ip netns exec NAME}; mostly nothing
 */
record NetworkKnob(KnobSpec spec, String device, List<String> prefix) implements OutsideKnob {

    private static final Pattern RATE = Pattern.compile("qdisc tbf .* rate ([0-9.]+)([KMG]?)bit");

    private String tc(String... arguments) throws IOException {
        var command = new java.util.ArrayList<>(prefix);
        command.add("tc");
        command.addAll(List.of(arguments));
        return Command.run(command);
    }

    @Override
    public KnobValue read() throws IOException {
        Matcher rate = RATE.matcher(tc("qdisc", "show", "dev", device));
        if (!rate.find()) {
            return KnobValue.of(spec.max());
        }
        double factor = switch (rate.group(2)) {
            case "K" -> 1e-3;
            case "M" -> 1;
            case "G" -> 1e3;
            default -> 1e-6;
        };
        return KnobValue.of(Double.parseDouble(rate.group(1)) * factor);
    }

    @Override
    public void write(KnobValue value) throws IOException {
        if (value.number() >= spec.max()) {
            if (RATE.matcher(tc("qdisc", "show", "dev", device)).find()) {
                tc("qdisc", "del", "dev", device, "root");
            }
            return;
        }
        // A bucket of ten milliseconds of the rate, and at least some packets.
        long burst = Math.max(16_000, Math.round(value.number() * 1e6 / 8 / 100));
        String rate = String.format(Locale.ROOT, "%dkbit", Math.round(value.number() * 1_000));
        tc(
                "qdisc",
                "replace",
                "dev",
                device,
                "root",
                "tbf",
                "rate",
                rate,
                "burst",
                Long.toString(burst),
                "latency",
                "100ms");
    }
}
