package io.leeway.lazybase.internal.pipeline;

import com.google.common.cache.CacheBuilder;
import io.leeway.lazybase.internal.merge.SortedRun;
import io.leeway.lazybase.internal.model.Table;
import io.leeway.lazybase.internal.model.View;
import io.leeway.lazybase.internal.storage.RunFile;
import io.leeway.lazybase.spi.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/** Reads everything that a store has, and checks checksums, numbers of rows and the order of keys. It changes nothing. Stateless. */
public final class Verification {

    /**
     * What was found.
     *
     * @param files number of files that were read
     * @param rows in them
     * @param faults one text for each damaged file
     */
    public record Report(int files, long rows, List<String> faults) {}

    private Verification() {}

    /** Checks a store that no server uses. */
    public static Report run(Store store, LongConsumer progress) throws IOException {
        State state = StateLog.read(store);
        var faults = new ArrayList<String>();
        long[] counts = new long[2];
        for (Table table : state.catalog().tables()) {
            for (View view : table.views()) {
                Layout layout = Layout.of(table, view);
                for (RunInfo part : state.partsOf(view.id())) {
                    check(store, part, layout, faults, counts, progress);
                }
            }
            for (Flight flight : state.flights()) {
                RunInfo run = flight.runs().get(table.id());
                if (run != null) {
                    check(store, run, Layout.of(table, table.primary()), faults, counts, progress);
                }
            }
        }
        for (Sealed scu : state.sealed()) {
            try (Store.Reader in = store.open(scu.file())) {
                int groups = GroupCodec.read(in, scu.groups()).size();
                if (groups < scu.groups()) {
                    faults.add(scu.file() + ": " + groups + " groups of commits instead of " + scu.groups());
                }
                progress.accept(in.size());
            } catch (IOException | RuntimeException e) {
                faults.add(scu.file() + ": " + e.getMessage());
            }
            counts[0]++;
        }
        return new Report((int) counts[0], counts[1], faults);
    }

    private static void check(
            Store store, RunInfo info, Layout layout, List<String> faults, long[] counts, LongConsumer progress) {
        counts[0]++;
        try (var file = new RunFile(
                store,
                info.file(),
                layout.codec(),
                CacheBuilder.newBuilder().maximumSize(1).build())) {
            SortedRun run = file.sequential();
            long rows = 0;
            byte[] last = new byte[0];
            for (int block = 0; block < run.blocks(); block++) {
                var keys = run.keys(block);
                for (int row = 0; row < keys.size(); row++) {
                    byte[] key = keys.get(row);
                    if ((row > 0 || block > 0) && java.util.Arrays.compareUnsigned(last, key) >= 0) {
                        throw new IOException("keys are not in order");
                    }
                    last = key;
                }
                rows += keys.size();
                progress.accept(run.bytes(block));
            }
            if (rows != info.rows()) {
                throw new IOException(rows + " rows instead of " + info.rows());
            }
            counts[1] += rows;
        } catch (IOException | RuntimeException e) {
            faults.add(info.file() + ": " + e.getMessage());
        }
    }
}
