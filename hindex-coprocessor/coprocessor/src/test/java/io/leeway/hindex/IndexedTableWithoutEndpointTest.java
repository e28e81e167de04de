package io.leeway.hindex;

/** The same where the index table has no endpoint: clients do the work. */
class IndexedTableWithoutEndpointTest extends IndexedTableTest {

    @Override
    boolean endpoint() {
        return false;
    }
}
