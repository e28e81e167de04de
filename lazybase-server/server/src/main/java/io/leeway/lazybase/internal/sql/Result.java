package io.leeway.lazybase.internal.sql;

import io.leeway.lazybase.internal.model.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a statement gives. */
public sealed interface Result {

    /** Nothing but its command tag. */
    record Done(String tag) implements Result {}

    /** Rows, which are read as they are taken; to be closed. */
    interface Rows extends AutoCloseable {

        /** The columns. */
        List<Column> columns();

        /** The next row as Calcite has it, or null at the end. */
        @Nullable
        Object @Nullable [] next();

        /** What there is to say of the answer before the first row: names and values. */
        List<String[]> answer();

        /** The command's word in the tag. */
        String word();

        @Override
        void close();
    }

    /** Rows. */
    record Query(Rows rows) implements Result {}

    /** Rows come from the client. */
    record CopyIn(CopyInput input) implements Result {}

    /** Rows go to the client in a format of COPY. */
    record CopyOut(Rows rows, Statement.CopyFormat format) implements Result {}
}
