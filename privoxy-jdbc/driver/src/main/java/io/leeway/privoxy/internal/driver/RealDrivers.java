package io.leeway.privoxy.internal.driver;

import io.leeway.privoxy.PrivoxyErrorCode;
import io.leeway.privoxy.PrivoxyFailureException;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the driver behind the prefix: the one named, a registered one, or a known class from the thread's context class
 * loader or this class's. Application servers and tools often load drivers where DriverManager does not see them.
 */
final class RealDrivers {

    private RealDrivers() {}

    /**
     * The driver for a real URL.
     *
     * @param named class that was configured, or empty
     */
    static Driver find(ConnectionUrl url, String named) throws SQLException {
        var seen = new LinkedHashSet<String>();
        // Who names a class wants that one, and an error if it is not there.
        Driver found = named.isEmpty() ? registered(url.realUrl(), seen) : load(named, url.realUrl(), seen);
        List<String> known = named.isEmpty() ? url.database().drivers() : List.of();
        for (int i = 0; found == null && i < known.size(); i++) {
            found = load(known.get(i), url.realUrl(), seen);
        }
        if (found == null) {
            String drivers = seen.isEmpty() ? "none" : String.join(", ", seen);
            throw new PrivoxyFailureException(
                    PrivoxyErrorCode.NO_DRIVER,
                    "No driver accepts " + ConnectionUrl.safe(url.realUrl()) + "; drivers seen: " + drivers + '.');
        }
        return found;
    }

    private static @Nullable Driver registered(String url, Set<String> seen) {
        var drivers = DriverManager.getDrivers();
        while (drivers.hasMoreElements()) {
            Driver driver = drivers.nextElement();
            if (accepts(driver, url, seen)) {
                return driver;
            }
        }
        return null;
    }

    private static @Nullable Driver load(String name, String url, Set<String> seen) {
        for (ClassLoader loader : loaders()) {
            try {
                Object driver = Class.forName(name, true, loader)
                        .getDeclaredConstructor()
                        .newInstance();
                if (driver instanceof Driver real && accepts(real, url, seen)) {
                    return real;
                }
            } catch (ReflectiveOperationException | LinkageError absent) {
                seen.add(name + " (not found)");
            }
        }
        return null;
    }

    /** Not our own, also not one of another class loader: the real URL is none of ours, so it would not accept it. */
    private static boolean accepts(Driver driver, String url, Set<String> seen) {
        seen.remove(driver.getClass().getName() + " (not found)");
        // For the message: "no driver" is most often a driver in the wrong loader.
        seen.add(driver.getClass().getName());
        try {
            return driver.acceptsURL(url);
        } catch (SQLException refused) {
            return false;
        }
    }

    /** The context's first: application servers load drivers with the application. */
    private static List<ClassLoader> loaders() {
        var loaders = new ArrayList<ClassLoader>();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            loaders.add(context);
        }
        ClassLoader own = RealDrivers.class.getClassLoader();
        if (own != null && own != context) {
            loaders.add(own);
        }
        return loaders;
    }
}
