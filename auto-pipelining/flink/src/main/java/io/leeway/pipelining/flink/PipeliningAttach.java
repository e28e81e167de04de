package io.leeway.pipelining.flink;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.leeway.pipelining.PipeliningException;
import io.leeway.pipelining.PipeliningOptions;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * Attaches the agent to a task manager that runs: {@code java -jar auto-pipelining-flink.jar PID [options]}.
 *
 * @since 0.1
 */
public final class PipeliningAttach {

    private PipeliningAttach() {}

    /** Takes a process id and the agent's options. */
    public static void main(String[] arguments) {
        if (arguments.length < 1 || arguments.length > 2 || !arguments[0].matches("[0-9]+")) {
            fail(2, "usage: pipelining attach PID [option=value,...]");
            return;
        }
        String options = arguments.length > 1 ? arguments[1] : "";
        try {
            // What is wrong with them is said here, and not in the log of the other process.
            PipeliningOptions unused = PipeliningAgent.options(options);
            attach(arguments[0], options);
            System.out.println("attached to " + arguments[0] + "; it says on its error stream what the agent does");
        } catch (PipeliningException e) {
            fail(2, String.valueOf(e.getMessage()));
        } catch (AttachNotSupportedException | IOException e) {
            fail(1, arguments[0] + " is no JVM of this user, or does not answer: " + e.getMessage());
        } catch (AgentLoadException | AgentInitializationException | URISyntaxException e) {
            fail(1, arguments[0] + " does not take the agent: " + e.getMessage());
        }
    }

    private static void attach(String process, String options)
            throws AttachNotSupportedException, IOException, AgentLoadException, AgentInitializationException,
                    URISyntaxException {
        Path jar = Path.of(PipeliningAttach.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        VirtualMachine machine = VirtualMachine.attach(process);
        try {
            machine.loadAgent(jar.toString(), options);
        } finally {
            machine.detach();
        }
    }

    private static void fail(int code, String what) {
        System.err.println("pipelining: " + what);
        System.exit(code);
    }
}
