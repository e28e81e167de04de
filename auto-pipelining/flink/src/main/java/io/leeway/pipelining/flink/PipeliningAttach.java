package io.leeway.pipelining.flink;

import com.sun.tools.attach.VirtualMachine;
import java.nio.file.Path;

/**
 * Attaches the agent to a task manager that runs: {@code java -jar auto-pipelining-flink.jar PID [options]}.
 *
 * @since 0.1
 */
public final class PipeliningAttach {

    private PipeliningAttach() {}

    /** Takes a process id and the agent's options. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 1 || arguments.length > 2 || !arguments[0].matches("[0-9]+")) {
            System.err.println("usage: pipelining attach PID [option=value,...]");
            System.exit(2);
        }
        Path jar = Path.of(PipeliningAttach.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        VirtualMachine machine = VirtualMachine.attach(arguments[0]);
        try {
            machine.loadAgent(jar.toString(), arguments.length > 1 ? arguments[1] : "");
        } finally {
            machine.detach();
        }
        System.out.println("attached to " + arguments[0]);
    }
}
