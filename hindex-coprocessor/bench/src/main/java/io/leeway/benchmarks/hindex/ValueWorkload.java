package io.leeway.benchmarks.hindex;

import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.DB;
import site.ycsb.WorkloadException;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's core workload with value queries instead of reads by key, as the source extends it: it draws keys (scrambled Zipf) and
 * chooses reads and updates as YCSB does. Thread-safe.
 */
final class ValueWorkload extends CoreWorkload {

    private final KnownRows rows;
    private final boolean readsByKey;

    ValueWorkload(KnownRows rows, Load load) throws WorkloadException {
        this.rows = rows;
        this.readsByKey = load.readsByKey();
        init(properties(rows.count(), load.readPercent()));
    }

    static Properties properties(int keys, int readPercent) {
        var properties = new Properties();
        properties.setProperty(Client.RECORD_COUNT_PROPERTY, Integer.toString(keys));
        properties.setProperty(Client.OPERATION_COUNT_PROPERTY, "0");
        properties.setProperty(READ_PROPORTION_PROPERTY, Double.toString(readPercent / 100.0));
        properties.setProperty(UPDATE_PROPORTION_PROPERTY, Double.toString(1 - readPercent / 100.0));
        properties.setProperty(REQUEST_DISTRIBUTION_PROPERTY, "zipfian");
        return properties;
    }

    private int nextKey() {
        return (int) Math.floorMod(keychooser.nextValue().longValue(), (long) rows.count());
    }

    @Override
    public void doTransactionRead(DB db) {
        var session = (StoreSession) db;
        int key = nextKey();
        session.read(store -> {
            if (readsByKey) {
                rows.readByKey(store, key);
            } else {
                rows.readByValue(store, key);
            }
        });
        stopIfFailed(session);
    }

    @Override
    public void doTransactionUpdate(DB db) {
        var session = (StoreSession) db;
        int key = nextKey();
        session.write(store -> rows.write(store, key));
        stopIfFailed(session);
    }

    /** YCSB would end the whole process for an exception. */
    private void stopIfFailed(StoreSession session) {
        if (session.failure() != null) {
            requestStop();
        }
    }
}
