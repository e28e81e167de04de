package io.leeway.pipelining.flink.internal.chain;

import org.apache.flink.runtime.event.WatermarkEvent;
import org.apache.flink.streaming.api.operators.Input;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.function.ThrowingConsumer;

/** What a chained output calls when there is no port: the two fields as Flink wrote them. */
record PortTarget(ThrowingConsumer<StreamRecord<Object>, Exception> records, Input<Object> input) {

    /** Gives one element to the operator. */
    void take(Object element) throws Exception {
        if (element instanceof StreamRecord) {
            @SuppressWarnings("unchecked") // the type of what is chained was erased by Flink
            var record = (StreamRecord<Object>) element;
            records.accept(record);
        } else if (element instanceof Watermark watermark) {
            input.processWatermark(watermark);
        } else if (element instanceof WatermarkStatus status) {
            input.processWatermarkStatus(status);
        } else if (element instanceof LatencyMarker marker) {
            input.processLatencyMarker(marker);
        } else if (element instanceof RecordAttributes attributes) {
            input.processRecordAttributes(attributes);
        } else {
            input.processWatermark((WatermarkEvent) element);
        }
    }

    /** The same, seen by the profile while records are in it. */
    PortTarget profiled(io.leeway.pipelining.internal.profile.ExecutionStack stack, int operator) {
        return new PortTarget(RecordTap.profiled(records, stack, operator), input);
    }
}
