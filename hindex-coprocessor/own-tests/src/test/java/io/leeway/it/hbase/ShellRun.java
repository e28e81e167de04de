package io.leeway.it.hbase;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.jruby.JarBootstrapMain;

/** HBase's shell, in a process of its own. */
final class ShellRun {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String JRUBY = JarBootstrapMain.class
            .getProtectionDomain()
            .getCodeSource()
            .getLocation()
            .getPath();

    private ShellRun() {}

    /**
     * Runs the lines as a script, which ends at the first that fails.
     *
     * @param directory for its files
     * @return what it said
     * @throws IOException if it failed, with what it said
     */
    static String of(Configuration cluster, Path directory, List<String> lines)
            throws IOException, InterruptedException {
        Path conf = Files.createDirectories(directory.resolve("conf"));
        try (OutputStream site = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
            cluster.writeXml(site);
        }
        // The newest shell that is published is older than the servers, and one of its commands is of classes that are
        // gone.
        Path commands = Files.createDirectories(conf.resolve("shell").resolve("commands"));
        Files.writeString(
                commands.resolve("trace.rb"), "module Shell module Commands class Trace < Command; end end end\n");
        Path script = Files.write(directory.resolve("script.rb"), lines);
        Path said = directory.resolve("said.txt");
        Process shell = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + Files.createDirectories(directory.resolve("tmp")),
                        "-cp",
                        // JRuby's own version of what HBase has another one of, too, comes first.
                        String.join(File.pathSeparator, conf.toString(), JRUBY, System.getProperty("java.class.path")),
                        JarBootstrapMain.class.getName(),
                        "-n",
                        script.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) || shell.exitValue() != 0) {
                throw new IOException("the shell failed: " + Files.readString(said));
            }
            return Files.readString(said);
        } finally {
            shell.destroyForcibly();
        }
    }
}
