package io.leeway.lazytables.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ServerLinkTest {

    private final ServerLink link = new ServerLink(0, true);

    @Test
    void aServerIsToldOnceForAConnectionWhereTheProcessGoesOn() {
        link.opened();
        assertThat(link.waitsForPlace()).isFalse();

        link.asked();
        assertThat(link.waitsForPlace()).isTrue();

        link.told();
        link.asked();
        assertThat(link.waitsForPlace()).isFalse();

        link.closed();
        link.opened();
        link.asked();
        assertThat(link.waitsForPlace()).isTrue();
    }

    @Test
    void whatAProcessBeforeThisOneHadMadeIsTakenUpOnce() {
        link.opened();
        assertThat(link.isPlaced()).isFalse();

        link.letIn(7);
        link.letIn(9);

        assertThat(link.made).isEqualTo(7);
        assertThat(link.isPlaced()).isTrue();
        assertThat(link.isInheritanceStored()).isFalse();
        link.durable(7);
        assertThat(link.isInheritanceStored()).isTrue();
    }

    @Test
    void aConnectionThatEndsTakesTheWelcomeAwayAndNotThePlace() {
        letIn();
        assertThat(link.isWelcome()).isTrue();

        link.closed();

        assertThat(link.isWelcome()).isFalse();
        assertThat(link.isConnected()).isFalse();
        assertThat(link.isPlaced()).isTrue();
    }

    @Test
    void aSnapshotIsAskedForAgainWhenOneIsStored() {
        letIn();
        link.askedToStore();
        assertThat(link.waitsForSnapshot()).isTrue();

        link.durable(7);
        assertThat(link.waitsForSnapshot()).isFalse();

        link.askedToStore();
        link.durable(7);
        assertThat(link.waitsForSnapshot()).isTrue();
    }

    @Test
    void aSnapshotIsAskedForAgainOverTheNextConnection() {
        letIn();
        link.askedToStore();

        link.closed();
        link.opened();
        link.welcomed(7, 7);

        assertThat(link.waitsForSnapshot()).isFalse();
    }

    @Test
    void isForsakenOnceForAConnectionWhateverTheServerSaysMeanwhile() {
        link.opened();
        assertThat(link.forsake()).isTrue();

        link.asked();
        link.letIn(7);
        link.welcomed(7, 7);

        assertThat(link.forsake()).isFalse();
        assertThat(link.isWelcome()).isTrue();

        link.closed();
        link.opened();
        assertThat(link.forsake()).isTrue();
    }

    @Test
    void theEndIsNumberedBehindWhatWasInherited() {
        letIn();
        link.end(3, true);

        assertThat(link.hasEnd()).isTrue();
        assertThat(link.made).isEqualTo(8);
        link.durable(7);
        assertThat(link.isInheritanceStored()).isTrue();
    }

    @Test
    void nobodyEndsWhoWasNotLetIn() {
        assertThatThrownBy(() -> link.end(3, true)).isInstanceOf(IllegalStateException.class);
    }

    private void letIn() {
        link.opened();
        link.letIn(7);
        link.welcomed(7, 7);
    }
}
