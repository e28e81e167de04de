package io.leeway.autotune.lab.internal.run;

import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.lab.Constraint;
import io.leeway.autotune.lab.Method;
import io.leeway.autotune.lab.Parameter;
import io.leeway.autotune.lab.Reduction;
import io.leeway.autotune.lab.Space;
import io.leeway.autotune.lab.StudyOptions;
import io.leeway.autotune.lab.internal.yaml.Faults;
import io.leeway.autotune.lab.internal.yaml.YamlObject;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads an application file and the parameters file that it names; all faults of both are told at once. */
final class AppFile {

    private static final Pattern RANGE =
            Pattern.compile("(-?[\\d.]+(?:[eE]-?\\d+)?)\\s*\\.\\.\\s*(-?[\\d.]+(?:[eE]-?\\d+)?)");
    private static final double HUGE = 1e9;
    private static final int MOST_PORT = 65_535;

    private final Faults faults = new Faults();
    private final Path home;
    private final Map<String, Apply> applies = new TreeMap<>();

    private AppFile(Path home) {
        this.home = home;
    }

    /**
     * Reads it.
     *
     * @throws AutoTuneException with {@link io.leeway.autotune.AutoTuneError#BAD_FILE} and every fault with its line
     */
    static App read(Path file) {
        Path directory = file.toAbsolutePath().getParent();
        return new AppFile(Objects.requireNonNull(directory)).app(file);
    }

    private App app(Path file) {
        YamlObject yaml = YamlObject.read(file, faults);
        String name = yaml.text("name", file.getFileName().toString().replaceFirst("\\.ya?ml$", ""));
        List<App.Service> services = services(yaml);
        Space space = space(yaml, services);
        App.Load load = load(yaml);
        List<String> deploy = command(yaml, "deploy");
        if (services.isEmpty() && deploy.isEmpty()) {
            faults.add(file.getFileName() + ": neither services nor deploy says what runs");
        }
        StudyOptions study = study(yaml);
        String reduction = yaml.text("reduce", "none");
        yaml.trying("reduce", any -> reduction.equals("none") ? Reduction.CRITICAL_PATH : Reduction.of(reduction));
        List<Path> traces = yaml.texts("traces").stream().map(home::resolve).toList();
        int tracePort = (int) yaml.whole("trace-port", 0, 1, MOST_PORT);
        if (!reduction.equals("none") && traces.isEmpty() && tracePort == 0) {
            yaml.fault("reduce", "needs traces, or a trace-port where services send them to");
        }
        var limits = new ArrayList<Constraint>();
        yaml.texts("limits").forEach(text -> add(limits, yaml.trying("limits", any -> Constraint.parse(text))));
        var templates = new LinkedHashMap<String, Path>();
        YamlObject given = yaml.object("templates");
        if (given != null) {
            for (String target : given.keys()) {
                Path template = home.resolve(given.text(target));
                if (!Files.isReadable(template) || Files.isDirectory(template)) {
                    given.fault(target, "there is no file " + template + " that can be read");
                }
                templates.put(target, template);
            }
        }
        String objective = yaml.text("objective", "p95");
        metrics(yaml, load, objective, limits);
        Path output = home.resolve(yaml.text("output", "lab-" + name));
        int repeat = (int) yaml.whole("repeat", 1, 1, 100);
        int verify = (int) yaml.whole("verify", 2, 0, 100);
        Duration timeLimit = yaml.duration("time-limit", Duration.ofHours(24));
        Duration startLimit = yaml.duration("start-limit", Duration.ofMinutes(2));
        yaml.noOtherKeys();
        faults.check();
        return new App(
                name,
                home,
                output,
                Objects.requireNonNull(space),
                applies,
                services,
                templates,
                deploy,
                Objects.requireNonNull(load),
                objective,
                limits,
                study,
                reduction,
                traces,
                tracePort,
                repeat,
                verify,
                timeLimit,
                startLimit);
    }

    /** Of the lab's own load it is known what it measures; a misspelt name would only be told after three trials. */
    private static void metrics(YamlObject yaml, App.@Nullable Load load, String objective, List<Constraint> limits) {
        if (!(load instanceof App.Load.Open open)) {
            return;
        }
        Set<String> known = OpenLoad.metrics(open);
        String name = objective.startsWith("-") ? objective.substring(1) : objective;
        if (!known.contains(name)) {
            yaml.fault("objective", "the load measures no " + name + "; it measures " + String.join(", ", known));
        }
        for (Constraint limit : limits) {
            limit.names().stream()
                    .filter(metric -> !known.contains(metric))
                    .forEach(metric -> yaml.fault(
                            "limits", "the load measures no " + metric + "; it measures " + String.join(", ", known)));
        }
    }

