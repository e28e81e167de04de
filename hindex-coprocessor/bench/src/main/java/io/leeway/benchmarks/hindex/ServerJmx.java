package io.leeway.benchmarks.hindex;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Connects to the management beans of a server that the benchmark has started. */
final class ServerJmx {

    private ServerJmx() {}

    @SuppressWarnings("BanJNDI") // The address is that of a process of ours.
    static JMXConnector connect(ProcessHandle server) throws IOException, AttachNotSupportedException {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(server.pid()));
        try {
            return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }
}
