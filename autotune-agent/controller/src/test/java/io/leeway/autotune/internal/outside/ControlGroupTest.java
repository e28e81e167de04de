package io.leeway.autotune.internal.outside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.leeway.autotune.KnobSpec;
import io.leeway.autotune.KnobValue;
import io.leeway.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupTest {

    @TempDir
    private Path root;

    private ControlGroup second;

    @BeforeEach
    void aGroupOfTheSecondVersion() throws IOException {
        Files.writeString(root.resolve("cgroup.controllers"), "cpu memory io\n");
        Path group = Files.createDirectories(root.resolve("app"));
        Files.writeString(group.resolve("cpu.max"), "max 100000\n");
        Files.writeString(group.resolve("memory.max"), "max\n");
        Files.writeString(group.resolve("memory.current"), "1000000\n");
        Files.writeString(group.resolve("io.max"), "");
        second = new ControlGroup(root, "app");
    }

    @Test
    void writesAndReadsTheSecondVersion() throws IOException {
        assertThat(second.cpu()).isInfinite();
        second.setCpu(1.5);
        assertThat(root.resolve("app/cpu.max")).hasContent("150000 100000");
        assertThat(second.cpu()).isEqualTo(1.5);
        second.setMemory(2_000_000);
        assertThat(second.memory()).isEqualTo(2_000_000);
        second.setDisk("8:0", 5_000_000);
        assertThat(root.resolve("app/io.max")).hasContent("8:0 rbps=5000000 wbps=5000000");
        assertThat(second.disk("8:0")).isEqualTo(5_000_000);
        second.setCpu(Double.POSITIVE_INFINITY);
        assertThat(root.resolve("app/cpu.max")).hasContent("max 100000");
    }

    @Test
    void refusesALimitOfMemoryThatWouldKill() {
        assertThatThrownBy(() -> second.setMemory(900_000)).hasMessageContaining("would kill");
    }

    @Test
    void saysWhatToDoWhereTheGroupIsNotThere() {
        assertThatThrownBy(() -> new ControlGroup(Path.of("/proc"), "autotune-nowhere").create())
                .hasMessageContaining("AUTOTUNE-3003");
    }

    /** In a name space of mounts of its own, where this machine lets us make one. */
    @Test
    void saysWhatToDoWhereTheGroupIsReadOnly() throws Exception {
        Path output = root.resolve("output");
        List<String> java = JavaProcess.command(
                System.getProperty("java.class.path"),
                SetsALimit.class.getName(),
                List.of(root.resolve("mounted").toString()));
        Path mounted = Files.createDirectory(root.resolve("mounted"));
        String script = "mount -t tmpfs none \"$0\" && cp -r \"$1\"/cgroup.controllers \"$1\"/app \"$0\""
                + " && mount -o remount,ro \"$0\" && echo mounted && shift && exec \"$@\"";
        var command =
                new ArrayList<>(List.of("unshare", "-m", "sh", "-c", script, mounted.toString(), root.toString()));
        command.addAll(java);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            assumeThat(false).as("unshare: " + e).isTrue();
            return;
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(output);
        assumeThat(text).as("a mount namespace, which takes root").contains("mounted");
        assertThat(text).contains("AUTOTUNE-3003", "cpu.max", "Run where the control group is writable");
    }

    /** On the kernel of this machine, where it lets us. */
    @Test
    void limitsAProcessOfThisMachine() throws IOException {
        Path real = ControlGroup.standardRoot();
        assumeThat(Files.isWritable(real.resolve("cpu")))
                .as("control groups of this machine that may be written, which takes root")
                .isTrue();
        var group = new ControlGroup(
                real, "autotune-test-" + ProcessHandle.current().pid());
        group.create();
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            group.add(sleeper.pid());
            group.setCpu(0.5);
            group.setMemory(256 << 20);
            assertThat(group.cpu()).isEqualTo(0.5);
            assertThat(group.memory()).isEqualTo(256 << 20);
            ControlGroup found = ControlGroup.of(Path.of("/proc"), real, sleeper.pid());
            assertThat(found.cpu()).isEqualTo(0.5);
            var knob = new CgroupKnob(KnobSpec.real("cpu", 0.1, 2, ""), found, CgroupKnob.Resource.CPU, "");
            knob.write(KnobValue.of(1.25));
            assertThat(knob.isInPlace(KnobValue.of(1.25))).isTrue();
            group.setCpu(Double.POSITIVE_INFINITY);
            assertThat(knob.read()).isEqualTo(KnobValue.of(2));
        } finally {
            sleeper.destroyForcibly().onExit().join();
            group.remove();
        }
        assertThat(real.resolve("cpu/autotune-test-" + ProcessHandle.current().pid()))
                .doesNotExist();
    }
}
