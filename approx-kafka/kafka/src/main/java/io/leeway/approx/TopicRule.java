package io.leeway.approx;

import io.leeway.approx.estimate.WindowSketches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What holds for some approximate topics.
 *
 * @param pattern a topic, or the beginning of topics followed by {@code *}
 * @param msr the minimal sampling rate; empty if it follows from the error
 * @param errorMax the tolerated error of the answer; empty if the rate is given
 * @param answer what the error is of
 * @param per where the second value of a record is, for a ratio; empty for nowhere
 * @param quota how many records of each group of a window arrive; 0 if the rate or the error is given
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
        Answer answer,
        String per,
        long quota,
        double confidence,
        double floor,
        String groups,
        String value,
        boolean sketches,
        Duration window,
        long windowRecords,
        Map<String, Double> groupMsr) {

    /** What an error is of, and so what the number of records that it needs follows from. */
    public enum Answer {
        /** Of values, relative to it. */
        MEAN(true),
        /** Of values; relative to it that is the error of their mean. */
        SUM(true),
        /** Of the sums of two values of each record, relative to it. */
        RATIO(true),
        /** Of the records that satisfy whatever condition, as a share of all. */
        COUNT(false),
        /** Of a value among all, as a share of them. */
        RANK(false),
        /** By the rank of what is given for it, as a share of all. */
        QUANTILE(false);

        private final boolean ofValues;

        Answer(boolean ofValues) {
            this.ofValues = ofValues;
        }

        /** Whether the number follows from values of earlier windows; if not, it is the same whatever they are. */
        public boolean ofValues() {
            return ofValues;
        }
    }

    private static final Pattern RULE = Pattern.compile("\\s*([a-zA-Z0-9._-]+\\*?)\\s*(?:\\(([^)]*)\\))?\\s*(?:,|$)");
    private static final Pattern GROUPS = Pattern.compile("none|partition|key:[1-9]\\d{0,2}|header:.+");
    /** Each is a promise of its own; a topic has one of them. */
    private static final List<String> PROMISES = List.of("msr", "error.max", "quota");

    private static final Pattern KEY = Pattern.compile("(?:^|;)\\s*([a-z.]+)\\s*=");
    private static final Pattern QUOTA = Pattern.compile("[1-9]\\d{0,9}");
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
                ApproxOption.ANSWER,
                ApproxOption.PER,
                ApproxOption.QUOTA,
                ApproxOption.CONFIDENCE,
                ApproxOption.MSR_FLOOR,
                ApproxOption.GROUPS,
                ApproxOption.VALUE,
                ApproxOption.SKETCHES,
                ApproxOption.WINDOW)) {
            given.put(option.key().substring(ApproxOptions.PREFIX.length()), values.getOrDefault(option, ""));
        }
        Map<String, Double> groupMsr = new LinkedHashMap<>();
        if (PROMISES.stream().anyMatch(key -> says(own, key))) {
            // What is said of one topic replaces what is said of all.
            PROMISES.forEach(key -> given.put(key, ""));
        }
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
        String quota = given.getOrDefault("quota", "");
        if (!quota.isEmpty() && !QUOTA.matcher(quota).matches()) {
            faults.add("Topic " + pattern + ": quota is a whole number above 0, not " + quota + ".");
        }
        List<String> promises = PROMISES.stream()
                .filter(key -> !given.getOrDefault(key, "").isEmpty())
                .toList();
        if (promises.isEmpty()) {
            faults.add("Topic " + pattern + " needs either msr, error.max or quota.");
        } else if (promises.size() > 1) {
            faults.add("Topic " + pattern + " has " + String.join(" and ", promises)
                    + ", of which each says how many records travel: leave one of them.");
        }
        Answer answer = answer(given, pattern, faults);
        String per = given.getOrDefault("per", "");
        if (error.isPresent() && answer.ofValues() && value.isEmpty()) {
            faults.add("Topic " + pattern + " has error.max of a " + name(answer)
                    + ", so it needs value; or say answer=count, rank or quantile.");
        }
        if (error.isEmpty() && says(own, "answer")) {
            faults.add("Topic " + pattern + " has answer=" + name(answer)
                    + ", which says what error.max is of, and no error.max.");
        }
        if (error.isPresent() && answer == Answer.RATIO && per.isEmpty()) {
            faults.add("Topic " + pattern + " has answer=ratio, so it needs per, the second number.");
        }
        if (answer != Answer.RATIO && says(own, "per")) {
            faults.add("Topic " + pattern + " has per, which is for answer=ratio.");
        }
        check(GROUPS, groups, "groups", pattern, faults);
        check(VALUE, value, "value", pattern, faults);
        check(VALUE, per, "per", pattern, faults);
        String sketches = given.getOrDefault("sketches", "off");
        check(SWITCH, sketches, "sketches", pattern, faults);
        if (sketches.equals("on")) {
            WindowSketches.whyNotHere().ifPresent(fault -> faults.add("Topic " + pattern + ": " + fault));
        }
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
                answer,
                per,
                QUOTA.matcher(quota).matches() ? Long.parseLong(quota) : 0,
                confidence,
                floor,
                groups,
                value,
                sketches.equals("on"),
                window,
                windowRecords,
                groupMsr);
    }

    /** Whether the rule itself gives a key, not what holds for all topics. */
    private static boolean says(String own, String key) {
        return KEY.matcher(own).results().anyMatch(said -> said.group(1).equals(key));
    }

    private static Answer answer(Map<String, String> given, String pattern, List<String> faults) {
        String said = given.getOrDefault("answer", "");
        for (Answer each : Answer.values()) {
            if (name(each).equals(said)) {
                return each;
            }
        }
        faults.add("Topic " + pattern + ": answer is mean, sum, ratio, count, rank or quantile, not " + said + ".");
        return Answer.MEAN;
    }

    private static String name(Answer answer) {
        return answer.name().toLowerCase(Locale.ROOT);
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
