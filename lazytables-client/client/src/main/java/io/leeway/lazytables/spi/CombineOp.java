package io.leeway.lazytables.spi;

/**
 * How an update changes a cell, and how two updates become one. The operation must be commutative and associative,
 * since updates are logged, joined and applied in any order, and have an identity, which is what a cell holds that
 * nobody updated.
 *
 * <p>Implementations have no state and are used by many threads at once; two with the same name count as one. A server
 * that runs in a process of its own finds them by {@link #name()} among the services of this type in its class path
 * ({@link java.util.ServiceLoader}); names of the built-in operations ({@code ADD}, {@code MIN}, {@code MAX}) are
 * taken.
 */
public interface CombineOp {

    /** The name under which clients and servers know the operation. */
    String name();

    /**
     * The value that changes nothing, for cells of type int and long; what is outside of int's range is brought to its
     * end.
     */
    long identityLong();

    /** The value that changes nothing, for cells of type float and double. */
    double identityDouble();

    /** Combines two values of type int or long. */
    long combine(long a, long b);

    /** Combines two values of type float or double. */
    double combine(double a, double b);
}
