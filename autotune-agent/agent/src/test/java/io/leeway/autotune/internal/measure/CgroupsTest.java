package io.leeway.autotune.internal.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupsTest {

    @TempDir
    Path directory;

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Map<String, Double> read() {
        return new Cgroups(directory.resolve("proc")).read();
    }

    @Test
    void readsTheFirstVersion() throws IOException {
        write("proc/self/cgroup", "4:memory:/app\n2:cpu,cpuacct:/app\n");
        write(
                "proc/self/mountinfo",
                "30 1 0:1 / " + directory.resolve("mem") + " rw - cgroup cgroup rw,memory\n31 1 0:1 / "
                        + directory.resolve("cpu") + " rw - cgroup cgroup rw,cpu,cpuacct\n");
        write("cpu/app/cpu.cfs_quota_us", "150000\n");
        write("cpu/app/cpu.cfs_period_us", "100000\n");
        write("cpu/app/cpu.stat", "nr_periods 10\nnr_throttled 3\nthrottled_time 5000000\n");
        write("mem/app/memory.limit_in_bytes", "9223372036854771712\n");
        write("mem/memory.limit_in_bytes", "1000000\n");
        write("mem/app/memory.usage_in_bytes", "70\n");
        write("mem/app/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");

        assertThat(read())
                .containsEntry("cgroup.cpu.limit", 1.5)
                .containsEntry("cgroup.cpu.throttled", 3.0)
                .containsEntry("cgroup.cpu.throttled-ms", 5.0)
                .containsEntry("cgroup.memory.limit", 1_000_000.0)
                .containsEntry("cgroup.memory.used", 70.0)
                .containsEntry("cgroup.memory.oom-kills", 2.0);
    }

    @Test
    void readsTheSecondVersionWithTheTightestLimitAndThePressure() throws IOException {
        write("proc/self/cgroup", "0::/slice/app\n");
        write("proc/self/mountinfo", "30 1 0:1 / " + directory.resolve("cg") + " rw - cgroup2 cgroup2 rw\n");
        write("cg/slice/cpu.max", "50000 100000\n");
        write("cg/slice/app/cpu.max", "max 100000\n");
        write("cg/slice/app/cpu.stat", "usage_usec 1\nnr_periods 10\nnr_throttled 3\nthrottled_usec 5000\n");
        write("cg/slice/app/memory.max", "max\n");
        write("cg/slice/app/memory.current", "70\n");
        write("cg/slice/app/memory.events", "low 0\noom 1\noom_kill 1\n");
        write(
                "cg/slice/app/cpu.pressure",
                "some avg10=12.50 avg60=0.00 avg300=0.00 total=1\nfull avg10=1.25 avg60=0.00 avg300=0.00 total=1\n");
        write("proc/pressure/io", "some avg10=7.00 avg60=0.00 avg300=0.00 total=1\n");

        assertThat(read())
                .containsEntry("cgroup.cpu.limit", 0.5)
                .containsEntry("cgroup.cpu.throttled", 3.0)
                .containsEntry("cgroup.cpu.throttled-ms", 5.0)
                .doesNotContainKey("cgroup.memory.limit")
                .containsEntry("cgroup.memory.used", 70.0)
                .containsEntry("cgroup.memory.oom-kills", 1.0)
                .containsEntry("pressure.cpu.some", 12.5)
                .containsEntry("pressure.cpu.full", 1.25)
                .containsEntry("pressure.io.some", 7.0);
    }

    @Test
    void inAContainerTheMountItselfIsTheGroup() throws IOException {
        write("proc/self/cgroup", "0::/../../outside\n");
        write("proc/self/mountinfo", "30 1 0:1 / " + directory.resolve("cg") + " rw - cgroup2 cgroup2 rw\n");
        write("cg/memory.max", "1000\n");

        assertThat(read()).containsEntry("cgroup.memory.limit", 1_000.0);
    }

    @Test
    void whereThereIsNothingNothingIsSaidAndNothingThrown() throws IOException {
        assertThat(read()).isEmpty();
        write("proc/self/cgroup", "nonsense\n1:cpu\n:::\n");
        write("proc/self/mountinfo", "nonsense - cgroup cgroup cpu\n");
        assertThat(read()).isEmpty();
    }

    @Test
    void readsWhatThisMachineHas() {
        assertThat(new Cgroups(Path.of("/proc")).read().values()).allMatch(Double::isFinite);
    }
}
