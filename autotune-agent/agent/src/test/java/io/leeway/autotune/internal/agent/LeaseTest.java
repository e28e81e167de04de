package io.leeway.autotune.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LeaseTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final Lease lease = new Lease(now::get, 100);

    @Test
    void belongsToOneUntilItIsNotHeardOf() {
        lease.take("a");
        now.addAndGet(90);
        lease.take("a");
        now.addAndGet(90);
        assertThatThrownBy(() -> lease.take("b"))
                .hasMessageContaining("AUTOTUNE-2002")
                .hasMessageContaining("held by a");
        assertThat(lease.isOver()).isFalse();

        now.addAndGet(20);
        assertThat(lease.isOver()).isTrue();
        lease.take("b");
        assertThat(lease.holder()).isEqualTo("b");
    }

    @Test
    void isFreeWhenReleasedByItsHolderOnly() {
        lease.take("a");
        lease.release("b");
        assertThat(lease.holder()).isEqualTo("a");
        lease.release("a");
        lease.take("b");
    }
}
