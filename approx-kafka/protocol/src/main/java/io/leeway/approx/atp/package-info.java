/**
 * ATP, a transport for messages of which a bounded part may be lost: the protocol as classes without sockets, threads
 * or clocks, so that a product and a simulator run the same code.
 *
 * <p>A <em>job</em> is what accuracy is promised for (a batch, a window of a stream); its <em>groups</em> each have a
 * minimal sampling rate (MSR); a <em>message</em> is delivered or lost as a whole, in one or more packets. Of each group
 * at least {@code ceil(MSR * N)} messages arrive complete; with MSR 1 all of them, in order. Below that, the sender is
 * free to overload the network, in priority queues that keep it out of the way of others.
 *
 * <h2>How a simulator or a product drives it</h2>
 *
 * <p>One {@link io.leeway.approx.atp.AtpSender} and one {@link io.leeway.approx.atp.AtpReceiver} are the two ends of one
 * flow. Both are single-threaded: whoever drives them calls one method at a time. Times are nanoseconds of one clock
 * that never goes back; only differences count, and the two ends need not agree.
 *
 * <ol>
 *   <li>Make the sender with an {@link io.leeway.approx.atp.AtpConfig} and an {@link io.leeway.approx.atp.AtpSender.Output},
 *       and the receiver with its {@link io.leeway.approx.atp.AtpReceiver.Output}.
 *   <li>{@code sender.open(job)}, then {@code sender.offer(job, group, size, message, now)} for each message;
 *       {@code sender.end(job, now)} when no more come.
 *   <li>{@code output.transmit(packet, queue)}: put {@code packet.wireBytes()} bytes into the network in priority queue
 *       {@code queue} (1 is the highest that ATP uses, 0 is for other traffic and for acknowledgements). When the packet
 *       comes out at the other end, call {@code receiver.onPacket(packet, now)}. Losing, doubling or reordering it is fine.
 *   <li>{@code receiverOutput.ack(ack)}: carry {@link io.leeway.approx.atp.Ack#WIRE_BYTES} bytes back in queue 0 and call
 *       {@code sender.onAck(ack, now)}. These too may get lost.
 *   <li>{@code output.control(message)}: carry it reliably and in order (TCP, or a delay of one way), then
 *       {@code receiver.onControl(message, now)}.
 *   <li>{@code output.wakeAt(time)}: schedule one call {@code sender.onTimer(time)}. Each call of {@code wakeAt} replaces
 *       the one before; {@code Long.MAX_VALUE} means that there is nothing to wait for. A timer that comes late or more
 *       often than asked does no harm. The same holds for the receiver.
 *   <li>{@code receiverOutput.deliver(...)}: a message is complete. Call {@code receiver.consumed(length, now)} when the
 *       application is done with it, at once or later: until then it takes room, and the credit shrinks.
 *   <li>{@code output.finished(report)} at the sender is the job's completion; {@code closed(report)} at the receiver has
 *       what was delivered, what is missing, and how far the sample is off in sizes.
 * </ol>
 *
 * <p>The type parameter is whatever a message is to the driver: a buffer, a record, or {@code Void} with {@code null}
 * in a simulator that counts bytes only. The variants of the paper are switches of {@code AtpConfig}:
 * {@code fixedTarget} (ATP_FixTLR), {@code fixedPriority} (ATP_FixPrio), {@code minimalRemainingFirst(false)} (without
 * MRDF), {@code rateLaw(NONE)} (ATP_Base: raw UDP with resending), and {@code selection(ANY)} for the paper's own choice
 * of messages.
 */
@NullMarked
package io.leeway.approx.atp;

import org.jspecify.annotations.NullMarked;
