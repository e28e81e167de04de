package io.leeway.approx.internal.net;

import io.leeway.approx.ApproxError;
import io.leeway.approx.ApproxOption;
import io.leeway.approx.ApproxOptions;
import io.leeway.approx.TopicRule;
import io.leeway.approx.atp.Ack;
import io.leeway.approx.atp.AtpConfig;
import io.leeway.approx.atp.AtpSender;
import io.leeway.approx.atp.Control;
import io.leeway.approx.atp.JobReport;
import io.leeway.approx.atp.JobSpec;
import io.leeway.approx.atp.Packet;
import io.leeway.approx.internal.net.FlowState.Down;
import io.leeway.approx.internal.net.FlowState.Up;
import io.leeway.approx.internal.window.TopicWindows;
import io.leeway.approx.internal.wire.Datagrams;
import io.leeway.approx.internal.wire.Frame;
import io.leeway.approx.internal.wire.Packets;
import io.leeway.approx.internal.wire.RecordData;
import io.leeway.approx.internal.wire.Sums;
import io.leeway.approx.internal.wire.Window;
import io.netty.channel.Channel;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The flow from a shim to its gateway: windows of records become jobs of {@link AtpSender}, whose packets travel as
 * datagrams, or over the control connection where datagrams do not come through.
 *
 * <p>Everything but {@link #submit}, {@link #state} and {@link #close} happens on one thread. A session survives the loss
 * of its control connection for {@value #RESUME_MILLIS} ms, or a second if nobody listens there any more; datagrams go on
 * meanwhile. When it is lost, its open jobs are
 * over, and until there is a new one {@link #submit} refuses, so that records travel as exact ones.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its channel, which is told to the handler
public final class FlowClient implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(FlowClient.class.getName());
    private static final long RESUME_MILLIS = 15_000;
    private static final long TICK_MILLIS = 50;
    /** For how long nobody may listen where the gateway was. */
    private static final long NOBODY_NANOS = 1_000_000_000L;

    /** Echoes that a length of datagrams is given the time for. */
    private static final int SEEK_ATTEMPTS = 6;

    /** What every path of IPv4 carries, without its headers. */
    private static final int SHORTEST_DATAGRAM = 508;

    private static final long SHORTEST_RETRY = 100;
    private static final long LONGEST_RETRY = 5_000;
    /** Groups whose numbers are told. */
    private static final int MOST_GROUPS = 1_024;

    private static final int FLUSH_EVERY = 8;
    private static final long SOON_NANOS = 150_000;
    /** Records that are taken in before what has come from the gateway gets its turn. */
    private static final int TURN = 64;

    private static final double POLITE_TARGET = 0.02;
    private static final double BREAKER_AIM = 0.2;
    private static final double NOTHING_ARRIVED = 0.999;

    /** Loss above twice what is aimed at for so long makes a flow polite for a while. */
    private static final long BREAKER_NANOS = 1_000_000_000L;

    /** After how long without an answer that is due a control connection is taken for dead. */
    private static final long ANSWER_NANOS = 5_000_000_000L;

    private static final long POLITE_NANOS = 10_000_000_000L;

    /** Records that wait for room. */
    private static final class Submission {
        final List<RecordData> records;
        final Consumer<Boolean> done;
        int taken;

        Submission(List<RecordData> records, Consumer<Boolean> done) {
            this.records = records;
            this.done = done;
        }
    }

    /** A group of a topic. */
    public record Of(String topic, String group) {}

    /** What is known of the last window of a group: its priority queue, and the loss that it can still afford. */
    public record Numbers(int queue, double target) {}

    private record Ended(int job, long at) {}

    /** A window that ended with its session: the next one's gateway reports it, with all its records and none delivered. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Lost(Control.Open open, Window window, Control.Close close, Sums sums, byte[] sketches) {}

    private final ApproxOptions options;
    private final Consumer<JobReport> finished;
    private final MultiThreadIoEventLoopGroup group = Transport.group(1, "approx-flow");
    private final Map<String, TopicWindows> windows = new HashMap<>();
    private final Map<Integer, TopicWindows.Job> jobs = new HashMap<>();
    private final ArrayDeque<Submission> waiting = new ArrayDeque<>();
    private final ArrayDeque<Ended> ended = new ArrayDeque<>();
    private final ArrayDeque<Lost> lost = new ArrayDeque<>();
    private final ArrayDeque<Frame> unconfirmed = new ArrayDeque<>();
    private final AtomicLong accepted = new AtomicLong();
    private final UnaryOperator<AtpConfig> variant;
    private final ControlConnection control;
    private final boolean polite;
    private final boolean datagramsWanted;

    private volatile FlowState state = new Down("not connected yet");
    private volatile boolean closed;
    private volatile io.leeway.approx.atp.@Nullable FlowState numbers;
    private volatile Map<Of, Numbers> groups = Map.of();
    private AtpSender<byte[]> sender;
    private @Nullable Datagram datagram;
    private @Nullable Channel connection;
    private @Nullable ScheduledFuture<?> timer;
    private long timerAt = Long.MAX_VALUE;
    private long session;
    private long nextFrame = 1;
    private int nextJob = 1;
    private long retryDelay = SHORTEST_RETRY;
    private long lostAt;
    private long heardAt;
    private long probedAt;
    private long answeredAt;
    private boolean losing;
    /** Whether it was told that the gateway is away. */
    private boolean toldAway;

    /** The longest datagram that is used. */
    private int longest;
    /** Whether the session waits for what its path carries. */
    private boolean seeking;

    private boolean takingLater;
    private long nobodySince = Long.MAX_VALUE;
    private long overSince;
    private long politeUntil;

    /** A flow that is not connected yet. */
    public FlowClient(ApproxOptions options, Consumer<JobReport> finished) {
        this(options, finished, UnaryOperator.identity());
    }

    /** The same, with other constants of the protocol: for studies of what each of its parts is good for. */
    public FlowClient(ApproxOptions options, Consumer<JobReport> finished, UnaryOperator<AtpConfig> variant) {
        this.options = options;
        this.finished = finished;
        this.variant = variant;
        control = new ControlConnection(options, group, new Listener());
        String mode = options.text(ApproxOption.MODE);
        polite = mode.equals("udp-polite") || mode.equals("auto") && !overloadAllowed();
        datagramsWanted = !mode.equals("tcp-sample");
        longest = (int) options.number(ApproxOption.DATAGRAM);
        sender = newSender();
    }

    private boolean overloadAllowed() {
        try {
            InetAddress gateway =
                    InetAddress.getByName(options.address(ApproxOption.GATEWAY).getHostString());
            return Networks.contain(options.text(ApproxOption.OVERLOAD), gateway);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private AtpSender<byte[]> newSender() {
        int payload = longest - Datagrams.HEADER - Packets.MOST_HEADER - io.leeway.approx.internal.wire.Seal.TAG;
        double rate = options.number(ApproxOption.RATE_MAX) / 8.0;
        // As much as the port sends until the timer comes again, and no more: small queues lose what comes at once.
        double timer = Transport.isNative() ? 60e-6 : 1e-3;
        int burst = (int) Math.max(2, Math.min(1_024, rate * timer / payload));
        AtpConfig config = AtpConfig.real(rate, payload, options.number(ApproxOption.SEED))
                .overhead(Packets.USUAL_HEADER)
                .queues((int) options.number(ApproxOption.QUEUES))
                .burst(burst)
                .bufferBytes(options.number(ApproxOption.BUFFER))
                .targetCap(polite ? POLITE_TARGET : 1)
                .selection(
                        options.text(ApproxOption.SELECTION).equals("any")
                                ? AtpConfig.Selection.ANY
                                : AtpConfig.Selection.UNBIASED);
        AtpSender<byte[]> made = new AtpSender<>(variant.apply(config), new SenderSide(payload));
        // The queues go by the slack itself.
        made.targetCap(options.fraction(ApproxOption.LOSS_MAX), now());
        made.carrier(false, now());
        return made;
    }

    /** Connects, and stays connected. */
    public void start() {
        group.execute(control::connect);
        group.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Where the flow is. */
    public FlowState state() {
        return state;
    }

    /** The numbers of the transport, as of the last tick; null before it. */
    public io.leeway.approx.atp.@Nullable FlowState numbers() {
        return numbers;
    }

    /** The numbers of the last windows by topic and group, as of the last tick. */
    public Map<Of, Numbers> groups() {
        return groups;
    }

    private Map<Of, Numbers> groupsNow() {
        Map<Of, Numbers> now = new HashMap<>(groups);
        jobs.forEach((id, job) -> {
            if (sender.isOpen(id)) {
                Of of = new Of(job.window().topic(), job.window().groups().get(0));
                if (now.containsKey(of) || now.size() < MOST_GROUPS) {
                    now.put(of, new Numbers(sender.queue(id, 0), sender.target(id, 0)));
                }
            }
        });
        return now;
    }

    /** Records taken so far. */
    public long accepted() {
        return accepted.get();
    }

    /**
     * Takes records of one approximate topic.
     *
     * @param done is told on another thread: true when all were taken, which may wait for room; false if none was, since
     *     there is no session
     */
    public void submit(List<RecordData> records, Consumer<Boolean> done) {
        if (closed || state instanceof Down) {
            done.accept(false);
            return;
        }
        group.execute(() -> {
            if (state instanceof Down) {
                done.accept(false);
            } else {
                waiting.add(new Submission(records, done));
                takeWaiting();
                flush();
            }
        });
    }

    private void takeWaiting() {
        int turn = 0;
        while (!waiting.isEmpty() && !takingLater) {
            Submission next = waiting.getFirst();
            while (next.taken < next.records.size()) {
                if (turn++ == TURN) {
                    // Acknowledgements that wait behind a long submission would be taken for losses.
                    takingLater = true;
                    group.execute(this::takeLater);
                    return;
                }
                if (!take(next.records.get(next.taken))) {
                    return;
                }
                next.taken++;
                if (next.taken % FLUSH_EVERY == 0) {
                    // Else what leaves meanwhile would leave at once, and small queues lose that.
                    flush();
                }
            }
            waiting.removeFirst();
            accepted.addAndGet(next.records.size());
            next.done.accept(true);
        }
    }

    private void takeLater() {
        takingLater = false;
        takeWaiting();
        flush();
    }

    private boolean take(RecordData record) {
        TopicWindows ofTopic = windows.computeIfAbsent(record.topic(), this::newWindows);
        TopicWindows.Job job = ofTopic.place(record, nextJob, System.currentTimeMillis(), this::open);
        byte[] message = record.encode();
        if (sender.offer(job.id(), 0, message.length, message, now()) == AtpSender.Offer.FULL) {
            return false;
        }
        ofTopic.taken(job, record);
        return true;
    }

    private TopicWindows newWindows(String topic) {
        TopicRule rule = options.topicRules().stream()
                .filter(candidate -> candidate.matches(topic))
                .findFirst()
                .orElseThrow();
        return new TopicWindows(
                topic, rule, options.duration(ApproxOption.GRACE).toMillis());
    }

    private void open(TopicWindows.Job job) {
        nextJob++;
        jobs.put(job.id(), job);
        sender.open(JobSpec.of(job.id(), job.spec()));
    }

    private void tick() {
        long now = now();
        long millis = System.currentTimeMillis();
        for (TopicWindows ofTopic : windows.values()) {
            for (TopicWindows.Job job : ofTopic.takeEnded(millis)) {
                ended.add(new Ended(job.id(), now));
                sender.end(job.id(), now);
            }
        }
        long overdue = now - options.duration(ApproxOption.DEADLINE).toNanos();
        while (!ended.isEmpty() && ended.getFirst().at <= overdue) {
            int job = ended.removeFirst().job;
            if (sender.isOpen(job)) {
                LOG.log(Level.WARNING, "{0}: window {1} is closed with what has arrived", new Object[] {
                    ApproxError.DEADLINE.code(),
                    jobs.get(job) == null ? "" : jobs.get(job).window()
                });
            }
            sender.abandon(job, now);
        }
        takeWaiting();
        watch(now);
        numbers = sender.state();
        groups = jobs.isEmpty() ? groups : groupsNow();
        flush();
    }

    /** Decides whether datagrams are to be used, and how boldly. */
    private void watch(long now) {
        if (connection == null && state instanceof Up && now - lostAt > RESUME_MILLIS * 1_000_000) {
            loseSession("no connection to the gateway");
        }
        if (!(state instanceof Up up) || datagram == null) {
            return;
        }
        io.leeway.approx.atp.FlowState flow = sender.state();
        boolean answerDue = !unconfirmed.isEmpty() || !up.datagrams() && flow.silent();
        answeredAt = answerDue && connection != null ? answeredAt : now;
        if (now - answeredAt > ANSWER_NANOS) {
            // A machine that is gone closes nothing.
            control.close();
        }
        long timeout = options.duration(ApproxOption.UDP_TIMEOUT).toNanos();
        if (up.datagrams()) {
            heardAt = Math.max(heardAt, flow.heardAt());
            boolean waits = flow.silent() && now - Math.max(heardAt, probedAt) > timeout / 2;
            if (waits && now - heardAt > timeout) {
                LOG.log(
                        Level.WARNING,
                        "{0}: nothing has been heard for {1} ms; the sample travels over TCP",
                        new Object[] {ApproxError.DATAGRAMS_BLOCKED.code(), (now - heardAt) / 1_000_000});
                state = new Up(up.session(), false, up.polite());
                sender.carrier(false, now);
                probedAt = now;
            }
            breaker(flow, now);
        } else if (datagramsWanted && now - probedAt > probeEvery()) {
            probedAt = now;
            datagram.probe();
        }
    }

    /** Often in the first seconds of a session, when nothing is known; rarely when datagrams are known not to come through. */
    private long probeEvery() {
        boolean young =
                now() - lostAt < options.duration(ApproxOption.UDP_TIMEOUT).toNanos();
        return young
                ? TICK_MILLIS * 1_000_000
                : options.duration(ApproxOption.PROBE).toNanos();
    }

    private void breaker(io.leeway.approx.atp.FlowState flow, long now) {
        if (polite) {
            return;
        }
        // Loss is what a flow lives with that lets exact traffic pass, also when windows have no slack left; and where
        // nothing arrives at all, that traffic has the link, or the way is closed, which is another matter.
        double aim = Math.max(flow.target(), Math.min(options.fraction(ApproxOption.LOSS_MAX), BREAKER_AIM));
        boolean over = flow.loss() > 2 * aim && flow.loss() < NOTHING_ARRIVED;
        overSince = over ? Math.min(overSince, now) : Long.MAX_VALUE;
        if (over && now - overSince > BREAKER_NANOS && politeUntil < now) {
            politeUntil = now + POLITE_NANOS;
            sender.targetCap(POLITE_TARGET, now);
        } else if (politeUntil != 0 && politeUntil < now) {
            politeUntil = 0;
            sender.targetCap(options.fraction(ApproxOption.LOSS_MAX), now);
        }
    }

    private void loseSession(String why) {
        long records = jobs.values().stream().mapToLong(TopicWindows.Job::count).sum();
        LOG.log(
                Level.WARNING,
                "{0}: {1}; {2} open windows with {3} records are lost; approximate topics travel as exact ones",
                new Object[] {ApproxError.SESSION_LOST.code(), why, jobs.size(), records});
        losing = true;
        forgetSession(why);
        losing = false;
    }

    /** Nobody who looks at a topic sees that it is not sampled: that there is no gateway has to be said, once. */
    private void tellAway(String why) {
        if (!toldAway && !closed) {
            toldAway = true;
            LOG.log(
                    Level.WARNING,
                    "{0}: there is no connection to the gateway {1}: {2}; approximate topics travel as exact ones until"
                            + " there is one",
                    new Object[] {ApproxError.GATEWAY_AWAY.code(), options.text(ApproxOption.GATEWAY), why});
        }
    }

    /** The gateway will not have this shim; told once, not at each attempt. */
    private void refused(String why) {
        if (session != 0) {
            loseSession(why);
        } else if (!(state instanceof Down down && down.why().equals(why))) {
            LOG.log(Level.WARNING, "{0}; approximate topics travel as exact ones", why);
            forgetSession(why);
        }
    }

    private void forgetSession(String why) {
        state = new Down(why);
        session = 0;
        unconfirmed.clear();
        windows.values().forEach(TopicWindows::takeAll);
        for (Integer job : List.copyOf(jobs.keySet())) {
            sender.abandon(job, now());
        }
        jobs.clear();
        ended.clear();
        unconfirmed.clear();
        seeking = false;
        longest = (int) options.number(ApproxOption.DATAGRAM);
        sender = newSender();
        if (datagram != null) {
            datagram.close();
            datagram = null;
        }
        List<Submission> refused = new ArrayList<>(waiting);
        waiting.clear();
        // What was taken in part must not travel a second time; its jobs have been reported as failed.
        refused.forEach(submission -> submission.done.accept(submission.taken > 0));
    }

    private void flush() {
        if (datagram != null) {
            datagram.flush(timerAt - now() < SOON_NANOS);
        }
        if (connection != null) {
            connection.flush();
        }
    }

    private void send(Frame frame) {
        if (connection != null) {
            connection.write(frame, connection.voidPromise());
        }
    }

    private void wake() {
        timer = null;
        timerAt = Long.MAX_VALUE;
        sender.onTimer(now());
        takeWaiting();
        flush();
    }

    private static long now() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        group.submit(() -> {
                    tick();
                    control.close();
                    if (datagram != null) {
                        datagram.close();
                    }
                    state = new Down("closed");
                })
                .awaitUninterruptibly(5, TimeUnit.SECONDS);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    }

    /**
     * Ends all windows, and waits until they are complete.
     *
     * @return false if they were not when the time was up
     */
    public boolean drain(long millis) throws InterruptedException {
        if (closed) {
            return true;
        }
        long until = System.nanoTime() + millis * 1_000_000;
        long pause = 1;
        while (System.nanoTime() < until) {
            if (group.submit(this::drained).awaitUninterruptibly().getNow()) {
                return true;
            }
            Thread.sleep(pause);
            pause = Math.min(4, 2 * pause);
        }
        return false;
    }

    private boolean drained() {
        if (!waiting.isEmpty()) {
            return false;
        }
        for (TopicWindows ofTopic : windows.values()) {
            ofTopic.takeAll().forEach(job -> sender.end(job.id(), now()));
        }
        flush();
        return sender.state().openJobs() == 0 && unconfirmed.isEmpty();
    }

    /** What the protocol asks for. */
    private final class SenderSide implements AtpSender.Output<byte[]> {
        private final int payload;

        SenderSide(int payload) {
            this.payload = payload;
        }

        @Override
        public void transmit(Packet<byte[]> packet, int queue) {
            if (datagram != null && state instanceof Up up && up.datagrams()) {
                datagram.add(packet, queue, payload);
            } else if (connection != null) {
                ByteBuffer bytes = ByteBuffer.allocate(Packets.MOST_HEADER + packet.bytes());
                new Packets().write(bytes, packet, payload);
                send(new Frame.Data(Arrays.copyOf(bytes.array(), bytes.position())));
            }
        }

        @Override
        public void control(Control message) {
            TopicWindows.Job job = jobs.get(message.job());
            if (job == null) {
                return;
            }
            if (losing && message instanceof Control.Close close) {
                Control.Open open = new Control.Open(job.id(), List.of(job.spec()));
                lost.add(new Lost(open, job.window(), close, job.sums(), job.sketches()));
                return;
            }
            Frame frame = message instanceof Control.Open open
                    ? new Frame.Opened(nextFrame++, open, job.window())
                    : new Frame.Closed(nextFrame++, (Control.Close) message, List.of(job.sums()), job.sketches());
            unconfirmed.add(frame);
            send(frame);
        }

        @Override
        public void wakeAt(long time) {
            if (time >= timerAt) {
                return;
            }
            if (timer != null) {
                timer.cancel(false);
            }
            timerAt = time;
            timer = group.schedule(FlowClient.this::wake, Math.max(0, time - now()), TimeUnit.NANOSECONDS);
        }

        @Override
        public void finished(JobReport report) {
            jobs.remove(report.job());
            finished.accept(report);
        }

        @Override
        public void released(byte @Nullable [] message) {
            // Its memory goes back by itself.
        }
    }

    /** What the gateway says. */
    private final class Listener implements ControlConnection.Listener {
        @Override
        public Frame.Hello hello() {
            byte[] token = options.text(ApproxOption.TOKEN).getBytes(StandardCharsets.UTF_8);
            return new Frame.Hello(
                    Datagrams.VERSION,
                    Datagrams.VERSION,
                    token,
                    session,
                    "shim " + ProcessHandle.current().pid());
        }

        @Override
        public void connected(Channel channel, Frame.Welcome welcome) {
            retryDelay = SHORTEST_RETRY;
            nobodySince = Long.MAX_VALUE;
            if (toldAway) {
                toldAway = false;
                LOG.log(Level.INFO, "the gateway {0} answers now", options.text(ApproxOption.GATEWAY));
            }
            long now = now();
            lostAt = now;
            if (session != 0 && session != welcome.session()) {
                // Before the new connection is used: what ends with the old session is not the new one's business.
                loseSession("the gateway does not know the session any more");
            }
            connection = channel;
            if (session == 0) {
                begin(channel, welcome, now);
            } else {
                unconfirmed.removeIf(frame -> number(frame) <= welcome.received());
                unconfirmed.forEach(FlowClient.this::send);
                if (state instanceof Up up && !up.datagrams()) {
                    sender.carrier(false, now);
                }
            }
            flush();
        }

        @Override
        public void nobodyThere() {
            long now = now();
            nobodySince = Math.min(nobodySince, now);
            if (session != 0 && now - nobodySince > NOBODY_NANOS) {
                // Sessions are in the memory of the process that has ended: what is taken now would be lost with them.
                loseSession("the gateway has ended");
            }
        }

        private void begin(Channel channel, Frame.Welcome welcome, long now) {
            session = welcome.session();
            nextFrame = 1;
            InetSocketAddress peer = (InetSocketAddress) channel.remoteAddress();
            datagram = new Datagram(
                    group,
                    new InetSocketAddress(peer.getAddress(), welcome.port()),
                    welcome,
                    longest,
                    new DatagramListener());
            heardAt = now;
            probedAt = 0;
            overSince = Long.MAX_VALUE;
            while (!lost.isEmpty()) {
                Lost each = lost.remove();
                announce(new Frame.Opened(nextFrame++, each.open, each.window));
                announce(new Frame.Closed(nextFrame++, each.close, List.of(each.sums), each.sketches));
            }
            seeking = datagramsWanted;
            state = new Down("looking for what the path to the gateway carries");
            if (seeking) {
                seek((int) options.number(ApproxOption.DATAGRAM), 0, session);
            } else {
                state = new Up(session, false, polite);
            }
        }

        /** Asks for echoes of datagrams of this length, and then of shorter ones, until one comes. */
        private void seek(int length, int attempt, long of) {
            if (!seeking || session != of || datagram == null) {
                return;
            }
            if (attempt == SEEK_ATTEMPTS) {
                int next = length > 1_200 ? 1_200 : SHORTEST_DATAGRAM;
                if (length > SHORTEST_DATAGRAM) {
                    seek(next, 0, of);
                } else {
                    use((int) options.number(ApproxOption.DATAGRAM), false);
                }
                return;
            }
            if (attempt == 0) {
                longest = length;
                datagram.longest(length);
            }
            datagram.probe();
            group.schedule(() -> seek(length, attempt + 1, of), TICK_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void announce(Frame frame) {
            unconfirmed.add(frame);
            send(frame);
        }

        @Override
        public void frame(Frame frame) {
            answeredAt = now();
            if (frame instanceof Frame.Acknowledged acknowledged) {
                Ack ack = Datagrams.ack(ByteBuffer.wrap(acknowledged.ack()));
                if (ack != null) {
                    sender.onAck(ack, now());
                    takeWaiting();
                }
            } else if (frame instanceof Frame.Received received) {
                unconfirmed.removeIf(sent -> number(sent) <= received.number());
            }
            flush();
        }

        @Override
        public void disconnected(String why, boolean refused) {
            if (connection != null) {
                connection = null;
                lostAt = now();
            }
            if (refused) {
                refused(why);
            } else if (state instanceof Down) {
                state = new Down(why);
                tellAway(why);
            }
            if (!closed) {
                group.schedule(control::connect, retryDelay, TimeUnit.MILLISECONDS);
                retryDelay = Math.min(LONGEST_RETRY, 2 * retryDelay);
            }
        }
    }

    /** The path is known: from now on records are taken. */
    private void use(int length, boolean datagrams) {
        seeking = false;
        longest = length;
        if (datagram != null) {
            datagram.longest(length);
        }
        if (datagrams && length < options.number(ApproxOption.DATAGRAM)) {
            LOG.log(Level.INFO, "the path to the gateway carries datagrams of {0} bytes at most", length);
        }
        sender = newSender();
        state = new Up(session, datagrams, polite);
        if (datagrams) {
            sender.carrier(true, now());
        }
    }

    private static long number(Frame frame) {
        return frame instanceof Frame.Opened opened
                ? opened.number()
                : frame instanceof Frame.Closed closed ? closed.number() : 0;
    }

    /** What comes by datagram. */
    private final class DatagramListener implements Datagram.Listener {
        @Override
        public void acknowledged(Ack ack) {
            heardAt = now();
            sender.onAck(ack, heardAt);
            takeWaiting();
            flush();
        }

        @Override
        public void echoed() {
            heardAt = now();
            if (seeking) {
                use(longest, true);
            } else if (state instanceof Up up && !up.datagrams() && datagramsWanted) {
                state = new Up(up.session(), true, up.polite());
                sender.carrier(true, heardAt);
                flush();
            }
        }
    }
}
