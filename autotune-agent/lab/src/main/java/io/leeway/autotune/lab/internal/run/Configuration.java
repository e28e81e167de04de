package io.leeway.autotune.lab.internal.run;

import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import io.leeway.autotune.internal.json.Json;
import io.leeway.autotune.lab.Parameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A setting of an application as what an operator applies: commands, environments and files. */
final class Configuration {

    private final App app;
    private final Setting setting;

    Configuration(App app, Setting setting) {
        this.app = app;
        this.setting = setting;
    }

    private static String filled(String format, KnobValue value) {
        return format.replace("{value}", value.toString());
    }

    private Map<Parameter, KnobValue> of(App.Service service) {
        var values = new LinkedHashMap<Parameter, KnobValue>();
        for (Parameter parameter : app.space().parameters()) {
            KnobValue value = setting.values().get(parameter.name());
            if (value != null && parameter.service().equals(service.name())) {
                values.put(parameter, value);
            }
        }
        return values;
    }

    private Apply apply(Parameter parameter) {
        return app.applies().getOrDefault(parameter.name(), new Apply.Named());
    }

    /** The command of a service, with the arguments that parameters add. */
    List<String> command(App.Service service) {
        var command = new ArrayList<>(service.command());
        of(service).forEach((parameter, value) -> {
            if (apply(parameter) instanceof Apply.Argument argument) {
                command.add(filled(argument.format(), value));
            }
        });
        return command;
    }

    /** The environment of a service: its own, and what parameters add. */
    Map<String, String> environment(App.Service service) {
        var environment = new TreeMap<>(service.environment());
        of(service).forEach((parameter, value) -> {
            if (apply(parameter) instanceof Apply.Environment variable) {
                environment.put(variable.name(), filled(variable.format(), value));
            } else if (apply(parameter) instanceof Apply.Jvm option) {
                environment.merge("JAVA_TOOL_OPTIONS", filled(option.format(), value), (a, b) -> a + " " + b);
            }
        });
        return environment;
    }

    /** What the agent of a service has to set. */
    Setting knobs(App.Service service) {
        var knobs = new TreeMap<String, KnobValue>();
        of(service).forEach((parameter, value) -> {
            if (apply(parameter) instanceof Apply.Knob knob) {
                knobs.put(knob.name(), value);
            }
        });
        return new Setting(knobs);
    }

    /** Writes the files that parameters make, and templates with their values. */
    void write(Path directory) throws IOException {
        Files.createDirectories(directory);
        var lines = new TreeMap<String, List<String>>();
        for (App.Service service : app.services()) {
            of(service).forEach((parameter, value) -> {
                if (apply(parameter) instanceof Apply.Line line) {
                    lines.computeIfAbsent(line.file(), file -> new ArrayList<>())
                            .add(filled(line.format(), value));
                }
            });
        }
        for (var file : lines.entrySet()) {
            write(directory, file.getKey(), String.join("\n", file.getValue()) + "\n");
        }
        for (var template : app.templates().entrySet()) {
            String text = Files.readString(template.getValue());
            for (Parameter parameter : app.space().parameters()) {
                // What is not there has no effect; a file needs a value where its template has one all the same.
                KnobValue value = setting.values().getOrDefault(parameter.name(), parameter.standard());
                text = text.replace("{{" + parameter.name() + "}}", value.toString());
            }
            write(directory, template.getKey(), text);
        }
        write(directory, "setting.json", Json.of(setting).toString() + "\n");
    }

    private static void write(Path directory, String name, String text) throws IOException {
        Path file = directory.resolve(name).normalize();
        if (!file.startsWith(directory.normalize())) {
            throw new IOException(name + " is outside of " + directory);
        }
        Files.createDirectories(java.util.Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    /** Also writes commands and environments, and what changed: all that an operator needs. */
    void writeForOperators(Path directory, Setting before) throws IOException {
        write(directory);
        for (App.Service service : app.services()) {
            write(
                    directory,
                    service.name() + "/command",
                    String.join(
                                    " \\\n  ",
                                    command(service).stream()
                                            .map(Configuration::quoted)
                                            .toList())
                            + "\n");
            write(
                    directory,
                    service.name() + "/environment",
                    environment(service).entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                            .collect(Collectors.joining()));
            if (!knobs(service).values().isEmpty()) {
                write(directory, service.name() + "/knobs.json", Json.of(knobs(service)) + "\n");
            }
        }
        var changes = new StringBuilder("# " + app.name() + "\n\n"
                + (setting.equals(before)
                        ? "Nothing is changed: this is the configuration without tuning.\n"
                        : "| Parameter | Service | Without tuning | Best |\n|---|---|---|---|\n"));
        for (Parameter parameter : app.space().parameters()) {
            KnobValue was = before.values().get(parameter.name());
            KnobValue is = setting.values().get(parameter.name());
            if (!java.util.Objects.equals(was, is)) {
                changes.append("| ").append(parameter.name()).append(" | ").append(parameter.service());
                changes.append(" | ").append(was == null ? "not there" : was);
                changes.append(" | ").append(is == null ? "not there" : is).append(" |\n");
            }
        }
        write(directory, "changes.md", changes.toString());
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
