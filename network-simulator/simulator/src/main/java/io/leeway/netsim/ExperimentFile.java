package io.leeway.netsim;

import io.leeway.netsim.ExperimentFileException.Problem;
import io.leeway.netsim.internal.console.DidYouMean;
import io.leeway.netsim.internal.training.Mechanism;
import io.leeway.netsim.internal.transport.Transport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** The keys and values of a file with their lines; collects what is wrong with them. */
final class ExperimentFile {

    private static final int LARGEST = 100_000;
    private static final int DEEPEST = 20;

    private record Value(String text, int line) {}

    private final Map<ExperimentKey, List<Value>> values = new EnumMap<>(ExperimentKey.class);
    private final List<Problem> problems = new ArrayList<>();

    ExperimentFile(String text) {
        if (text.length() > LARGEST) {
            problem(NetsimError.NS01, 1, "the file has more than " + LARGEST + " characters; split it");
            return;
        }
        LoadSettings settings = LoadSettings.builder().setUseMarks(true).build();
        try {
            if (isDeep(new Parse(settings).parseString(text))) {
                problem(
                        NetsimError.NS01,
                        1,
                        "brackets are nested more than " + DEEPEST
                                + " deep; a key has one value or one list of values");
                return;
            }
            Optional<Node> root = new Compose(settings).composeString(text);
            if (root.isPresent() && root.get() instanceof MappingNode mapping) {
                mapping.getValue().forEach(this::read);
            } else {
                problem(NetsimError.NS01, 1, "there are no keys; begin with `study: jobs` or `study: training`");
            }
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            String context = e.getContext() == null ? "" : e.getContext() + ", ";
            problem(NetsimError.NS01, line, context + e.getProblem() + "; correct the syntax");
        } catch (YamlEngineException e) {
            problem(NetsimError.NS01, 1, e.getMessage() + "; correct the syntax");
        }
    }

