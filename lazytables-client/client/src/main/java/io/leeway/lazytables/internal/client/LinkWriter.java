package io.leeway.lazytables.internal.client;

import io.leeway.lazytables.internal.net.FrameSender;
import io.leeway.lazytables.internal.net.Outbox;
import io.leeway.lazytables.internal.row.RowLog;
import io.leeway.lazytables.internal.row.SpecCodec;
import io.leeway.lazytables.internal.wire.Protocol;
import io.leeway.lazytables.internal.wire.WireBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client process says to servers: who it is, its tables and updates, its questions, its end.
 *
 * <p>In an order that servers rely on: tables before what names them, updates by their numbers, the word that a clock
 * counts behind its updates, and the end behind all. Whatever a connection does not take stays where it is anyway, so
 * that nothing is kept twice and a connection that breaks loses nothing.
 */
final class LinkWriter {

    /*
     * What is said comes from what there is, and not from a queue of messages: the link knows up to which table, update
     * and commit the server was told, and the log, the tables and the asked rows are kept anyway. After a new
     * connection these marks go back to what the server says that it has, and the same code says the rest again.
     * Nothing can be lost between a queue and its source, and nothing be sent that is void by now.
     *
     * Called by the network thread with the process's lock, whenever something has happened; it does little when there
     * is nothing to say, and stops where the connection takes no more.
     */

    private final ClientSettings settings;
    private final List<ServerLink> links;
    private final List<ClientTable> tables;
    private final @Nullable Succession succession;
    private boolean leaving;
    private boolean done;

    LinkWriter(
            ClientSettings settings,
            List<ServerLink> links,
            List<ClientTable> tables,
            @Nullable Succession succession) {
        this.settings = settings;
        this.links = links;
        this.tables = tables;
        this.succession = succession;
    }

