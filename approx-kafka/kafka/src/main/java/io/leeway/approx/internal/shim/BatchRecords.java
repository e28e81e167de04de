package io.leeway.approx.internal.shim;

import io.leeway.approx.internal.wire.RecordData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Batches of records as producers send them. */
final class BatchRecords {

    private static final int CRC = 17;
    private static final int ATTRIBUTES = 21;
    private static final int PRODUCER_ID = 43;
    private static final int PRODUCER_EPOCH = 51;
    private static final int BASE_SEQUENCE = 53;

    private BatchRecords() {}

    /** Whether the batches can be sampled: of the present format, no part of a transaction, and not damaged. */
    static boolean canBeSampled(MemoryRecords records) {
        try {
            for (MutableRecordBatch batch : records.batches()) {
                if (batch.magic() != RecordBatch.MAGIC_VALUE_V2 || batch.isTransactional() || batch.isControlBatch()) {
                    return false;
                }
                batch.ensureValid();
            }
            return true;
        } catch (KafkaException e) {
            return false;
        }
    }

    /** Which of its producer's batches it is; a request has one a partition, in the present format. */
    static TakenBatches.Batch batch(String topic, int partition, MemoryRecords records) {
        Iterator<MutableRecordBatch> batches = records.batches().iterator();
        if (!batches.hasNext()) {
            return new TakenBatches.Batch(
                    RecordBatch.NO_PRODUCER_ID,
                    RecordBatch.NO_PRODUCER_EPOCH,
                    topic,
                    partition,
                    RecordBatch.NO_SEQUENCE);
        }
        MutableRecordBatch first = batches.next();
        return new TakenBatches.Batch(
                first.producerId(), first.producerEpoch(), topic, partition, first.baseSequence());
    }

    /** The records, decompressed; empty if they cannot be read, which is the broker's to tell. */
    static Optional<List<RecordData>> read(String topic, int partition, MemoryRecords records) {
        try {
            return Optional.of(decompressed(topic, partition, records));
        } catch (RuntimeException | LinkageError e) {
            // A codec that nobody knows, or whose native code is not there; records that do not fill their batch.
            return Optional.empty();
        }
    }

    private static List<RecordData> decompressed(String topic, int partition, MemoryRecords records) {
        List<RecordData> read = new ArrayList<>();
        for (Record record : records.records()) {
            List<RecordData.Header> headers = new ArrayList<>();
            for (Header header : record.headers()) {
                headers.add(new RecordData.Header(header.key(), header.value()));
            }
            read.add(new RecordData(
                    topic, partition, record.timestamp(), bytes(record.key()), bytes(record.value()), headers));
        }
        return read;
    }

    private static byte @org.jspecify.annotations.Nullable [] bytes(
            @org.jspecify.annotations.Nullable ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /**
     * Takes the producer's number and sequence out of batches that travel as exact ones though others of their topic did
     * not: the broker would take the gap in the sequence for a loss, and refuse them.
     */
    static void withoutSequence(MemoryRecords records) {
        ByteBuffer buffer = records.buffer();
        int at = buffer.position();
        for (MutableRecordBatch batch : records.batches()) {
            buffer.putLong(at + PRODUCER_ID, RecordBatch.NO_PRODUCER_ID);
            buffer.putShort(at + PRODUCER_EPOCH, RecordBatch.NO_PRODUCER_EPOCH);
            buffer.putInt(at + BASE_SEQUENCE, RecordBatch.NO_SEQUENCE);
            CRC32C crc = new CRC32C();
            ByteBuffer covered = buffer.duplicate();
            covered.limit(at + batch.sizeInBytes()).position(at + ATTRIBUTES);
            crc.update(covered);
            buffer.putInt(at + CRC, (int) crc.getValue());
            at += batch.sizeInBytes();
        }
    }
}