    private StudyOptions study(YamlObject yaml) {
        StudyOptions options = StudyOptions.defaults()
                .budget((int) yaml.whole("budget", StudyOptions.BUDGET, 1, 10_000))
                .seed(yaml.whole("seed", 1, (long) -HUGE, (long) HUGE));
        String name = yaml.text("optimizer", options.method().name());
        Method method = yaml.trying("optimizer", any -> Method.of(name));
        if (yaml.has("failed-score")) {
            options = options.failedScore(yaml.number("failed-score", 0, -Double.MAX_VALUE, Double.MAX_VALUE));
        }
        return method == null ? options : options.with(method);
    }

    private List<String> command(YamlObject yaml, String key) {
        return yaml.isList(key)
                ? yaml.texts(key)
                : yaml.has(key) ? List.of(yaml.text(key).strip().split("\\s+")) : List.of();
    }

    private List<App.Service> services(YamlObject yaml) {
        var services = new ArrayList<App.Service>();
        YamlObject all = yaml.object("services");
        if (all == null) {
            return services;
        }
        for (String name : all.keys()) {
            YamlObject one = Objects.requireNonNull(all.object(name));
            List<String> command = command(one, "command");
            if (command.isEmpty() || command.get(0).isEmpty()) {
                one.fault("command", "is missing");
            }
            var environment = new TreeMap<String, String>();
            YamlObject variables = one.object("environment");
            if (variables != null) {
                variables.keys().forEach(key -> environment.put(key, variables.text(key)));
            }
            App.Ready ready = ready(one);
            Path agents = one.has("agents") ? home.resolve(one.text("agents")) : null;
            one.noOtherKeys();
            services.add(new App.Service(name, command, environment, ready, agents));
        }
        return services;
    }

    private static App.Ready ready(YamlObject service) {
        String text = service.text("ready");
        if (text.startsWith("http:") || text.startsWith("https:")) {
            URI uri = service.trying("ready", any -> address(text));
            return new App.Ready.Http(uri == null ? URI.create("http://127.0.0.1/") : uri);
        }
        if (text.matches("port \\d{1,5}")) {
            int port = Integer.parseInt(text.substring(5));
            if (port < 1 || port > MOST_PORT) {
                service.fault("ready", "a port is 1 to " + MOST_PORT + ", not " + port);
                return new App.Ready.Ended();
            }
            return new App.Ready.Port(port);
        }
        if (text.startsWith("printed ")) {
            return new App.Ready.Printed(text.substring(8));
        }
        if (!text.equals("ended") && service.has("ready")) {
            service.fault("ready", "is http://…, port NUMBER, printed TEXT or ended, not " + text);
        }
        return new App.Ready.Ended();
    }