    /**
     * From now on says, behind all updates, that the process ends; and whether it is done, so that the others go on
     * without it.
     */
    void leave(boolean isDone) {
        if (!leaving) {
            // The first word counts: a process that has ended does not become one that was not done by being closed.
            leaving = true;
            done = isDone;
        }
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Says who the process is, before anything else. */
    void hello(ServerLink link) {
        WireBuffer out = link.outbox.begin(Protocol.HELLO);
        out.putVar(Protocol.VERSION);
        out.putVar(flags());
        out.putVar(succession == null ? 0 : succession.generation());
        out.putVar(settings.process());
        out.putVar(settings.processes());
        out.putVar(settings.workers());
        // Tells this start of the process from those before it, which have the same number.
        out.putLong(settings.incarnation());
        // With which a server that was started anew knows when it has heard all that there is.
        out.putVar(link.made);
        out.putVar(link.server);
        out.putVar(settings.servers());
        link.outbox.end();
    }

    /**
     * Says what the server does not know yet, at these clocks of the process, as long as the connection has room: the
     * rest stays where it is, updates in the log. Whatever is about updates waits for them.
     */
    void write(ServerLink link, FrameSender sender, int processClock, int committed) {
        if (link.isHeldUp() && !link.send(sender)) {
            return;
        }
        if (link.isWelcome()) {
            // First, so that the end goes with the last updates where there is room.
            makeEnd(link, processClock, committed);
            // All of them, though updates may be held up: they are few, and what follows names them by number.
            writeTables(link);
            writeUpdates(link, sender);
            writeCommit(link, processClock, committed);
            // Behind the updates: an answer then holds what this process did before it asked, and less has to be done
            // again.
            writeReads(link);
            // Behind all that is to be stored.
            askToStore(link);
        } else {
            writeResume(link);
        }
        link.send(sender);
    }

    private int flags() {
        if (succession == null) {
            return 0;
        }
        // Once decided it stays so: it asks nobody again, and tells a server that has lost its place.
        return Protocol.COMMITS | (succession.isDecided() ? 0 : Protocol.ASKS);
    }

    private void writeTables(ServerLink link) {
        for (; link.tablesSent < tables.size(); link.tablesSent++) {
            ClientTable table = tables.get(link.tablesSent);
            WireBuffer out = link.outbox.begin(Protocol.TABLE);
            out.putVar(table.id);
            out.putText(table.name);
            SpecCodec.write(table.spec, out);
            link.outbox.end();
        }
    }

    /** The end comes behind all updates, and when they count. */
    private void makeEnd(ServerLink link, int processClock, int committed) {
        if (leaving && !link.hasEnd() && (succession == null || allCommitted(processClock, committed))) {
            link.end(processClock, done);
        }
    }

    private void writeUpdates(ServerLink link, FrameSender sender) {
        if (link.sent == link.made) {
            return;
        }
        for (UpdatePart part : link.after(link.sent)) {
            if (part.end) {
                link.outbox.begin(part.done ? Protocol.BYE : Protocol.QUIT).putVar(part.sequence);
                link.outbox.end();
            } else {
                writeUpdate(part, link.outbox);
            }
            // Also where the connection does not take it at once: it has it then, and sends it when there is room.
            link.sent = part.sequence;
            // Small clocks share a frame.
            boolean isMuch = !part.last || link.outbox.hasFull();
            if (isMuch && !link.send(sender)) {
                return;
            }
        }
    }

    private static void writeUpdate(UpdatePart part, Outbox outbox) {
        WireBuffer out = outbox.begin(Protocol.UPDATE);
        out.putVar(part.sequence);
        out.putVar(part.clock);
        out.putByte(part.last ? 1 : 0);
        out.putVar(part.tableCount());
        for (int table = 0; table < part.tables.size(); table++) {
            RowLogs logs = part.tables.get(table);
            if (logs != null) {
                out.putVar(table);
                out.putVar(logs.size());
                for (RowLog log : logs) {
                    log.write(out);
                }
            }
        }
        outbox.end();
    }

    private void writeCommit(ServerLink link, int processClock, int committed) {
        if (succession == null) {
            return;
        }
        // Never ahead of what is sent: the word must come behind what it is about.
        int clock = Math.min(links.size() == 1 ? processClock : committed, clockSent(link, processClock));
        // A single server has a clock whole when its last part is on its way; of several none may apply what another
        // lacks.
        if (clock > link.commitSent) {
            link.outbox.begin(Protocol.COMMIT).putVar(clock);
            link.outbox.end();
            // Once for a connection; over another one it is said again, as the server may not have heard it.
            link.commitSent = clock;
        }
    }

    /** The last clock of which all is on its way. */
    private static int clockSent(ServerLink link, int processClock) {
        if (link.sent == link.made) {
            return processClock;
        }
        UpdatePart next = link.after(link.sent).get(0);
        return next.end ? next.clock : next.clock - 1;
    }

    /** A single server has the whole clock when it has its last part. */
    private boolean allCommitted(int processClock, int committed) {
        return links.size() == 1 || committed == processClock;
    }

    private void writeReads(ServerLink link) {
        // First, so that what is asked for again is sent again.
        for (ServerLink.Forgotten row : link.toForget) {
            WireBuffer out = link.outbox.begin(Protocol.FORGET);
            out.putVar(row.table().id);
            out.putVar(row.key());
            link.outbox.end();
        }
        link.toForget.clear();
        for (ServerLink.Question question : link.toAsk) {
            ProcessRow row = question.row();
            if (!row.isAsked(question.required())) {
                // The answer to another question had it, or nobody will read it any more.
                continue;
            }
            int subscribes = settings.subscribes(row.table.spec) ? 1 : 0;
            link.rows
                    .row(Protocol.READ, row.table.id, question.required(), subscribes, row.key)
                    .putVar(link.versionOf(row));
            link.rows.end();
        }
        // What they ask for stays with the rows until it is answered: after a new connection it is asked again from
        // there.
        link.toAsk.clear();
        link.balls.write(link.outbox);
    }

    /**
     * The limit is one for all servers: when half of it is reached, those are asked that have more than their share of
     * the half. So at the limit at least one is, and when all that were asked have stored it, no more than the half is
     * left. A server stores what it has when it is asked, so it is asked behind all updates.
     */
    private void askToStore(ServerLink link) {
        if (link.sent == link.made
                && !link.waitsForSnapshot()
                && link.keptBytes > settings.keptLimit() / 2 / links.size()
                && isHalfOfTheLimitKept()) {
            link.askedToStore();
            link.outbox.begin(Protocol.STORE);
            link.outbox.end();
        }
    }

    private boolean isHalfOfTheLimitKept() {
        long bytes = 0;
        for (ServerLink each : links) {
            bytes += each.keptBytes;
        }
        return bytes > settings.keptLimit() / 2;
    }

    /**
     * Says that nobody can go on where this process was, so that others do not wait for it in vain. Over each
     * connection until all servers know: one that hears nothing has the others wait for a successor who cannot come.
     */
    void forsake(ServerLink link, FrameSender sender) {
        if (link.forsake()) {
            link.outbox.begin(Protocol.FORSAKE);
            link.outbox.end();
        }
        link.send(sender);
    }

    /** Says where this process goes on, when all servers have said what they have of it. */
    private void writeResume(ServerLink link) {
        if (succession != null && succession.isDecided() && link.waitsForPlace()) {
            // Once for a connection. A server that is lost in between asks again, and is told the same.
            link.told();
            WireBuffer out = link.outbox.begin(Protocol.RESUME);
            out.putVar(succession.generation());
            out.putVar(succession.clock());
            out.putVar(succession.skips() ? 1 : 0);
            out.putVar(succession.leg());
            // A run that no server knows of yet is named after its process 0, as where nobody resumes.
            out.putLong(succession.run() == 0 && settings.process() == 0 ? settings.incarnation() : succession.run());
            link.outbox.end();
        }
    }
}
