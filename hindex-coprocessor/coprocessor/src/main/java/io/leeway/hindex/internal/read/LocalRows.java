package io.leeway.hindex.internal.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.jspecify.annotations.Nullable;

/*
 * A region of the same server is read directly: no call, no other thread, nothing to wait for that a Get would not wait for. Reads
 * of the region itself pass no coprocessor hooks, as those of the server's own user do not have to.
 */
/**
 * Reads rows of the base table from regions of this server, where they are, and the others otherwise. Made by
 * {@link RegionReader} for one call. For one thread.
 */
final class LocalRows implements RowReads {

    private final OnlineRegions server;
    private final TableName base;
    private final byte[] family;
    private final RowReads otherwise;
    /** As they were when this was last asked to read; a region may go at any time, which its scanner says. */
    private List<? extends Region> regions = List.of();

    /** Of this table and family, with this server's regions. */
    LocalRows(OnlineRegions server, TableName base, byte[] family, RowReads otherwise) {
        this.server = server;
        this.base = base;
        this.family = family.clone();
        this.otherwise = otherwise;
    }

    /**
     * In the order of the gets, wherever each was read. A region that gives up in the middle is read elsewhere as a
     * whole.
     */
    @Override
    public Result[] read(List<Get> gets) throws IOException {
        regions = server.getRegions(base);
        IdentityHashMap<Region, List<Integer>> here = new IdentityHashMap<>();
        var elsewhere = new ArrayList<Integer>();
        for (int i = 0; i < gets.size(); i++) {
            Region region = regionOf(gets.get(i).getRow());
            (region == null ? elsewhere : here.computeIfAbsent(region, none -> new ArrayList<>())).add(i);
        }
        var results = new Result[gets.size()];
        for (Map.Entry<Region, List<Integer>> some : here.entrySet()) {
            try {
                for (int i : some.getValue()) {
                    results[i] = read(some.getKey(), gets.get(i));
                }
            } catch (NotServingRegionException | RegionTooBusyException e) {
                // It has moved away, or is about to.
                elsewhere.addAll(some.getValue());
            }
        }
        if (!elsewhere.isEmpty()) {
            Result[] rest = otherwise.read(elsewhere.stream().map(gets::get).toList());
            for (int i = 0; i < rest.length; i++) {
                results[elsewhere.get(i)] = rest[i];
            }
        }
        return results;
    }

    @Override
    public void met(byte[] row, int fresh, int stale) {
        Region region = regionOf(row);
        if (region == null) {
            otherwise.met(row, fresh, stale);
        } else {
            MetListeners.tell(region, family, fresh, stale);
        }
    }

    /**
     * One after the other: a server has a few regions of a table. Replicas lag behind, and so cannot bear out anything.
     */
    private @Nullable Region regionOf(byte[] row) {
        for (Region region : regions) {
            RegionInfo info = region.getRegionInfo();
            if (info.getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID && info.containsRow(row)) {
                return region;
            }
        }
        return null;
    }

    /** As a scan of one row, which is what HBase makes of a get. */
    private static Result read(Region region, Get get) throws IOException {
        try (RegionScanner scanner = region.getScanner(new Scan(get))) {
            var cells = new ArrayList<Cell>();
            scanner.next(cells);
            // What they lie in is given back with the scanner.
            cells.replaceAll(LocalRows::copy);
            return Result.create(cells);
        }
    }

    /** Without its tags, which HBase's own answers do not have either. */
    private static Cell copy(Cell cell) {
        return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
                .setRow(CellUtil.cloneRow(cell))
                .setFamily(CellUtil.cloneFamily(cell))
                .setQualifier(CellUtil.cloneQualifier(cell))
                .setTimestamp(cell.getTimestamp())
                .setType(cell.getType())
                .setValue(CellUtil.cloneValue(cell))
                .build();
    }
}
