package io.leeway.approx;

/**
 * The queues of a Linux router for approximate traffic: strict priorities by HTB, eight leaves with small buffers; the one
 * of other traffic has nearly all of the memory. The lowest queue holds one packet, each above one more.
 */
final class Queues {

    private Queues() {}

    static String script(String device, int megabits) {
        if (!device.matches("[a-zA-Z0-9_.@-]{1,15}") || megabits < 1) {
            throw new IllegalArgumentException("an interface and a rate in Mbit/s, not " + device + ", " + megabits);
        }
        StringBuilder out = new StringBuilder("tc qdisc replace dev " + device + " root handle 1: htb default 10\n");
        out.append(String.format(
                "tc class add dev %s parent 1: classid 1:1 htb rate %dmbit ceil %dmbit burst 1600 cburst 4k quantum 1514%n",
                device, megabits, megabits));
        for (int queue = 0; queue < 8; queue++) {
            int packets = queue == 0 ? 500 : 8 - queue;
            out.append(String.format(
                    "tc class add dev %s parent 1:1 classid 1:1%d htb rate 8kbit ceil %dmbit prio %d burst 1600 cburst 4k quantum 1514%n",
                    device, queue, megabits, queue));
            out.append(String.format(
                    "tc qdisc add dev %s parent 1:1%d handle 1%d: pfifo limit %d%n", device, queue, queue, packets));
            if (queue > 0) {
                // The three highest bits of the type of service: class selector 7 is queue 1, 1 is queue 7.
                out.append(String.format(
                        "tc filter add dev %s parent 1: protocol ip prio 1 u32 match ip tos 0x%02x 0xe0 flowid 1:1%d%n",
                        device, 8 - queue << 5, queue));
            }
        }
        return out.toString();
    }
}
