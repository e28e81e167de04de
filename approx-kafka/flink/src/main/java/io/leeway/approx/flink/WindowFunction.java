package io.leeway.approx.flink;

import io.leeway.approx.WindowReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * One group of one window. It is answered when the records seen are those that the reports count, and nothing has come for
 * a while; or, with a warning, when patience is over; or when the input ends. Then it is kept for late records for a time.
 */
final class WindowFunction extends KeyedProcessFunction<String, ApproxEvent, WindowAnswer> {

    private static final long serialVersionUID = 1L;

    /**
     * Where a window stands.
     *
     * @param topic its topic
     * @param from its first millisecond
     * @param to the first after it
     * @param group its group
     * @param changedAt when something came last, by the clock of the task
     * @param timerAt when the next look is due; 0 if none is
     * @param revisions how many answers there were
     * @param answered whether the last answer is of what is known now
     */
    public record Stand(
            String topic,
            long from,
            long to,
            String group,
            long changedAt,
            long timerAt,
            int revisions,
            boolean answered) {

        /** Of a window by count only its report knows when it began. */
        Stand changed(ApproxEvent by, long now) {
            boolean knows = by.to() > 0;
            return new Stand(
                    topic, knows ? by.from() : from, knows ? by.to() : to, group, now, timerAt, revisions, false);
        }

        Stand next(long at) {
            return new Stand(topic, from, to, group, changedAt, at, revisions, answered);
        }

        Stand withAnswer() {
            return new Stand(topic, from, to, group, changedAt, timerAt, revisions + 1, true);
        }
    }

    private final double confidence;
    private final long settle;
    private final long patience;
    private final long retention;

    private transient ValueState<Stand> stand;
    private transient MapState<String, Seen> seen;
    private transient MapState<String, String> reports;
    private transient Counter answers;
    private transient Counter warned;

    @SuppressWarnings("NullAway.Init") // what is transient is made when the task starts
    WindowFunction(double confidence, long settle, long patience, long retention) {
        this.confidence = confidence;
        this.settle = settle;
        this.patience = patience;
        this.retention = retention;
    }

    @Override
    public void open(OpenContext context) {
        stand = getRuntimeContext().getState(new ValueStateDescriptor<>("stand", TypeInformation.of(Stand.class)));
        seen = getRuntimeContext()
                .getMapState(new MapStateDescriptor<>("seen", Types.STRING, TypeInformation.of(Seen.class)));
        reports = getRuntimeContext().getMapState(new MapStateDescriptor<>("reports", Types.STRING, Types.STRING));
        answers = getRuntimeContext().getMetricGroup().counter("approxAnswers");
        warned = getRuntimeContext().getMetricGroup().counter("approxAnswersWithWarning");
    }

    @Override
    public void processElement(ApproxEvent event, Context context, Collector<WindowAnswer> out) throws Exception {
        Stand now = stand.value();
        if (now == null) {
            now = new Stand(event.topic(), event.from(), event.to(), event.group(), 0, 0, 0, false);
            // Comes when the input ends, and not before: what is known then is the answer.
            context.timerService().registerEventTimeTimer(Long.MAX_VALUE);
        }
        if (event.report() == null) {
            Seen part = seen.get(event.source());
            seen.put(event.source(), (part == null ? Seen.NOTHING : part).plus(event.number()));
        } else if (!event.report().equals(reports.get(event.source()))) {
            reports.put(event.source(), event.report());
        } else {
            return;
        }
        long time = context.timerService().currentProcessingTime();
        Stand changed = now.changed(event, time);
        long due = time + settle;
        if (changed.timerAt() == 0 || changed.timerAt() > due) {
            context.timerService().registerProcessingTimeTimer(due);
            changed = changed.next(due);
        }
        stand.update(changed);
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<WindowAnswer> out) throws Exception {
        Stand now = stand.value();
        if (now == null) {
            return;
        }
        if (timestamp == Long.MAX_VALUE) {
            if (!now.answered()) {
                stand.update(answer(now, out));
            }
            return;
        }
        if (timestamp != now.timerAt()) {
            return;
        }
        if (now.answered()) {
            stand.clear();
            seen.clear();
            reports.clear();
            context.timerService().deleteEventTimeTimer(Long.MAX_VALUE);
            return;
        }
        if (timestamp < now.changedAt() + settle) {
            look(now, now.changedAt() + settle, context);
        } else if (timestamp >= now.changedAt() + patience || Answers.agree(parts(), told())) {
            look(answer(now, out), now.changedAt() + Math.max(patience, retention), context);
        } else {
            look(now, now.changedAt() + patience, context);
        }
    }

    private void look(Stand now, long at, OnTimerContext context) throws Exception {
        long later = Math.max(at, now.timerAt() + 1);
        context.timerService().registerProcessingTimeTimer(later);
        stand.update(now.next(later));
    }

    private Stand answer(Stand now, Collector<WindowAnswer> out) throws Exception {
        WindowAnswer answer = Answers.answer(
                now.topic(), now.from(), now.to(), now.group(), now.revisions() + 1, parts(), told(), confidence);
        answers.inc();
        if (!answer.warnings().isEmpty()) {
            warned.inc();
        }
        out.collect(answer);
        return now.withAnswer();
    }

    private Map<String, Seen> parts() throws Exception {
        Map<String, Seen> parts = new HashMap<>();
        for (Map.Entry<String, Seen> entry : seen.entries()) {
            parts.put(entry.getKey(), entry.getValue());
        }
        return parts;
    }

    private List<WindowReport> told() throws Exception {
        List<WindowReport> told = new ArrayList<>();
        for (String json : reports.values()) {
            told.add(WindowReport.fromJson(json));
        }
        return told;
    }
}
