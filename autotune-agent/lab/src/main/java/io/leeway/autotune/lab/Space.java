package io.leeway.autotune.lab;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.KnobValue;
import io.leeway.autotune.Setting;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All configurations: parameters and what must hold between them. A configuration is a {@link Setting} of those
 * parameters that are there; optimisers see a point of the unit cube. Every point is a configuration, and
 * {@link #snap} moves points of the same configuration to the same place. Immutable.
 *
 * @since 0.1
 */
public final class Space {

    private final List<Parameter> parameters;
    private final List<Constraint> constraints;
    private final Map<String, Integer> places = new HashMap<>();

    private Space(List<Parameter> parameters, List<Constraint> constraints) {
        this.parameters = List.copyOf(parameters);
        this.constraints = List.copyOf(constraints);
    }

    /** Without constraints; see {@link #of(List, List)}. */
    public static Space of(Parameter... parameters) {
        return of(List.of(parameters), List.of());
    }

    /**
     * Of these parameters under these constraints.
     *
     * @throws io.leeway.autotune.AutoTuneException that names every fault: a name twice, a condition or a constraint on
     *     what is not there or comes later, no parameter at all
     */
    public static Space of(List<Parameter> parameters, List<Constraint> constraints) {
        var space = new Space(parameters, constraints);
        var faults = new ArrayList<String>();
        if (parameters.isEmpty()) {
            faults.add("there is no parameter");
        }
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            Parameter.Condition when = parameter.when();
            if (when != null && !space.places.containsKey(when.parameter())) {
                faults.add(parameter.name() + " depends on " + when.parameter() + ", which does not come before it");
            } else if (when != null) {
                Parameter other = space.parameter(when.parameter());
                // One that is fixed because its service is left out has lost its other values.
                when.values().stream()
                        .filter(value -> other.size() > 1 && !other.has(value))
                        .forEach(value -> faults.add(parameter.name() + " depends on " + other.name() + " being "
                                + value + ", which it never is: " + other.bounds()));
            }
            if (space.places.put(parameter.name(), i) != null) {
                faults.add(parameter.name() + " comes twice");
            }
        }
        for (Constraint constraint : constraints) {
            for (String name : constraint.names()) {
                Integer place = space.places.get(name);
                if (place == null) {
                    faults.add("the constraint " + constraint + " names " + name + ", which is no parameter");
                } else if (!parameters.get(place).isNumber()) {
                    faults.add("the constraint " + constraint + " names " + name + ", which is no number");
                }
            }
        }
        if (!faults.isEmpty()) {
            throw AutoTuneError.BAD_RANGE.because(String.join("; ", faults));
        }
        return space;
    }

    /** In their order. */
    public List<Parameter> parameters() {
        return parameters;
    }

    /** What must hold between them. */
    public List<Constraint> constraints() {
        return constraints;
    }

    /** How many parameters there are. */
    public int size() {
        return parameters.size();
    }

    /** The parameter of a name. */
    public Parameter parameter(String name) {
        Integer place = places.get(name);
        if (place == null) {
            throw AutoTuneError.UNKNOWN_NAME.because("no parameter " + name);
        }
        return parameters.get(place);
    }

    /** The parameters of some services only; those that constraints and conditions need stay fixed at their standard. */
    public Space of(Collection<String> services) {
        var kept = new ArrayList<Parameter>();
        for (Parameter parameter : parameters) {
            boolean isNeeded = parameters.stream()
                            .anyMatch(other -> services.contains(other.service())
                                    && other.when() != null
                                    && other.when().parameter().equals(parameter.name()))
                    || constraints.stream()
                            .anyMatch(constraint -> constraint.names().contains(parameter.name()));
            if (services.contains(parameter.service()) || parameter.service().isEmpty()) {
                kept.add(parameter);
            } else if (isNeeded) {
                kept.add(fixed(parameter));
            }
        }
        return of(kept, constraints);
    }

    private static Parameter fixed(Parameter parameter) {
        KnobValue value = parameter.standard();
        if (parameter.isNumber()) {
            return new Parameter(
                    parameter.name(),
                    parameter.service(),
                    parameter.kind(),
                    value.number(),
                    value.number(),
                    0,
                    false,
                    List.of(),
                    value,
                    parameter.when());
        }
        return new Parameter(
                parameter.name(),
                parameter.service(),
                parameter.kind(),
                0,
                0,
                0,
                false,
                List.of(value.toString()),
                value,
                parameter.when());
    }

    /** The configuration without tuning. */
    public Setting standard() {
        return setting(standardPoint());
    }

    /** Where the configuration without tuning lies. */
    public double[] standardPoint() {
        double[] point = new double[parameters.size()];
        for (int i = 0; i < point.length; i++) {
            point[i] = parameters.get(i).unit(parameters.get(i).standard());
        }
        return point;
    }

    /** The configuration at a point; parameters that are not there are left out. */
    public Setting setting(double[] point) {
        var values = new TreeMap<String, KnobValue>();
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            if (isThere(parameter, values)) {
                values.put(parameter.name(), parameter.value(point[i]));
            }
        }
        return new Setting(values);
    }

    private static boolean isThere(Parameter parameter, Map<String, KnobValue> before) {
        Parameter.Condition when = parameter.when();
        if (when == null) {
            return true;
        }
        KnobValue value = before.get(when.parameter());
        return value != null && when.values().contains(value.toString());
    }

    /** Where a configuration lies; what it leaves out lies at its standard. */
    public double[] point(Setting setting) {
        double[] point = standardPoint();
        setting.values().forEach((name, value) -> {
            Parameter parameter = parameter(name);
            point[parameters.indexOf(parameter)] = parameter.unit(parameter.checked(value));
        });
        return point;
    }

    /** The point that stands for the configuration at a point. */
    public double[] snap(double[] point) {
        return point(setting(point));
    }

    /** Whether the constraints hold. */
    public boolean allows(Setting setting) {
        return constraints.stream().allMatch(constraint -> constraint.holds(setting.values()));
    }

    /** A configuration as it is used: every value one of its parameter's, none missing, constraints hold. */
    public Setting checked(Setting setting) {
        Setting complete = setting(point(setting));
        if (!complete.values().equals(setting.values())) {
            throw AutoTuneError.BAD_VALUE.because(
                    "a configuration is " + complete.values() + ", not " + setting.values());
        }
        constraints.stream()
                .filter(constraint -> !constraint.holds(setting.values()))
                .findFirst()
                .ifPresent(broken -> {
                    throw AutoTuneError.BAD_VALUE.because(broken + " does not hold in " + setting.values());
                });
        return setting;
    }
}
