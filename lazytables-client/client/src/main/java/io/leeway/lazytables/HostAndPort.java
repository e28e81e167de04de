package io.leeway.lazytables;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a server is: {@code db1:7171}, {@code 10.0.0.7:7171} or {@code [::1]:7171}.
 *
 * @param host a name or an address, without brackets
 * @param port from 0, which lets the system choose one to listen at, to 65535
 * @since 0.1
 */
public record HostAndPort(String host, int port) {

    /** Checks both. */
    public HostAndPort {
        if (host.isBlank() || host.length() > 255 || !host.equals(host.strip()) || port < 0 || port > 65_535) {
            throw new IllegalArgumentException("not an address: " + host + ":" + port);
        }
    }

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static HostAndPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("there is no port in " + text);
        }
        String host = text.substring(0, colon).strip();
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("brackets are missing around the address in " + text);
        }
        return new HostAndPort(host, Integer.parseInt(text.substring(colon + 1).strip()));
    }

    /** Reads several with commas between; none if the text is empty. */
    static List<HostAndPort> list(String text) {
        var list = new ArrayList<HostAndPort>();
        if (!text.isBlank()) {
            for (String part : text.split(",", -1)) {
                HostAndPort address = parse(part.strip());
                if (list.contains(address)) {
                    throw new IllegalArgumentException(address + " is there twice");
                }
                list.add(address);
            }
        }
        return List.copyOf(list);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
