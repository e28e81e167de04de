package io.leeway.autotune.internal.tune;

import io.leeway.autotune.Window;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Several windows put together: sums, and percentiles as the mean of theirs. */
final class Windows {

    private Windows() {}

    static Window joined(List<Window> windows) {
        return new Window(
                sum(windows, Window::seconds),
                (long) sum(windows, Window::requests),
                (long) sum(windows, Window::errors),
                mean(windows, Window::p50),
                mean(windows, Window::p95),
                mean(windows, Window::p99),
                mean(windows, Window::mean),
                sum(windows, Window::cpuMillis),
                windows.stream().mapToDouble(Window::heapShare).max().orElse(0),
                sum(windows, Window::gcMillis));
    }

    private static double sum(List<Window> windows, ToDoubleFunction<Window> what) {
        return windows.stream().mapToDouble(what).sum();
    }

    private static double mean(List<Window> windows, ToDoubleFunction<Window> what) {
        return windows.stream().mapToDouble(what).average().orElse(0);
    }
}
