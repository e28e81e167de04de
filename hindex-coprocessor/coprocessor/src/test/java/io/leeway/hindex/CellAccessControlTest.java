package io.leeway.hindex;

/** The same where single cells may have rights of their own: HBase shows less to who has fewer rights, and refuses nothing. */
class CellAccessControlTest extends AccessControlTest {

    @Override
    boolean isRefusedEarly() {
        return false;
    }
}
