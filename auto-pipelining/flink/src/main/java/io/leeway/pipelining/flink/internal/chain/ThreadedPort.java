package io.leeway.pipelining.flink.internal.chain;

import io.leeway.pipelining.internal.profile.ExecutionStack;
import io.leeway.pipelining.internal.queue.Overflow;
import io.leeway.pipelining.internal.queue.Room;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.runtime.execution.CancelTaskException;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ExceptionInChainedOperatorException;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.function.ThrowingConsumer;
import org.jctools.queues.atomic.SpscAtomicArrayQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** A bounded queue and a thread between two chained operators. Stands in both fields of a chained output. */
final class ThreadedPort implements ThrowingConsumer<StreamRecord<Object>, Exception>, Input<Object> {

    /*
     * One producer: the thread that runs what is before the port; one consumer: the port's own. An element leaves the queue
     * after it was processed, so that an empty queue means that all is done, with everything that the consumer wrote visible to
     * the one who saw it empty.
     *
     * In an exclusive section (Exclusive in TaskChain) all queues are empty and stay so: what is emitted goes straight through,
     * in the task's thread.
     *
     * Waiting: both sides park. The producer does not fence after it has added an element; a wake-up that is lost that way is
     * found after LOST_WAKE_UP. A producer whose operator has a lock that the port's thread waits for cannot wait: it puts its
     * element beyond the limit.
     */

    private static final int SPINS = 50;
    private static final long LOST_WAKE_UP = TimeUnit.MILLISECONDS.toNanos(1);

    private final TaskChain chain;
    private final @Nullable TypeSerializer<Object> copier;
    private final SpscAtomicArrayQueue<Object> queue;
    private final Overflow overflow = new Overflow();
    private final int half;
    private final ExecutionStack stack = new ExecutionStack();
    private final Thread thread;
    private final Room room;
    /** What the task's log lines carry. */
    private final @Nullable Map<String, String> diagnostics;

    /** Written by the task's thread when all is drained, read by the port's for the next element. */
    private volatile PortTarget target;

    private volatile ExecutionStack upstream;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Thread waitingForRoom;
    private volatile @Nullable Thread waitingForEnd;
    private volatile boolean asleep;
    private volatile boolean closing;

    /**
     * A port whose thread runs already.
     *
     * @param copier what copies records that the producer goes on using; null if it does not
     */
    ThreadedPort(
            TaskChain chain,
            String name,
            PortTarget target,
            @Nullable TypeSerializer<Object> copier,
            int capacity,
            ExecutionStack upstream) {
        this.chain = chain;
        this.target = target;
        this.copier = copier;
        this.queue = new SpscAtomicArrayQueue<>(capacity);
        this.half = Math.max(1, queue.capacity() / 2);
        this.upstream = upstream;
        this.thread = new Thread(this::run, name);
        this.room = new Room(thread);
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        this.diagnostics = MDC.getCopyOfContextMap();
    }

    void start() {
        thread.start();
    }

    ExecutionStack stack() {
        return stack;
    }

    Thread thread() {
        return thread;
    }

    int waiting() {
        return queue.size() + overflow.size();
    }

    /** In this order: what leaves the overflow is in the queue by then. */
    private boolean isEmpty() {
        return !overflow.isUsed() && queue.isEmpty();
    }

    void wire(PortTarget now, ExecutionStack producer) {
        target = now;
        upstream = producer;
    }

    // What a chained output calls, in the producer's thread.

    @Override
    public void accept(StreamRecord<Object> record) throws Exception {
        if (chain.isExclusive()) {
            target.records().accept(record);
        } else {
            put(copier == null ? record : record.copy(copier.copy(record.getValue())));
        }
    }

    @Override
    public void processElement(StreamRecord<Object> element) throws Exception {
        accept(element);
    }

    @Override
    public void setKeyContextElement(StreamRecord<Object> record) throws Exception {
        // The record processor does it, in the thread that processes the record.
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        pass(mark);
    }

    @Override
    public void processWatermarkStatus(WatermarkStatus status) throws Exception {
        pass(status);
    }

    @Override
    public void processLatencyMarker(LatencyMarker marker) throws Exception {
        pass(marker);
    }

