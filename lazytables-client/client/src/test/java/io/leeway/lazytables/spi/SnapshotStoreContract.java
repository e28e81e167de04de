package io.leeway.lazytables.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a server needs of a place for snapshots. */
public abstract class SnapshotStoreContract {

    /** Opens a place under a name, the same each time, for one server. */
    protected abstract SnapshotStore open(String place) throws IOException;

    /** Opens it to read only. */
    protected abstract SnapshotStore openToRead(String place) throws IOException;

    /** Makes the place, as an operator does. */
    protected abstract void create(String place) throws IOException;

    /** From now on the place takes nothing, as a full or missing disk. */
    protected abstract void refuseWrites(String place) throws IOException;

    /** It takes writes again. */
    protected abstract void allowWrites(String place) throws IOException;

    @Test
    void whatIsWrittenStaysForTheNextServer() throws IOException {
        create("a");
        byte[] large = new byte[3_000_000];
        Arrays.fill(large, (byte) 5);
        large[2_999_999] = 7;
        try (SnapshotStore store = open("a")) {
            assertThat(store.list()).isEmpty();
            store.write("one", new byte[] {1, 2, 3});
            store.write("none", new byte[0]);
            store.write("large", large);
        }

        try (SnapshotStore store = open("a")) {
            assertThat(store.list()).containsExactlyInAnyOrder("one", "none", "large");
            assertThat(store.read("one")).containsExactly(1, 2, 3);
            assertThat(store.read("none")).isEmpty();
            assertThat(store.read("large")).isEqualTo(large);
        }
    }

    @Test
    void whatIsDeletedIsGone() throws IOException {
        create("a");
        try (SnapshotStore store = open("a")) {
            store.write("one", new byte[] {1});
            store.write("two", new byte[] {2});
            store.delete("one");

            assertThat(store.list()).containsExactly("two");
            assertThatThrownBy(() -> store.read("one")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> store.delete("one")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aWriteThatIsRefusedIsSaidAndLeavesNothing() throws IOException {
        create("a");
        try (SnapshotStore store = open("a")) {
            store.write("one", new byte[] {1});
            refuseWrites("a");
            assertThatThrownBy(() -> store.write("two", new byte[100_000]))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("/a");
            allowWrites("a");

            assertThat(store.list()).containsExactly("one");
            store.write("three", new byte[] {3});
            assertThat(store.list()).containsExactlyInAnyOrder("one", "three");
        }
        try (SnapshotStore store = open("a")) {
            assertThat(store.list()).containsExactlyInAnyOrder("one", "three");
        }
    }

    @Test
    void ofTwoServersOneWrites() throws IOException {
        create("a");
        try (SnapshotStore first = open("a")) {
            first.write("one", new byte[] {1});
            SnapshotStore second;
            try {
                second = open("a");
            } catch (IOException refused) {
                assertThat(refused).hasMessageContaining("another server uses");
                first.write("two", new byte[] {2});
                return;
            }
            try (second) {
                assertThatThrownBy(() -> first.write("two", new byte[] {2}))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("another server uses");
                assertThatThrownBy(() -> first.delete("one"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("another server uses");
                second.write("two", new byte[] {3});
                assertThat(second.list()).containsExactlyInAnyOrder("one", "two");
                assertThat(second.read("two")).containsExactly(3);
            }
        }
    }

    @Test
    void whoReadsDisturbsNobodyAndChangesNothing() throws IOException {
        create("a");
        try (SnapshotStore server = open("a")) {
            server.write("one", new byte[] {1});
            try (SnapshotStore reader = openToRead("a")) {
                assertThat(reader.list()).containsExactly("one");
                server.write("two", new byte[] {2});
                assertThat(reader.read("two")).containsExactly(2);
                assertThatThrownBy(() -> reader.write("three", new byte[] {3}))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is open to read only");
                assertThatThrownBy(() -> reader.delete("one"))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("is open to read only");
            }
            server.delete("one");
            assertThat(server.list()).containsExactly("two");
        }
        assertThatThrownBy(() -> openToRead("nowhere"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere is no directory");
    }

    @Test
    void placesDoNotSeeEachOther() throws IOException {
        create("a");
        create("b");
        try (SnapshotStore a = open("a");
                SnapshotStore b = open("b")) {
            a.write("one", new byte[] {1});

            assertThat(b.list()).isEmpty();
        }
    }

    @Test
    void aPlaceThatIsNotThereIsNotMade() {
        assertThatThrownBy(() -> open("nowhere"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nowhere is no directory; create it");
        assertThatThrownBy(() -> open("nowhere")).isInstanceOf(IOException.class);
    }
}
