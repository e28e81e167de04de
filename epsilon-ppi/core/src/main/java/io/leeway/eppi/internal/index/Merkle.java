package io.leeway.eppi.internal.index;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** A tree of digests: one root stands for all leaves, and a leaf is shown to be among them with log₂ n digests. */
public final class Merkle {

    private final List<byte[][]> levels = new ArrayList<>();

    /** The tree over digests of leaves; one at least. */
    public Merkle(byte[][] leaves) {
        byte[][] level = leaves.clone();
        levels.add(level);
        while (level.length > 1) {
            byte[][] above = new byte[(level.length + 1) / 2][];
            for (int i = 0; i < above.length; i++) {
                // A node without a partner goes up as it is.
                above[i] = 2 * i + 1 < level.length ? node(level[2 * i], level[2 * i + 1]) : level[2 * i];
            }
            levels.add(above);
            level = above;
        }
    }

    /** The root. */
    public byte[] root() {
        return levels.get(levels.size() - 1)[0].clone();
    }

    /** What has to be known to get from a leaf to the root. */
    public List<byte[]> proof(int leaf) {
        var proof = new ArrayList<byte[]>();
        int at = leaf;
        for (byte[][] level : levels) {
            if ((at ^ 1) < level.length) {
                proof.add(level[at ^ 1]);
            }
            at >>= 1;
        }
        return proof;
    }

    /** The root to which a leaf and its proof lead; nothing that can be forged leads to a given one. */
    public static byte[] root(byte[] leaf, int index, int leaves, List<byte[]> proof) {
        byte[] digest = leaf;
        int at = index;
        int next = 0;
        for (int size = leaves; size > 1; size = (size + 1) / 2) {
            if ((at ^ 1) < size) {
                if (next == proof.size()) {
                    return new byte[0];
                }
                byte[] other = proof.get(next++);
                digest = (at & 1) == 0 ? node(digest, other) : node(other, digest);
            }
            at >>= 1;
        }
        return next == proof.size() ? digest : new byte[0];
    }

    private static byte[] node(byte[] left, byte[] right) {
        MessageDigest digest = Digests.begin("eppi-node");
        digest.update(left);
        digest.update(right);
        return digest.digest();
    }
}
