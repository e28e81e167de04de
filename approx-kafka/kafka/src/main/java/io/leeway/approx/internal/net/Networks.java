package io.leeway.approx.internal.net;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Networks in the notation address/bits. */
final class Networks {

    private Networks() {}

    /** Whether one of the networks, separated by commas, contains the address. What cannot be read contains nothing. */
    static boolean contain(String networks, InetAddress address) {
        for (String network : networks.split(",")) {
            if (!network.isBlank() && contains(network.strip(), address)) {
                return true;
            }
        }
        return false;
    }

    private static boolean contains(String network, InetAddress address) {
        int slash = network.indexOf('/');
        try {
            byte[] base = InetAddress.getByName(slash < 0 ? network : network.substring(0, slash))
                    .getAddress();
            byte[] other = address.getAddress();
            int bits = slash < 0 ? 8 * base.length : Integer.parseInt(network.substring(slash + 1));
            int rest = 8 * base.length - bits;
            return base.length == other.length
                    && rest >= 0
                    && new BigInteger(1, base).shiftRight(rest).equals(new BigInteger(1, other).shiftRight(rest));
        } catch (UnknownHostException | NumberFormatException e) {
            return false;
        }
    }
}
