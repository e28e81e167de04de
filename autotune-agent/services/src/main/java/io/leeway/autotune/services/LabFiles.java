package io.leeway.autotune.services;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes the files with which the lab tunes an application: threads and connections of every service. */
public final class LabFiles {

    private static final int MOST_THREADS = 32;
    private static final int MOST_CONNECTIONS = 16;

    private LabFiles() {}

    /**
     * Writes {@code app.yaml} and {@code parameters.yaml}.
     *
     * @param directory where to
     * @param mesh the application
     * @param standard parameters that have another value without tuning than the application says
     * @param load from {@code rate} on, indented by two, without {@code url}
     * @param more lines of the application file
     * @param tracePort where services send spans; 0 for nowhere
     */
    public static Path write(
            Path directory, Mesh mesh, Map<String, String> standard, String load, String more, int tracePort)
            throws IOException {
        Path arguments = Files.writeString(
                directory.resolve("java.args"),
                String.join("\n", RunningMesh.LEAN) + "\n-cp\n\"" + RunningMesh.classPath() + "\"\n");
        var urls = new LinkedHashMap<String, String>();
        for (Mesh.Member member : mesh.members()) {
            urls.put(member.name(), "http://127.0.0.1:" + port() + "/");
        }
        String traces = tracePort == 0 ? "" : "http://127.0.0.1:" + tracePort + "/api/v2/spans";
        var app = new StringBuilder("name: application\nparameters: parameters.yaml\nservices:\n");
        var parameters = new StringBuilder("parameters:\n");
        for (Mesh.Member member : mesh.members()) {
            String port = urls.getOrDefault(member.name(), "").replaceAll(".*:(\\d+)/", "$1");
            app.append("  ")
                    .append(member.name())
                    .append(":\n    command: [\"")
                    .append(RunningMesh.java())
                    .append("\", \"@")
                    .append(arguments)
                    .append("\", ")
                    .append(MeshService.class.getName());
            for (String argument : member.arguments(urls, traces)) {
                app.append(", '").append(argument).append('\'');
            }
            app.append(", port=")
                    .append(port)
                    .append("]\n    ready: port ")
                    .append(port)
                    .append('\n');
            parameters.append(parameter(member.name(), "threads", MOST_THREADS, member.threads(), standard));
            parameters.append(
                    parameter(member.name(), "connections", MOST_CONNECTIONS, member.connections(), standard));
        }
        app.append("load:\n");
        String front = urls.getOrDefault(mesh.front().name(), "");
        app.append("  url: ").append(front).append('\n');
        app.append(load);
        if (tracePort != 0) {
            app.append("trace-port: ").append(tracePort).append('\n');
        }
        Files.writeString(directory.resolve("parameters.yaml"), parameters);
        return Files.writeString(directory.resolve("app.yaml"), app.append(more));
    }

    /**
     * The same for an application that runs already: a command of the lab's configures it anew for every trial.
     *
     * @param directory where to
     * @param mesh the application
     * @param standard parameters that have another value without tuning than the application says
     * @param rest of the application file, with {@code deploy} and {@code load}
     */
    public static Path write(Path directory, Mesh mesh, Map<String, String> standard, String rest) throws IOException {
        var parameters = new StringBuilder("parameters:\n");
        for (Mesh.Member member : mesh.members()) {
            for (String line : List.of(
                    parameter(member.name(), "threads", MOST_THREADS, member.threads(), standard),
                    parameter(member.name(), "connections", MOST_CONNECTIONS, member.connections(), standard))) {
                parameters.append(line.replaceFirst(", apply: .*}}", "}"));
            }
        }
        Files.writeString(directory.resolve("parameters.yaml"), parameters);
        return Files.writeString(
                directory.resolve("app.yaml"), "name: application\nparameters: parameters.yaml\n" + rest);
    }

    /** The requests of a load as its file has them. */
    public static String requests(String front, Map<String, Integer> kinds) {
        var requests = new StringBuilder("  requests:\n");
        new TreeMap<>(kinds)
                .forEach((kind, weight) -> requests.append("    - {name: ")
                        .append(kind)
                        .append(", url: \"")
                        .append(front)
                        .append(kind)
                        .append("\", weight: ")
                        .append(weight)
                        .append("}\n"));
        return requests.toString();
    }

    /** A port that nobody has at this moment. */
    public static int port() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String parameter(String service, String name, int max, int own, Map<String, String> standard) {
        String key = service + "." + name;
        return "  - {name: " + key + ", service: " + service + ", type: integer, range: 1.." + max
                + ", scale: log, default: " + standard.getOrDefault(key, Integer.toString(own))
                + ", apply: {argument: \"" + name + "={value}\"}}\n";
    }
}
