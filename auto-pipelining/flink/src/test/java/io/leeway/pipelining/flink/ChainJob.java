package io.leeway.pipelining.flink;

import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamUtils;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/** Jobs whose result is known from a run without ports. Their operators notice when two threads are in one. */
@SuppressWarnings("SameNameButDifferent") // each function's own Context, as everywhere in Flink
final class ChainJob {

    /** What a run found: digests by operator and subtask. */
    static final Map<String, Long> RESULTS = new ConcurrentSkipListMap<>();

    static final AtomicInteger VIOLATIONS = new AtomicInteger();
    static final AtomicInteger FAILURES_LEFT = new AtomicInteger();
    static final AtomicLong SEEN = new AtomicLong();

    /** What a job is like. */
    enum Shape {
        /** Source, two operators with timers and state, all in one chain. */
        SOURCE_CHAIN,
        /** The chain begins behind a network. */
        NETWORK_CHAIN,
        /** The chain begins with two inputs, and has a side output. */
        TWO_INPUTS,
        /** One operator feeds two others, one of them over a side output. */
        FAN_OUT
    }

    /** How it is run. */
    record Setting(Shape shape, boolean reuse, boolean unaligned, boolean rocksDb, long records, long pauseEvery)
            implements Serializable {}

    private ChainJob() {}

    /** A record that operators change. */
    public static final class Event {
        public long number;
        public long value;

        @SuppressWarnings("unused") // a POJO of Flink needs it
        public Event() {}

        Event(long number, long value) {
            this.number = number;
            this.value = value;
        }
    }

