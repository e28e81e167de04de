package io.leeway.lazytables.internal.wire;

/**
 * The kinds of messages and their bodies. Numbers are of variable length where nothing else is said.
 *
 * <pre>
 * client to server
 *   HELLO    version, flags (1: its clocks count when it commits them, 2: it asks where to go on), generation, process, processes, workers, incarnation (8 bytes), sequence of the last
 *            update made, the server's place, servers
 *   TABLE    id, name, type, columns, sparse, rows, operation, slack, strict, longest step (8 bytes)
 *   READ     table, required clock, whether rows are to be sent from now on when they change (0 or 1), then up to the end of the message for each row: its difference to the one before it,
 *            version that the client has plus 1, or 0
 *   UPDATE   sequence, clock, last part of the clock (0 or 1), number of tables, then for each: table, number of rows, rows
 *   BYE      sequence
 *   RESUME   generation, clock, whether clocks may be skipped (0 or 1), leg of the run, identity of the run (8 bytes); the answer to PLACE
 *   COMMIT   clock that all servers have; only of a process with the flag 1
 *   STORE    (nothing); asks for a snapshot
 *   FORGET   table, row that is not to be sent any more
 *   WITHIN   table, row, clock, how many clocks of others' workers up to it may be missing
 *   QUIT     sequence; like BYE, of a process that closes before it is done
 *   FORSAKE  (nothing); a part of what the process did is gone with a server, so that nobody can go on where it was
 *   STATUS   version; also as the first message, of somebody who is no client process
 * server to client
 *   PLACE    generation of the process before, clock of which all updates have come, clock of which updates were applied, 1 if it was not counted, 2 if it began where it had skipped clocks and did nothing since, else 0, leg of the run in which it begins, identity of the run (8 bytes) or 0
 *   WELCOME  version, global clock, applied sequence, sequence of the last update that came
 *   ROW      table, data clock, applied sequence, then up to the end of the message for each row: its difference to the one before it, version plus 1 or 0,
 *            the version behind which columns follow plus 1 and these columns' values, or 0 and all values
 *   PUSH     like ROW, for rows that have changed, without a question
 *   BALL     table, row, clock, clocks of others' workers up to it that are missing, number of these workers, data clock, applied sequence, values
 *   CLOCKS   global clock, the process that holds it back, applied sequence, durable sequence, whether that process comes (0, or why not: 1 it closed before it was done, 2 nobody can go on where it was)
 *            (rows that are to be sent when they change were sent before it)
 *   STAGED   clock of which all updates have come
 *   REFUSED  number of the error, text
 *   IS       version, then what the server knows, for people: processes that are expected, global clock, the process that holds it back, recovering (0 or 1),
 *            pending reads, messages in and out, bytes in and out, number of processes, for each: process, state (0 connected, 1 away, 2 ended, 3 dropped, 4 closed before it was done, 5 lost),
 *            workers, clock, applied sequence; number of tables, for each: name, kind as a text, rows, writes that are put off
 * </pre>
 */
public final class Protocol {

    public static final int VERSION = 3;

    /** In HELLO: clocks count when the process commits them; it asks where to go on. */
    public static final int COMMITS = 1;

    public static final int ASKS = 2;

    public static final int HELLO = 1;
    public static final int TABLE = 2;
    public static final int READ = 3;
    public static final int UPDATE = 4;
    public static final int BYE = 5;
    public static final int RESUME = 6;
    public static final int COMMIT = 7;
    public static final int STORE = 8;
    public static final int WITHIN = 9;
    public static final int FORGET = 10;
    public static final int STATUS = 11;
    public static final int QUIT = 12;
    public static final int FORSAKE = 13;

    public static final int WELCOME = 16;
    public static final int ROW = 17;
    public static final int CLOCKS = 18;
    public static final int REFUSED = 19;
    public static final int PLACE = 20;
    public static final int STAGED = 21;
    public static final int BALL = 22;
    public static final int PUSH = 23;
    public static final int IS = 24;

    /** Of PLACE: the server had gone on without the process. */
    public static final int JOINED = 1;
    /** Of PLACE: the process had begun where others had gone on without the one before it. */
    public static final int SKIPPED = 2;

    /**
     * Of CLOCKS: the process that holds the others back is there or may come; it closed before it was done, and nobody
     * takes its place; nobody can go on where it was.
     */
    public static final int COMES = 0;

    public static final int UNFINISHED = 1;
    public static final int GONE = 2;

    public static final int MAX_PROCESSES = 1 << 16;
    public static final int MAX_SERVERS = 1 << 10;
    public static final int MAX_WORKERS = 1 << 12;
    public static final int MAX_TABLES = 1 << 12;
    public static final int MAX_NAME = 1 << 10;
    public static final int MAX_TEXT = 1 << 12;

    private Protocol() {}
}
