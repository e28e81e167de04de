package io.leeway.hindex.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leeway.hindex.internal.plan.TablePlan;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class DefinitionChangeTest {

    private static TableDescriptor table(String definition) {
        return TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("hindex.index.by_n", definition)
                .build();
    }

    @Test
    void anIndexWhoseTableWouldHaveTooLongANameIsRefused() {
        TableDescriptor before = TableDescriptorBuilder.newBuilder(TableName.valueOf("t".repeat(200)))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build();
        for (boolean isNew : new boolean[] {true, false}) {
            TableDescriptor table = TableDescriptorBuilder.newBuilder(before)
                    .setValue("hindex.index." + "i".repeat(60), "columns=f:n:long")
                    .build();
            assertThatThrownBy(() -> {
                        if (isNew) {
                            DefinitionChange.created(table, "");
                        } else {
                            DefinitionChange.changed(before, table, "");
                        }
                    })
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("may have 255; give the index a shorter name");
        }
    }

    /** Scans that it answers take each row to have an entry. */
    @Test
    void strictIsNotSwitchedOnOverValuesThatNobodyLooksAt() {
        TableDescriptor before = table("columns=f:n:long; state=active");

        assertThatThrownBy(() ->
                        DefinitionChange.changed(before, table("columns=f:n:long; strict=true; state=active"), ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hindex disable");
        TableDescriptor disabled = table("columns=f:n:long; strict=true; state=disabled");
        TableDescriptor after = DefinitionChange.changed(before, disabled, "").table();
        assertThat(TablePlan.of(after).named("by_n").definition().isStrict()).isTrue();
        TableDescriptor built = table("columns=f:n:long; strict=true; state=building");
        assertThat(DefinitionChange.changed(after, built, "").restarted()).hasSize(1);
    }
}
