package io.leeway.hindex.internal.upkeep;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.util.Bytes;

/*
 * The handler of a region of an index waits for the answer, while the server that is to give it may have handlers that wait for
 * this one: so the question must not wait for a handler of the same kind. HBase's client gives calls of endpoints no priority
 * (2.6.4), but single gets have one. So this is a get that the observer answers in place of the region, without a look at rows.
 *
 * Clients, whom nobody waits for, call the endpoint: it asks for no right to read the table.
 */
/**
 * How a table is described where its regions were opened, asked by one region server of another.
 *
 * <p>{@link #ask} is called on the server of an index's region, the other two by the observer of the base table.
 * Without state.
 */
public final class DescribedTable {

    private static final String ATTRIBUTE = "hindex.describe";

    /** No family of a table can have this name, so that no row can be taken for an answer. */
    private static final byte[] FAMILY = Bytes.toBytes(".hindex");

    /** That there is no row is all the same. */
    private static final byte[] FIRST_ROW = {0};

    private DescribedTable() {}

    /** As its first region has it; empty if that has no observer. With high priority. */
    public static Optional<TableDescriptor> ask(Connection connection, TableName base) throws IOException {
        Get question = new Get(FIRST_ROW).setPriority(HConstants.HIGH_QOS);
        question.setAttribute(ATTRIBUTE, new byte[] {1});
        try (Table table = connection.getTable(base)) {
            byte[] answer = table.get(question).getValue(FAMILY, FAMILY);
            return answer == null ? Optional.empty() : Optional.of(parse(base, answer));
        }
    }

    /**
     * Whether a get is such a question.
     *
     * <p>Any client may ask: what it would be told is what the endpoint tells.
     */
    public static boolean isAskedBy(Get get) {
        return get.getAttribute(ATTRIBUTE) != null;
    }

    /** The answer to it. */
    public static Cell answer(Get get, TableDescriptor table) {
        return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
                .setRow(get.getRow())
                .setFamily(FAMILY)
                .setQualifier(FAMILY)
                .setTimestamp(0)
                .setType(Cell.Type.Put)
                .setValue(TableDescriptorBuilder.toByteArray(table))
                .build();
    }

    /**
     * From what HBase has written down.
     *
     * <p>HBase's own form, so that nothing of a table is lost on the way.
     */
    static TableDescriptor parse(TableName base, byte[] table) throws IOException {
        try {
            return TableDescriptorBuilder.parseFrom(table);
        } catch (DeserializationException e) {
            throw new IOException(
                    "a region of " + base + " describes its table in a way that this client cannot"
                            + " read; use the same version of HBase for clients and servers",
                    e);
        }
    }
}
