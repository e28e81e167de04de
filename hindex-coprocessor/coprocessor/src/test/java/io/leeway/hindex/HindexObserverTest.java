package io.leeway.hindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;

class HindexObserverTest {

    private static final byte[] NAME = "n".getBytes(StandardCharsets.UTF_8);

    /** HBase hangs on the result what else the client asked for, as metrics; its own default makes another result. */
    @Test
    void theResultOfCheckAndMutateIsLeftAsItIs() {
        CheckAndMutateResult result = new CheckAndMutateResult(true, null);
        CheckAndMutate.Builder check = CheckAndMutate.newBuilder(NAME).ifEquals(NAME, NAME, NAME);

        HindexObserver observer = new HindexObserver();

        assertThat(observer.postCheckAndMutate(null, check.build(new Put(NAME).addColumn(NAME, NAME, NAME)), result))
                .isSameAs(result);
        assertThat(observer.postCheckAndMutate(null, check.build(new Delete(NAME)), result))
                .isSameAs(result);
    }
}
