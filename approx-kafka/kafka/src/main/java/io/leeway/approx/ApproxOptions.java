package io.leeway.approx;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The values of all options, checked. Immutable. */
public final class ApproxOptions {

    /** The prefix of all keys. */
    public static final String PREFIX = "approx.";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Pattern ADDRESS = Pattern.compile("\\[?([^\\s,\\[\\]]+)]?:(\\d{1,5})");

    private final Map<ApproxOption, String> values;
    private final List<TopicRule> rules;

    private ApproxOptions(Map<ApproxOption, String> values, List<TopicRule> rules) {
        this.values = values;
        this.rules = List.copyOf(rules);
    }

    /**
     * Options from properties. Keys without the prefix are ignored, but for those of a config provider.
     *
     * @throws ApproxException with all faults at once
     */
    public static ApproxOptions of(Map<String, ?> properties) {
        List<String> faults = new ArrayList<>();
        Map<ApproxOption, String> values = new EnumMap<>(ApproxOption.class);
        properties.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                Arrays.stream(ApproxOption.values())
                        .filter(option -> option.key().equals(key))
                        .findAny()
                        .ifPresentOrElse(
                                option ->
                                        values.put(option, String.valueOf(value).strip()),
                                () -> faults.add("There is no option " + key + "."));
            }
        });
        for (ApproxOption option : ApproxOption.values()) {
            String value = values.computeIfAbsent(option, ApproxOption::fallback);
            if (!value.isEmpty() && !fits(option, value)) {
                String shown = option.kind() == ApproxOption.Kind.SECRET ? "" : ": " + value;
                faults.add(option.key() + " is not " + describe(option.kind()) + shown + ".");
            }
        }
        List<TopicRule> rules = faults.isEmpty() ? TopicRule.parse(values, faults) : List.of();
        checkTogether(values, faults);
        if (!faults.isEmpty()) {
            throw new ApproxException(ApproxError.OPTIONS, String.join(" ", faults));
        }
        return new ApproxOptions(values, rules);
    }

    private static void checkTogether(Map<ApproxOption, String> values, List<String> faults) {
        oneOf(values, ApproxOption.SELECTION, faults, "unbiased", "any");
        oneOf(values, ApproxOption.UPSTREAM_TLS, faults, "on", "off");
        oneOf(values, ApproxOption.MARK, faults, "on", "off");
        oneOf(values, ApproxOption.MODE, faults, "auto", "atp", "udp-polite", "tcp-sample", "off");
        within(values, ApproxOption.QUEUES, 2, 8, faults);
        within(values, ApproxOption.DATAGRAM, 200, 9_000, faults);
        within(values, ApproxOption.RATE_MAX, 1_000_000, 400_000_000_000L, faults);
        within(values, ApproxOption.BUFFER, 1 << 20, Long.MAX_VALUE, faults);
        within(values, ApproxOption.RECEIVE, 1 << 20, Long.MAX_VALUE, faults);
        if (values.getOrDefault(ApproxOption.LISTEN, "").matches("(0\\.0\\.0\\.0|\\[?::]?):\\d+")) {
            faults.add(ApproxOption.LISTEN.key()
                    + " is an address of this machine that clients can take for that of the" + " brokers, not of any.");
        }
    }

    private static void oneOf(
            Map<ApproxOption, String> values, ApproxOption option, List<String> faults, String... known) {
        if (!List.of(known).contains(values.getOrDefault(option, ""))) {
            faults.add(option.key() + " is one of " + String.join(", ", known) + ".");
        }
    }

    private static void within(
            Map<ApproxOption, String> values, ApproxOption option, long least, long most, List<String> faults) {
        String value = values.getOrDefault(option, "");
        if (fits(option, value) && (Long.parseLong(value) < least || Long.parseLong(value) > most)) {
            faults.add(option.key() + " is from " + least + " to " + most + ", not " + value + ".");
        }
    }

    private static String describe(ApproxOption.Kind kind) {
        return switch (kind) {
            case TEXT -> "a text";
            case SECRET -> "at least 16 characters long";
            case ADDRESS -> "host:port";
            case ADDRESSES -> "host:port,host:port";
            case FRACTION -> "above 0 and at most 1";
            case NUMBER -> "a whole number";
            case DURATION -> "a duration such as 10s or 500ms";
        };
    }

    private static boolean fits(ApproxOption option, String value) {
        return switch (option.kind()) {
            case TEXT -> true;
            case SECRET -> option != ApproxOption.TOKEN || value.length() >= 16;
            case ADDRESS -> isAddress(value);
            case ADDRESSES -> Arrays.stream(value.split(",")).map(String::strip).allMatch(ApproxOptions::isAddress);
            case FRACTION -> fraction(value).isPresent();
            case NUMBER -> value.matches("\\d{1,18}");
            case DURATION -> DURATION.matcher(value).matches();
        };
    }

    private static boolean isAddress(String value) {
        Matcher matcher = ADDRESS.matcher(value);
        return matcher.matches() && Integer.parseInt(matcher.group(2)) <= 65_535;
    }

    /** A number above 0 and at most 1, or nothing. */
    static OptionalDouble fraction(String value) {
        try {
            double parsed = Double.parseDouble(value);
            return parsed > 0 && parsed <= 1 ? OptionalDouble.of(parsed) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    /** A duration; the text was checked. */
    static Duration duration(String value) {
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a duration: " + value);
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    /** The text of an option; empty if it has none. */
    public String text(ApproxOption option) {
        return values.getOrDefault(option, "");
    }

    /** Whether an option has a value. */
    public boolean has(ApproxOption option) {
        return !text(option).isEmpty();
    }

    /**
     * The text of an option that cannot be done without.
     *
     * @throws ApproxException if it has none
     */
    public String required(ApproxOption option) {
        if (!has(option)) {
            throw new ApproxException(ApproxError.OPTIONS, option.key() + " is missing: " + option.text());
        }
        return text(option);
    }

    /** A whole number. */
    public long number(ApproxOption option) {
        return Long.parseLong(text(option));
    }

    /** A fraction. */
    public double fraction(ApproxOption option) {
        return Double.parseDouble(text(option));
    }

    /** A duration. */
    public Duration duration(ApproxOption option) {
        return duration(text(option));
    }

    /** An address, not resolved. */
    public InetSocketAddress address(ApproxOption option) {
        return address(required(option));
    }

    /** Addresses, not resolved. */
    public List<InetSocketAddress> addresses(ApproxOption option) {
        return Arrays.stream(required(option).split(","))
                .map(String::strip)
                .map(ApproxOptions::address)
                .toList();
    }

    private static InetSocketAddress address(String value) {
        Matcher matcher = ADDRESS.matcher(value);
        if (!matcher.matches()) {
            throw new ApproxException(ApproxError.OPTIONS, "not an address: " + value);
        }
        return InetSocketAddress.createUnresolved(matcher.group(1), Integer.parseInt(matcher.group(2)));
    }

    /** The rules of approximate topics, in the order given. */
    public List<TopicRule> topicRules() {
        return rules;
    }
}