    /** Nodes are composed by recursion, events are not. */
    private static boolean isDeep(Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            if (event instanceof CollectionStartEvent) {
                depth++;
            } else if (event instanceof CollectionEndEvent) {
                depth--;
            }
            if (depth > DEEPEST) {
                return true;
            }
        }
        return false;
    }

    private void read(NodeTuple tuple) {
        int line = line(tuple.getKeyNode());
        String name = tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        Optional<ExperimentKey> key = Arrays.stream(ExperimentKey.values())
                .filter(one -> one.key().equals(name))
                .findFirst();
        if (key.isEmpty()) {
            problem(NetsimError.NS02, line, "there is no key " + name + nearest(name));
            return;
        }
        List<Value> read = new ArrayList<>();
        if (tuple.getValueNode() instanceof SequenceNode sequence) {
            sequence.getValue().forEach(node -> read.add(value(node)));
        } else {
            read.add(value(tuple.getValueNode()));
        }
        if (read.isEmpty()) {
            problem(
                    NetsimError.NS03,
                    line,
                    name + " is empty; write " + key.get().meaning());
        } else if (values.putIfAbsent(key.get(), read) != null) {
            problem(
                    NetsimError.NS02,
                    line,
                    name + " was given in line " + lineOf(key.get()) + " already; leave one of them out");
        }
    }

    private Value value(Node node) {
        if (node instanceof ScalarNode scalar) {
            return new Value(scalar.getValue(), line(node));
        }
        problem(NetsimError.NS03, line(node), "a value is expected here, or a list of values in the line of the key");
        return new Value("", line(node));
    }

    private static int line(Node node) {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    private static String nearest(String name) {
        List<String> keys =
                Arrays.stream(ExperimentKey.values()).map(ExperimentKey::key).toList();
        String hint = DidYouMean.hint(name, keys);
        return hint.isEmpty() ? "; the keys are in configuration.md" : hint.replaceFirst("^, ", "; ");
    }

    void problem(NetsimError code, int line, String text) {
        problems.add(new Problem(code, line, text));
    }

    int lineOf(ExperimentKey key) {
        List<Value> given = values.get(key);
        return given == null ? 1 : given.get(0).line();
    }

    /** Every value of a key; what {@code parse} refuses with an empty result or an exception is a problem, and left out. */
    <T> List<T> all(ExperimentKey key, Function<String, Optional<T>> parse) {
        List<Value> given = values.getOrDefault(
                key,
                key.standardValues().stream().map(text -> new Value(text, 1)).toList());
        List<T> parsed = new ArrayList<>();
        for (Value value : given) {
            Optional<T> result;
            try {
                result = parse.apply(value.text());
            } catch (IllegalArgumentException e) {
                result = Optional.empty();
            }
            result.ifPresentOrElse(
                    parsed::add,
                    () -> problem(
                            NetsimError.NS03,
                            value.line(),
                            key.key() + " cannot be " + value.text() + named(key, value.text()) + "; write "
                                    + key.meaning()));
        }
        return parsed;
    }

    /** Which of the names of a table was meant, or all of them. */
    private static String named(ExperimentKey key, String text) {
        List<String> names = switch (key) {
            case TRANSPORTS -> Transport.keys();
            case MECHANISMS -> Mechanism.keys();
            default -> List.of();
        };
        String hint = DidYouMean.hint(text, names);
        return hint.isEmpty() && !names.isEmpty() ? "; there are " + String.join(", ", names) : hint;
    }

    /** The values that a key is swept over: the same one twice would be the same case twice. */
    <T> List<T> swept(ExperimentKey key, Function<String, Optional<T>> parse) {
        List<T> parsed = all(key, parse);
        Set<T> once = new HashSet<>(parsed);
        if (once.size() < parsed.size()) {
            problem(NetsimError.NS03, lineOf(key), key.key() + " has a value twice; leave one of them out");
        }
        return parsed;
    }

    /** The only value of a key; {@code otherwise} stands for one that is wrong, so that the rest can be checked. */
    <T> T one(ExperimentKey key, T otherwise, Function<String, Optional<T>> parse) {
        List<Value> given = values.get(key);
        if (given != null && given.size() > 1) {
            problem(NetsimError.NS03, given.get(1).line(), key.key() + " takes one value; write it without a list");
        }
        List<T> parsed = all(key, parse);
        return parsed.isEmpty() ? otherwise : parsed.get(0);
    }

    static Function<String, Optional<Double>> between(double least, double most) {
        return text -> Optional.of(Double.parseDouble(text)).filter(value -> value >= least && value <= most);
    }

    static Function<String, Optional<Integer>> whole(int least, int most) {
        return text -> Optional.of(Integer.parseInt(text)).filter(value -> value >= least && value <= most);
    }

    /** Refuses keys of the other study; then throws everything that was found, if anything. */
    void check(String study) throws ExperimentFileException {
        values.forEach((key, given) -> {
            if (!key.study().isEmpty() && !List.of(key.study().split(", ")).contains(study)) {
                problem(
                        NetsimError.NS02,
                        given.get(0).line(),
                        key.key() + " belongs to the study " + key.study() + "; leave it out");
            }
        });
        throwProblems();
    }

    void throwProblems() throws ExperimentFileException {
        if (!problems.isEmpty()) {
            throw new ExperimentFileException(problems.stream()
                    .sorted(Comparator.comparingInt(Problem::line))
                    .toList());
        }
    }

    /** Each value of a key with its line, for those whose own problems are told. */
    <T> List<T> each(ExperimentKey key, BiFunction<String, Integer, Optional<T>> parse) {
        List<T> parsed = new ArrayList<>();
        for (Value value : values.getOrDefault(key, List.of())) {
            parse.apply(value.text(), value.line()).ifPresent(parsed::add);
        }
        return parsed;
    }

    boolean has(ExperimentKey key) {
        return values.containsKey(key);
    }
}