    static Configuration configuration(Setting setting, Path checkpoints) {
        var configuration = new Configuration();
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 1_000);
        configuration.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofMillis(1));
        configuration.set(StateBackendOptions.STATE_BACKEND, setting.rocksDb() ? "rocksdb" : "hashmap");
        configuration.set(
                CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
        configuration.set(
                CheckpointingOptions.SAVEPOINT_DIRECTORY, checkpoints.toUri().toString());
        configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofMillis(50));
        configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, setting.unaligned());
        configuration.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.DELETE_ON_CANCELLATION);
        return configuration;
    }

    static void build(StreamExecutionEnvironment env, Setting setting) {
        build(env, setting, "");
    }

    /** Also writes the results of the one digest to a file. */
    static void build(StreamExecutionEnvironment env, Setting setting, String file) {
        if (!file.isEmpty()) {
            env.getConfig().setGlobalJobParameters(org.apache.flink.util.ParameterTool.fromMap(Map.of("result", file)));
        }
        env.setParallelism(1);
        if (setting.reuse()) {
            env.getConfig().enableObjectReuse();
        }
        DataStream<Long> numbers =
                env.fromSequence(0, setting.records() - 1).name("numbers").uid("numbers");
        SingleOutputStreamOperator<Event> events = numbers.map(new Make(setting))
                .name("make")
                .uid("make")
                .assignTimestampsAndWatermarks(WatermarkStrategy.<Event>forGenerator(context -> new EveryTenth())
                        .withTimestampAssigner((event, time) -> event.number))
                .name("times")
                .uid("times");
        switch (setting.shape()) {
            case SOURCE_CHAIN -> sourceChain(events);
            case NETWORK_CHAIN -> networkChain(events);
            case TWO_INPUTS -> twoInputs(env, events, setting);
            case FAN_OUT -> fanOut(events);
        }
    }

    private static void sourceChain(DataStream<Event> events) {
        digest(
                DataStreamUtils.reinterpretAsKeyedStream(events, event -> event.number % 17, Types.LONG)
                        .process(new Sums())
                        .name("sums")
                        .uid("sums")
                        .map(new Change(true))
                        .name("change")
                        .uid("change"),
                "digest");
    }

    private static void networkChain(DataStream<Event> events) {
        digest(
                        events.keyBy(event -> event.number % 17)
                                .process(new Sums())
                                .setParallelism(2)
                                .name("sums")
                                .uid("sums")
                                .map(new Change(true))
                                .setParallelism(2)
                                .name("change")
                                .uid("change"),
                        "digest")
                .setParallelism(2);
    }

    private static void twoInputs(StreamExecutionEnvironment env, DataStream<Event> events, Setting setting) {
        DataStream<Event> others = env.fromSequence(0, setting.records() - 1)
                .name("others")
                .uid("others")
                .map(number -> new Event(number, number * 7))
                .returns(Event.class)
                .uid("others made")
                .assignTimestampsAndWatermarks(WatermarkStrategy.<Event>forGenerator(context -> new EveryTenth())
                        .withTimestampAssigner((event, time) -> event.number))
                .uid("others' times");
        var tag = new OutputTag<>("odd", Types.POJO(Event.class));
        SingleOutputStreamOperator<Event> both = events.keyBy(event -> event.number % 17)
                .connect(others.keyBy(event -> event.number % 17))
                .process(new Pair(tag))
                .setParallelism(2)
                .name("pair")
                .uid("pair");
        bag(both.map(new Change(false)).setParallelism(2).name("change").uid("change"), "bag")
                .setParallelism(2);
        bag(
                        both.getSideOutput(tag)
                                .map(new Change(false))
                                .setParallelism(2)
                                .name("odd")
                                .uid("odd"),
                        "odd bag")
                .setParallelism(2);
    }

    private static void fanOut(DataStream<Event> events) {
        var tag = new OutputTag<>("third", Types.POJO(Event.class));
        SingleOutputStreamOperator<Event> split =
                events.process(new Thirds(tag)).name("split").uid("split");
        digest(split.map(new Change(false)).name("left").uid("left"), "left digest");
        digest(split.map(new Change(false)).name("right").uid("right"), "right digest");
        digest(split.getSideOutput(tag).map(new Change(false)).name("side").uid("side"), "side digest");
    }

    private static SingleOutputStreamOperator<Event> digest(DataStream<Event> events, String name) {
        return sunk(events.map(new Digest(name, true)).name(name).uid(name), name);
    }

    private static SingleOutputStreamOperator<Event> bag(DataStream<Event> events, String name) {
        return sunk(events.map(new Digest(name, false)).name(name).uid(name), name);
    }

    private static SingleOutputStreamOperator<Event> sunk(SingleOutputStreamOperator<Event> stream, String name) {
        stream.sinkTo(new DiscardingSink<>()).name(name + " sink").uid(name + " sink");
        return stream;
    }

    /** Deterministic in the records: so that timers fire between the same ones in every run. */
    private static final class EveryTenth implements WatermarkGenerator<Event> {
        @Override
        public void onEvent(Event event, long time, WatermarkOutput output) {
            if (time % 10 == 0) {
                output.emitWatermark(new Watermark(time));
            }
        }

        @Override
        public void onPeriodicEmit(WatermarkOutput output) {}
    }

    /** Notices two threads. */
    private static final class Guard {
        private final AtomicBoolean inUse = new AtomicBoolean();

        void enter() {
            if (!inUse.compareAndSet(false, true)) {
                VIOLATIONS.incrementAndGet();
            }
        }

        void leave() {
            inUse.set(false);
        }
    }

    private static final class Make extends RichMapFunction<Long, Event> {
        private final Setting setting;

        Make(Setting setting) {
            this.setting = setting;
        }

        @Override
        public Event map(Long number) throws Exception {
            long seen = SEEN.incrementAndGet();
            if (setting.pauseEvery() > 0 && number % setting.pauseEvery() == 0) {
                // So that checkpoints and changes of ports happen while it runs; not waited for by any assertion.
                java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
            }
            if (seen % (setting.records() / 3 + 1) == 0 && FAILURES_LEFT.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IllegalStateException("a failure that the test wants");
            }
            return new Event(number, number * 31 + 7);
        }
    }

    /** Keyed state, an event-time timer for each key and hundred, a processing-time timer that only counts. */
    private static final class Sums extends KeyedProcessFunction<Long, Event, Event> {
        private transient Guard guard;
        private transient ValueState<Long> sum;

        @Override
        public void open(OpenContext context) {
            guard = new Guard();
            sum = getRuntimeContext().getState(new ValueStateDescriptor<>("sum", Types.LONG));
        }

        @Override
        public void processElement(Event event, Context context, Collector<Event> out) throws Exception {
            guard.enter();
            Long before = sum.value();
            long now = (before == null ? 0 : before) + event.value;
            sum.update(now);
            // No two at one time: those would fire in the order of their heap, which a restore changes.
            context.timerService().registerEventTimeTimer(event.number / 100 * 100 + 100 + event.number % 17);
            if (event.number % 50 == 0) {
                context.timerService().registerProcessingTimeTimer(System.currentTimeMillis() + 1);
            }
            event.value = now;
            out.collect(event);
            guard.leave();
        }

        @Override
        public void onTimer(long time, OnTimerContext context, Collector<Event> out) throws Exception {
            guard.enter();
            if (context.timeDomain() == org.apache.flink.streaming.api.TimeDomain.EVENT_TIME) {
                Long now = sum.value();
                out.collect(new Event(-time, now == null ? 0 : now));
            }
            guard.leave();
        }
    }

    /** Two inputs with state of both. */
    private static final class Pair extends KeyedCoProcessFunction<Long, Event, Event, Event> {
        private final OutputTag<Event> odd;
        private transient Guard guard;
        private transient ValueState<Long> sum;

        Pair(OutputTag<Event> odd) {
            this.odd = odd;
        }

        @Override
        public void open(OpenContext context) {
            guard = new Guard();
            sum = getRuntimeContext().getState(new ValueStateDescriptor<>("sum", Types.LONG));
        }

        @Override
        public void processElement1(Event event, Context context, Collector<Event> out) throws Exception {
            take(event, context, out);
        }

        @Override
        public void processElement2(Event event, Context context, Collector<Event> out) throws Exception {
            take(event, context, out);
        }

        private void take(Event event, Context context, Collector<Event> out) throws Exception {
            guard.enter();
            Long before = sum.value();
            sum.update((before == null ? 0 : before) + event.value);
            context.timerService().registerEventTimeTimer(event.number / 100 * 100 + 100);
            if (event.number % 2 == 1) {
                context.output(odd, event);
            }
            out.collect(event);
            guard.leave();
        }

        @Override
        public void onTimer(long time, OnTimerContext context, Collector<Event> out) throws Exception {
            guard.enter();
            out.collect(new Event(-time, 1));
            guard.leave();
        }
    }

    private static final class Thirds extends ProcessFunction<Event, Event> {
        private final OutputTag<Event> third;

        Thirds(OutputTag<Event> third) {
            this.third = third;
        }

        @Override
        public void processElement(Event event, Context context, Collector<Event> out) {
            if (event.number % 3 == 0) {
                context.output(third, event);
            }
            out.collect(event);
        }
    }

    /** Changes its record, in place where it alone has it: which shows whether it was copied before it was handed over. */
    private static final class Change extends RichMapFunction<Event, Event> {
        private final boolean inPlace;
        private transient Guard guard;

        Change(boolean inPlace) {
            this.inPlace = inPlace;
        }

        @Override
        public void open(OpenContext context) {
            guard = new Guard();
        }

        @Override
        public Event map(Event event) {
            guard.enter();
            Event changed = inPlace ? event : new Event(event.number, event.value);
            changed.value = changed.value * 3 + 1;
            guard.leave();
            return changed;
        }
    }

    /** A digest in checkpointed state, told when the input has ended. */
    private static final class Digest extends RichMapFunction<Event, Event> implements CheckpointedFunction {
        private final String name;
        private final boolean ordered;
        private transient Guard guard;
        private transient ListState<Long> state;
        private long digest;

        Digest(String name, boolean ordered) {
            this.name = name;
            this.ordered = ordered;
        }

        @Override
        public void open(OpenContext context) {
            guard = new Guard();
        }

        @Override
        public Event map(Event event) {
            guard.enter();
            long hash = (event.number * 0x9E3779B97F4A7C15L) ^ (event.value * 0xC2B2AE3D27D4EB4FL);
            digest = ordered ? digest * 1_000_003 + hash : digest + hash * 31;
            guard.leave();
            return event;
        }

        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            guard.enter();
            state.update(java.util.List.of(digest));
            guard.leave();
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("digest", Types.LONG));
            digest = 0;
            for (long each : state.get()) {
                digest = each;
            }
        }

        @Override
        public void close() throws java.io.IOException {
            String file = getRuntimeContext().getGlobalJobParameters().get("result");
            if (file != null) {
                java.nio.file.Files.writeString(Path.of(file), Long.toString(digest));
            }
            RESULTS.put(name + " " + getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(), digest);
        }
    }
}
