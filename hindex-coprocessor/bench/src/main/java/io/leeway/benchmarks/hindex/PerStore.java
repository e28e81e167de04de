package io.leeway.benchmarks.hindex;

import io.leeway.benchmarks.results.Series;
import java.util.LinkedHashMap;
import java.util.Map;

/** A series of measurements for each of several things, such as stores. */
final class PerStore<K> {

    private final Map<K, Series> series = new LinkedHashMap<>();

    Series of(K key) {
        return series.computeIfAbsent(key, absent -> new Series());
    }

    double median(K key) {
        return of(key).median();
    }
}
