package io.leeway.autotune;

import io.leeway.autotune.services.JdkService;
import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** A service with two MBeans, the second of which throws. */
public final class HostWithBeans {

    private HostWithBeans() {}

    /** What both have. */
    public interface SizedMXBean {
        /** Read. */
        int getSize();

        /** Written. */
        void setSize(int size);
    }

    private static final class Sized implements SizedMXBean {
        private final boolean throwing;
        private int size = 10;

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
        ManagementFactory.getPlatformMBeanServer().registerMBean(new Sized(true), new ObjectName("test:type=Bad"));
        ManagementFactory.getPlatformMBeanServer().registerMBean(new Sized(false), new ObjectName("test:type=Good"));
        JdkService.main(new String[] {"held=1"});
    }
}
