package io.leeway.autotune;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import javax.management.ObjectName;

/** A service with three MBeans: one that throws, a good one, and one above whose value of 12 each request fails. */
public final class HostWithBeans {

    private HostWithBeans() {}

    /** What all have. */
    public interface SizedMXBean {
        /** Read. */
        int getSize();

        /** Written. */
        void setSize(int size);
    }

    private static final class Sized implements SizedMXBean {
        private final boolean throwing;
        private volatile int size = 10;

        Sized(boolean throwing) {
            this.throwing = throwing;
        }

        @Override
        public int getSize() {
            return size;
        }

        @Override
        public void setSize(int newSize) {
            if (throwing) {
                throw new IllegalStateException("as asked");
            }
            size = newSize;
        }
    }

    /** Starts it. */
    public static void main(String[] arguments) throws Exception {
        var deadly = new Sized(false);
        register("Bad", new Sized(true));
        register("Good", new Sized(false));
        register("Deadly", deadly);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> answer(exchange, deadly.getSize() > 12 ? 500 : 200));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void register(String name, Sized bean) throws Exception {
        ManagementFactory.getPlatformMBeanServer().registerMBean(bean, new ObjectName("test:type=" + name));
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status, -1);
        }
    }
}
