package io.leeway.testkit.history;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an operation means for one key. Compared by identity: each is one operation. */
final class Access {

    private final Operation operation;
    private final boolean write;
    private final @Nullable String value;
    private final boolean same;

    private Access(Operation operation, boolean write, @Nullable String value, boolean same) {
        this.operation = operation;
        this.write = write;
        this.value = value;
        this.same = same;
    }

    /** Null if the operation does not concern the key. */
    static @Nullable Access of(String key, Operation operation) {
        if (operation instanceof Operation.Write access) {
            return access.key().equals(key) ? new Access(operation, true, access.value(), true) : null;
        }
        if (operation instanceof Operation.ReadKey access) {
            return access.key().equals(key) ? new Access(operation, false, access.value(), true) : null;
        }
        var read = (Operation.ReadValue) operation;
        return new Access(operation, false, read.value(), read.keys().contains(key));
    }

    boolean isWrite() {
        return write;
    }

    /** What a write writes. */
    @Nullable
    String value() {
        return value;
    }

    /** Whether a read may see this value. */
    boolean explainedBy(@Nullable String current) {
        return Objects.equals(value, current) == same;
    }

    /** Whether it must have taken effect by its return. */
    boolean mustReturn() {
        return !(operation instanceof Operation.Write access) || access.acknowledged();
    }

    @Override
    public String toString() {
        String when = " from " + operation.invoked() + " to " + operation.returned();
        if (write) {
            return (mustReturn() ? "wrote " : "may have written ") + value + when;
        }
        return "read " + (same ? "" : "other than ") + value + when;
    }
}
