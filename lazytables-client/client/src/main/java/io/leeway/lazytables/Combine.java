package io.leeway.lazytables;

import io.leeway.lazytables.spi.CombineOp;

/** The operations that updates are combined with and that every server knows. */
public enum Combine implements CombineOp {
    /** Updates are added: increments. The identity is 0. */
    ADD(0, 0) {
        @Override
        public long combine(long a, long b) {
            return a + b;
        }

        @Override
        public double combine(double a, double b) {
            return a + b;
        }
    },
    /** The smallest update stays. The identity is the largest integer, or infinity. */
    MIN(Long.MAX_VALUE, Double.POSITIVE_INFINITY) {
        @Override
        public long combine(long a, long b) {
            return Math.min(a, b);
        }

        @Override
        public double combine(double a, double b) {
            return Math.min(a, b);
        }
    },
    /** The largest update stays. The identity is the smallest integer, or negative infinity. */
    MAX(Long.MIN_VALUE, Double.NEGATIVE_INFINITY) {
        @Override
        public long combine(long a, long b) {
            return Math.max(a, b);
        }

        @Override
        public double combine(double a, double b) {
            return Math.max(a, b);
        }
    };

    private final long identityLong;
    private final double identityDouble;

    Combine(long identityLong, double identityDouble) {
        this.identityLong = identityLong;
        this.identityDouble = identityDouble;
    }

    @Override
    public long identityLong() {
        return identityLong;
    }

    @Override
    public double identityDouble() {
        return identityDouble;
    }
}