    /** An address that can be asked, or an {@link IllegalArgumentException} that says what is wrong with it. */
    private static URI address(String text) {
        URI uri = URI.create(text);
        boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!isHttp || uri.getHost() == null || uri.getPort() > MOST_PORT) {
            throw new IllegalArgumentException("an address is http://HOST:PORT/PATH, not " + text);
        }
        return uri;
    }

    private App.@Nullable Load load(YamlObject yaml) {
        YamlObject load = yaml.object("load");
        if (load == null) {
            yaml.fault("load", "is missing");
            return null;
        }
        if (load.has("command")) {
            var command =
                    new App.Load.Command(command(load, "command"), load.duration("limit", Duration.ofMinutes(30)));
            load.noOtherKeys();
            return command;
        }
        var requests = new ArrayList<App.Request>();
        if (load.has("url")) {
            add(requests, load.trying("url", any -> new App.Request("all", address(load.text("url")), 1)));
        }
        for (YamlObject request : load.objects("requests")) {
            String name = request.text("name");
            double weight = request.number("weight", 1, 1e-6, HUGE);
            add(requests, request.trying("url", any -> new App.Request(name, address(request.text("url")), weight)));
            request.noOtherKeys();
        }
        if (requests.isEmpty()) {
            load.fault("url", "neither url, requests nor command says what is asked for");
        }
        var open = new App.Load.Open(
                requests,
                load.number("rate", 20, 0.01, 100_000),
                load.duration("warm-up", Duration.ofSeconds(10)),
                load.duration("measure", Duration.ofSeconds(30)));
        load.noOtherKeys();
        return open;
    }

    private static <T> void add(List<T> list, @Nullable T element) {
        if (element != null) {
            list.add(element);
        }
    }

    private @Nullable Space space(YamlObject yaml, List<App.Service> services) {
        YamlObject from = yaml;
        if (yaml.has("parameters") && !yaml.isList("parameters")) {
            YamlObject file =
                    yaml.trying("parameters", any -> YamlObject.read(home.resolve(yaml.text("parameters")), faults));
            if (file == null) {
                return null;
            }
            from = file;
        }
        YamlObject source = from;
        var parameters = new ArrayList<Parameter>();
        for (YamlObject one : source.objects("parameters")) {
            add(parameters, parameter(one, services));
        }
        var constraints = new ArrayList<Constraint>();
        source.texts("constraints")
                .forEach(text -> add(constraints, source.trying("constraints", any -> Constraint.parse(text))));
        if (source != yaml) {
            source.noOtherKeys();
        }
        return source.trying("parameters", any -> Space.of(parameters, constraints));
    }

    private @Nullable Parameter parameter(YamlObject yaml, List<App.Service> services) {
        String name = yaml.text("name");
        String service = yaml.text("service", "");
        if (!service.isEmpty()
                && !services.isEmpty()
                && services.stream().noneMatch(known -> known.name().equals(service))) {
            yaml.fault("service", "there is no service " + service);
        }
        Parameter.Kind kind = kind(yaml);
        Parameter.Condition when = when(yaml);
        Apply apply = apply(yaml, service, services.isEmpty());
        List<String> words = yaml.texts("values");
        Matcher range = RANGE.matcher(yaml.text("range", ""));
        boolean isNumber = kind == Parameter.Kind.INTEGER || kind == Parameter.Kind.REAL;
        if (isNumber && !range.matches()) {
            yaml.fault("range", "a number has a range, such as 1..64");
        }
        if (!isNumber && words.isEmpty()) {
            yaml.fault("values", name + " has no values to choose from");
        }
        double step = yaml.number("step", 0, 0, HUGE);
        if (!isNumber && yaml.has("step")) {
            yaml.fault("step", "is for numbers");
        }
        String scale = yaml.text("scale", "linear");
        if (!List.of("linear", "log").contains(scale)) {
            yaml.fault("scale", "is linear or log, not " + scale);
        }
        String standard = yaml.text("default");
        yaml.noOtherKeys();
        if (standard.isEmpty() || (isNumber ? !range.matches() : words.isEmpty())) {
            return null;
        }
        Parameter parameter = yaml.trying(
                "default",
                any -> new Parameter(
                        name,
                        service,
                        kind,
                        isNumber ? amount(range.group(1)) : 0,
                        isNumber ? amount(range.group(2)) : words.size() - 1.0,
                        step,
                        scale.equals("log"),
                        isNumber ? List.of() : words,
                        isNumber ? KnobValue.of(amount(standard)) : KnobValue.of(standard),
                        when));
        applies.put(name, apply);
        return parameter;
    }

    private static double amount(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " is no number", e);
        }
    }

    private static Parameter.Kind kind(YamlObject yaml) {
        String text = yaml.text("type", yaml.has("values") ? "categorical" : "integer");
        for (Parameter.Kind kind : Parameter.Kind.values()) {
            if (kind.name().equals(text.toUpperCase(Locale.ROOT))) {
                return kind;
            }
        }
        yaml.fault("type", "is integer, real, ordered or categorical, not " + text);
        return yaml.has("values") ? Parameter.Kind.CATEGORICAL : Parameter.Kind.INTEGER;
    }

    private static Parameter.@Nullable Condition when(YamlObject yaml) {
        YamlObject when = yaml.object("when");
        if (when == null) {
            return null;
        }
        if (when.keys().size() != 1) {
            yaml.fault("when", "names one parameter with its values, such as {collector: [g1, zgc]}");
            return null;
        }
        String name = when.keys().iterator().next();
        return new Parameter.Condition(name, when.texts(name));
    }

    private static Apply apply(YamlObject yaml, String service, boolean hasNoProcess) {
        YamlObject apply = yaml.object("apply");
        if (apply == null) {
            return new Apply.Named();
        }
        if (service.isEmpty()) {
            yaml.fault("apply", "needs the service that it is applied to");
        }
        if (hasNoProcess) {
            yaml.fault(
                    "apply", "there are no services here, only deploy: templates and its command take values by name");
        }
        Apply how = how(apply);
        apply.noOtherKeys();
        if (apply.keys().isEmpty() || how instanceof Apply.Named) {
            yaml.fault("apply", "is argument, environment, jvm, file with line, or knob");
        }
        return how;
    }

    private static Apply how(YamlObject apply) {
        if (apply.has("argument")) {
            return new Apply.Argument(format(apply, "argument"));
        }
        if (apply.has("jvm")) {
            return new Apply.Jvm(format(apply, "jvm"));
        }
        if (apply.has("environment")) {
            return new Apply.Environment(apply.text("environment"), apply.text("format", "{value}"));
        }
        if (apply.has("file")) {
            return new Apply.Line(apply.text("file"), format(apply, "line"));
        }
        return apply.has("knob") ? new Apply.Knob(apply.text("knob")) : new Apply.Named();
    }

    private static String format(YamlObject apply, String key) {
        String format = apply.text(key);
        if (!format.contains("{value}")) {
            apply.fault(key, "has no {value}");
        }
        return format;
    }
}
