package io.leeway.autotune.internal.servers;

import io.leeway.autotune.AutoTuneError;
import io.leeway.autotune.AutoTuneException;
import io.leeway.autotune.internal.outside.ControlGroup;
import io.leeway.autotune.spi.Allocation;
import io.leeway.autotune.spi.Constraint;
import io.leeway.autotune.spi.Deployment;
import io.leeway.autotune.spi.Resource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Local processes in control groups as an orchestrator. A server is a group with a server's CPU time and memory, an
 * instance a group in it with its share; a placement moves a process from one to the other and restarts nothing. That
 * many servers of this kind fit on one machine says nothing about its real ones, so the sum of their cores should not
 * exceed the machine's.
 *
 * <p>Processes go back to where they were, without limits, when it is closed; after a crash the next run, or the command
 * line's {@code --restore}, does so. For one thread.
 */
public final class GroupServers implements Servers {

    private static final double MEGABYTE = 1 << 20;
    private static final String TOP = "autotune-servers";

    private final Application application;
    private final Path root;
    private final Trials trials;
    private final Consumer<String> log;
    private final Map<String, ControlGroup> groups = new HashMap<>();
    private final Map<Integer, ControlGroup> servers = new LinkedHashMap<>();
    private @Nullable Deployment present;

    /**
     * Servers for an application.
     *
     * @param root of the control groups
     * @param trials what is asked for latency
     */
    public GroupServers(Application application, Path root, Trials trials, Consumer<String> log) {
        this.application = application;
        this.root = root;
        this.trials = trials;
        this.log = log;
        try {
            new ControlGroup(root, TOP).create();
        } catch (IOException e) {
            throw AutoTuneError.READ_ONLY.because("no control groups below " + root, e);
        }
    }

    @Override
    public Map<String, Allocation> floors() {
        var floors = new HashMap<String, Allocation>();
        application.instances().forEach(instance -> floors.put(instance.name(), instance.floor()));
        return floors;
    }

    @Override
    public Allocation capacity() {
        return application.capacity();
    }

    @Override
    public List<Constraint> constraints() {
        return application.constraints();
    }

    @Override
    public Set<Resource> tunable() {
        return application.tunable();
    }

    @Override
    public void deploy(Deployment deployment) {
        Deployment before = present;
        try {
            bringAbout(deployment);
            present = deployment;
        } catch (IOException | AutoTuneException e) {
            try {
                if (before != null) {
                    bringAbout(before);
                }
            } catch (IOException second) {
                e.addSuppressed(second);
            }
            throw e instanceof AutoTuneException known
                    ? known
                    : AutoTuneError.REFUSED.because("the deployment did not come about: " + e.getMessage(), e);
        }
    }

    private void bringAbout(Deployment deployment) throws IOException {
        for (Application.Instance instance : application.instances()) {
            String name = instance.name();
            int server = deployment.placement().getOrDefault(name, 0);
            ControlGroup group = group(server, name);
            limit(group, deployment, name);
            for (long pid : instance.pids()) {
                if (ProcessHandle.of(pid).isEmpty()) {
                    throw AutoTuneError.REFUSED.because(name + " has ended: no process " + pid);
                }
                group.add(pid);
            }
            ControlGroup left = groups.put(name, group);
            if (left != null && left != group) {
                left.remove();
            }
        }
    }

    private ControlGroup group(int server, String name) throws IOException {
        ControlGroup machine = servers.get(server);
        if (machine == null) {
            machine = new ControlGroup(root, TOP + "/" + server);
            machine.create();
            machine.setCpu(application.capacity().get(Resource.CPU));
            servers.put(server, machine);
        }
        var group = new ControlGroup(root, TOP + "/" + server + "/" + name);
        group.create();
        return group;
    }

    private void limit(ControlGroup group, Deployment deployment, String name) throws IOException {
        if (tunable().contains(Resource.CPU)) {
            group.setCpu(Math.min(
                    deployment.get(name, Resource.CPU), application.capacity().get(Resource.CPU)));
        }
        if (tunable().contains(Resource.MEMORY)) {
            group.setMemory(deployment.get(name, Resource.MEMORY) * MEGABYTE);
        }
        if (tunable().contains(Resource.DISK)) {
            group.setDisk(application.device(), deployment.get(name, Resource.DISK) * MEGABYTE);
        }
    }

    @Override
    public Trial measure() {
        return trials.run();
    }

    /** Its processes are there, and groups can be written: the constructor made one. */
    @Override
    public void rehearse() {
        for (Application.Instance instance : application.instances()) {
            for (long pid : instance.pids()) {
                log.accept(instance.name() + ", process " + pid + ": "
                        + (ProcessHandle.of(pid).isPresent() ? "is there" : "HAS ENDED"));
            }
        }
    }

    /** Takes all limits away and removes the groups. */
    @Override
    public void close() {
        restore(root, application, log);
    }

    /** The same after a run that was killed: whatever groups it left. */
    public static void restore(Path root, Application application, Consumer<String> log) {
        var outside = new ControlGroup(root, "");
        for (Application.Instance instance : application.instances()) {
            for (long pid : instance.pids()) {
                try {
                    if (ProcessHandle.of(pid).isPresent()) {
                        outside.add(pid);
                    }
                } catch (IOException | AutoTuneException e) {
                    log.accept(instance.name() + " stays where it is: " + e.getMessage());
                }
            }
            for (int server = 0; server < application.instances().size(); server++) {
                new ControlGroup(root, TOP + "/" + server + "/" + instance.name()).remove();
            }
        }
        for (int server = 0; server < application.instances().size(); server++) {
            new ControlGroup(root, TOP + "/" + server).remove();
        }
        new ControlGroup(root, TOP).remove();
    }
}
