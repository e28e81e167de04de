package io.leeway.approx;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What holds for some approximate topics.
 *
 * @param pattern a topic, or the beginning of topics followed by {@code *}
 * @param msr the minimal sampling rate; empty if it follows from the error
 * @param errorMax the tolerated relative error of a mean; empty if the rate is given
 * @param confidence the level of intervals
 * @param floor the lowest rate
 * @param groups how records are grouped
 * @param value where the value of a record is; empty for nowhere
 * @param sketches whether reports have sketches of all records
 * @param window the length of windows; of those by count, how long one waits for its next record
 * @param windowRecords how many records a window has; 0 for windows by time
 * @param groupMsr rates of groups that have their own, by name
 */
public record TopicRule(
        String pattern,
        OptionalDouble msr,
        OptionalDouble errorMax,
        double confidence,
        double floor,
        String groups,
        String value,
        boolean sketches,
        Duration window,
        long windowRecords,
        Map<String, Double> groupMsr) {

    private static final Pattern RULE = Pattern.compile("\\s*([a-zA-Z0-9._-]+\\*?)\\s*(?:\\(([^)]*)\\))?\\s*(?:,|$)");
    private static final Pattern GROUPS = Pattern.compile("none|partition|key:[1-9]\\d{0,2}|header:.+");
    private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,8}r");
    private static final Pattern SWITCH = Pattern.compile("on|off");
    private static final Pattern VALUE = Pattern.compile("|size|double|long|csv:\\d{1,3}|json:.+");

    public TopicRule {
        groupMsr = Map.copyOf(groupMsr);
    }

    /** Whether the rule is for this topic. */
    public boolean matches(String topic) {
        return pattern.endsWith("*")
                ? topic.startsWith(pattern.substring(0, pattern.length() - 1))
                : topic.equals(pattern);
    }

    static List<TopicRule> parse(Map<ApproxOption, String> values, List<String> faults) {
        String text = values.getOrDefault(ApproxOption.TOPICS, "").strip();
        List<TopicRule> rules = new ArrayList<>();
        Matcher matcher = RULE.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!matcher.find(at) || matcher.start() != at) {
                faults.add(ApproxOption.TOPICS.key() + " cannot be read from \"" + text.substring(at) + "\" on.");
                return rules;
            }
            String own = matcher.group(2) == null ? "" : matcher.group(2);
            rules.add(rule(matcher.group(1), own, values, faults));
            at = matcher.end();
        }
        return rules;
    }

    private static TopicRule rule(String pattern, String own, Map<ApproxOption, String> values, List<String> faults) {
        Map<String, String> given = new LinkedHashMap<>();
        for (ApproxOption option : List.of(
                ApproxOption.MSR,
                ApproxOption.ERROR_MAX,
                ApproxOption.CONFIDENCE,
                ApproxOption.MSR_FLOOR,
                ApproxOption.GROUPS,
                ApproxOption.VALUE,
                ApproxOption.SKETCHES,
                ApproxOption.WINDOW)) {
            given.put(option.key().substring(ApproxOptions.PREFIX.length()), values.getOrDefault(option, ""));
        }
        Map<String, Double> groupMsr = new LinkedHashMap<>();
        for (String part : own.split(";")) {
            if (!part.isBlank()) {
                own(pattern, part.strip(), given, groupMsr, faults);
            }
        }
        OptionalDouble msr = ApproxOptions.fraction(given.getOrDefault("msr", ""));
        OptionalDouble error = ApproxOptions.fraction(given.getOrDefault("error.max", ""));
        String groups = given.getOrDefault("groups", "none");
        String value = given.getOrDefault("value", "");
        fraction("msr", msr, given, pattern, faults);
        fraction("error.max", error, given, pattern, faults);
        boolean neither = given.getOrDefault("msr", "").isEmpty()
                && given.getOrDefault("error.max", "").isEmpty();
        if (neither || msr.isPresent() && error.isPresent()) {
            faults.add("Topic " + pattern + " needs either msr or error.max.");
        }
        if (error.isPresent() && value.isEmpty()) {
            faults.add("Topic " + pattern + " has error.max, so it needs value.");
        }
        check(GROUPS, groups, "groups", pattern, faults);
        check(VALUE, value, "value", pattern, faults);
        String sketches = given.getOrDefault("sketches", "off");
        check(SWITCH, sketches, "sketches", pattern, faults);
        double confidence = number("confidence", pattern, given, faults);
        double floor = number("msr.floor", pattern, given, faults);
        Duration window = Duration.ofSeconds(10);
        String length = given.getOrDefault("window", "");
        long windowRecords =
                COUNT.matcher(length).matches() ? Long.parseLong(length.substring(0, length.length() - 1)) : 0;
        try {
            window = windowRecords > 0 ? window : ApproxOptions.duration(length);
        } catch (IllegalArgumentException e) {
            faults.add("Topic " + pattern + ": window is " + e.getMessage() + ", nor a count such as 5000r.");
        }
        if (window.isZero()) {
            faults.add("Topic " + pattern + ": a window is longer than nothing.");
        }
        return new TopicRule(
                pattern,
                msr,
                error,
                confidence,
                floor,
                groups,
                value,
                sketches.equals("on"),
                window,
                windowRecords,
                groupMsr);
    }

    private static void own(
            String pattern, String part, Map<String, String> given, Map<String, Double> groupMsr, List<String> faults) {
        int equals = part.indexOf('=');
        String key = equals < 0 ? part : part.substring(0, equals).strip();
        String value = equals < 0 ? "" : part.substring(equals + 1).strip();
        if (key.startsWith("msr.") && !key.equals("msr.floor")) {
            OptionalDouble msr = ApproxOptions.fraction(value);
            if (msr.isPresent()) {
                groupMsr.put(key.substring(4), msr.getAsDouble());
            } else {
                faults.add("Topic " + pattern + ": " + key + " is above 0 and at most 1, not " + value + ".");
            }
        } else if (given.containsKey(key)) {
            // What is said of one topic replaces the other of the pair for it.
            if (key.equals("msr")) {
                given.put("error.max", "");
            } else if (key.equals("error.max")) {
                given.put("msr", "");
            }
            given.put(key, value);
        } else {
            faults.add("Topic " + pattern + " has no " + key + ".");
        }
    }

    private static void check(Pattern allowed, String value, String what, String pattern, List<String> faults) {
        if (!allowed.matcher(value).matches()) {
            faults.add("Topic " + pattern + ": " + what + " cannot be " + value + ".");
        }
    }

    private static void fraction(
            String key, OptionalDouble read, Map<String, String> given, String pattern, List<String> faults) {
        String value = given.getOrDefault(key, "");
        if (read.isEmpty() && !value.isEmpty()) {
            faults.add("Topic " + pattern + ": " + key + " is above 0 and at most 1, not " + value + ".");
        }
    }

    private static double number(String key, String pattern, Map<String, String> given, List<String> faults) {
        String value = given.getOrDefault(key, "");
        OptionalDouble number = ApproxOptions.fraction(value);
        if (number.isEmpty()) {
            faults.add("Topic " + pattern + ": " + key + " is above 0 and at most 1, not " + value + ".");
        }
        return number.orElse(1);
    }
}