    @Override
    public void processRecordAttributes(RecordAttributes attributes) throws Exception {
        pass(attributes);
    }

    @Override
    public void processWatermark(WatermarkEvent event) throws Exception {
        pass(event);
    }

    private void pass(Object element) throws Exception {
        if (chain.isExclusive()) {
            target.take(element);
        } else {
            put(element);
        }
    }

    private void put(Object element) throws InterruptedException {
        throwFailure();
        if (overflow.isUsed() || !queue.offer(element)) {
            waitForRoom(element);
        }
        if (asleep) {
            LockSupport.unpark(thread);
        }
    }

    private void waitForRoom(Object element) throws InterruptedException {
        waitingForRoom = Thread.currentThread();
        upstream.waiting(true);
        try {
            while (!offerIfRoomy(element) && !overflowIfStuck(element)) {
                room.park(LOST_WAKE_UP);
                throwIfOver();
            }
        } finally {
            upstream.waiting(false);
            waitingForRoom = null;
        }
    }

    /** Half of it must be free: else the two threads take turns at every element. */
    private boolean offerIfRoomy(Object element) {
        return !overflow.isUsed() && queue.size() <= half && queue.offer(element);
    }

    private boolean overflowIfStuck(Object element) {
        boolean stuck = room.waitsForCaller();
        if (stuck) {
            overflow.add(element);
        }
        return stuck;
    }

    /** Waits until everything in the queue is processed. Called by the task's thread, upstream ports first. */
    void drain() throws InterruptedException {
        throwFailure();
        waitingForEnd = Thread.currentThread();
        try {
            while (!isEmpty()) {
                LockSupport.unpark(thread);
                LockSupport.parkNanos(LOST_WAKE_UP);
                throwIfOver();
            }
        } finally {
            waitingForEnd = null;
        }
        throwFailure();
    }

    /** Ends the thread of a drained port. */
    void close() throws InterruptedException {
        closing = true;
        LockSupport.unpark(thread);
        thread.join();
    }

    /** Ends the thread, whatever it does: the task is over. */
    void abandon() {
        closing = true;
        thread.interrupt();
    }

    private void throwIfOver() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        throwFailure();
        if (closing) {
            throw new CancelTaskException("The thread behind the port was ended.");
        }
    }

    private void throwFailure() {
        Throwable cause = failure;
        if (cause instanceof ExceptionInChainedOperatorException chained) {
            throw new ExceptionInChainedOperatorException(chained.getCause());
        }
        if (cause != null) {
            throw new ExceptionInChainedOperatorException(cause);
        }
    }

    // The port's own thread.

    private void run() {
        if (diagnostics != null) {
            MDC.setContextMap(diagnostics);
        }
        try {
            Object element = next();
            while (element != null) {
                target.take(element);
                queue.poll();
                wakeProducer();
                element = next();
            }
        } catch (Throwable e) {
            failure = e;
            chain.failed(e, closing);
        } finally {
            LockSupport.unpark(waitingForRoom);
            LockSupport.unpark(waitingForEnd);
        }
    }

    private void wakeProducer() {
        Thread producer = waitingForRoom;
        if (producer != null && waiting() <= half) {
            LockSupport.unpark(producer);
        }
        Thread drainer = waitingForEnd;
        if (drainer != null && isEmpty()) {
            LockSupport.unpark(drainer);
        }
    }

    /** The next element, which stays in the queue; null to end. */
    private @Nullable Object next() {
        Object element = first();
        if (element != null && !closing) {
            return element;
        }
        stack.waiting(true);
        int spins = 0;
        boolean interrupted = false;
        while ((element = first()) == null && !closing) {
            if (spins++ < SPINS) {
                Thread.onSpinWait();
            } else {
                asleep = true;
                if (isEmpty() && !closing) {
                    LockSupport.parkNanos(LOST_WAKE_UP);
                    // It is for the operators, and would let no wait last here.
                    interrupted |= Thread.interrupted();
                }
                asleep = false;
            }
        }
        stack.waiting(false);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return closing ? null : element;
    }

    private @Nullable Object first() {
        Object element = queue.peek();
        if (element == null && overflow.isUsed()) {
            overflow.moveTo(queue);
            element = queue.peek();
        }
        return element;
    }
}
