package io.leeway.lazybase.internal.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FencedStoreTest {

    @TempDir
    Path directory;

    private Store shared;

    @BeforeEach
    void open() throws IOException {
        shared = new LocalStore(directory);
    }

    private static void write(Store.Writer writer, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writer.write(bytes, 0, bytes.length);
        writer.sync();
    }

    private static void put(Store store, String name, String text) throws IOException {
        try (Store.Writer writer = store.create(name)) {
            write(writer, text);
        }
    }

    private static String read(Store store, String name) throws IOException {
        try (Store.Reader reader = store.open(name)) {
            return new String(reader.read(0, (int) reader.size()), StandardCharsets.UTF_8);
        }
    }

    @Test
    void aFormerLeaderCannotSayThatAnythingIsDurable() throws IOException {
        var lost = new AtomicInteger();
        FencedStore first = FencedStore.claim(shared, lost::incrementAndGet);
        Store.Writer log = first.create("state-1.log");
        write(log, "a");
        FencedStore second = FencedStore.claim(shared, () -> {});
        assertThat(second.term()).isEqualTo(first.term() + 1);
        assertThat(read(second, "state-1.log")).isEqualTo("a");
        assertThatThrownBy(() -> write(log, "b"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("leads");
        assertThatThrownBy(() -> put(first, "scu-2.raw", "c")).isInstanceOf(IOException.class);
        assertThat(lost).hasPositiveValue();
        put(second, "scu-2.raw", "mine");
        assertThat(read(second, "scu-2.raw")).isEqualTo("mine");
        assertThat(read(FencedStore.view(shared), "scu-2.raw")).isEqualTo("mine");
        log.close();
    }

    @Test
    void aPointerThatAFormerLeaderSetsIsNotFollowed() throws IOException {
        FencedStore first = FencedStore.claim(shared, () -> {});
        put(first, "current.tmp", "old");
        FencedStore second = FencedStore.claim(shared, () -> {});
        put(second, "current.tmp", "new");
        second.rename("current.tmp", "current");
        assertThatThrownBy(() -> first.rename("current.tmp", "current")).isInstanceOf(IOException.class);
        assertThat(read(FencedStore.claim(shared, () -> {}), "current")).isEqualTo("new");
    }

    @Test
    void whatOneProcessWroteBeforeTheDirectoryWasSharedIsThere() throws IOException {
        put(shared, "run-1.lbx", "before");
        assertThat(FencedStore.claims(shared)).isZero();
        FencedStore first = FencedStore.claim(shared, () -> {});
        assertThat(first.list()).containsExactly("run-1.lbx");
        assertThat(read(first, "run-1.lbx")).isEqualTo("before");
        first.delete("run-1.lbx");
        assertThat(first.list()).isEmpty();
        assertThat(FencedStore.claims(shared)).isEqualTo(1);
    }

    @Test
    void twoCannotClaimTheSameTerm() throws IOException {
        // As if another process had made the file between looking and claiming.
        Store slow = new Store() {
            @Override
            public Writer create(String name) throws IOException {
                return shared.create(name);
            }

            @Override
            public Reader open(String name) throws IOException {
                return shared.open(name);
            }

            @Override
            public void rename(String from, String to) throws IOException {
                shared.rename(from, to);
            }

            @Override
            public void delete(String name) throws IOException {
                shared.delete(name);
            }

            @Override
            public java.util.List<String> list() {
                return java.util.List.of();
            }

            @Override
            public long free() throws IOException {
                return shared.free();
            }

            @Override
            public void close() {
                // The test's.
            }
        };
        FencedStore.claim(shared, () -> {});
        assertThatThrownBy(() -> FencedStore.claim(slow, () -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("term 1");
    }
}
