/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.docajava.core.internal.memory.Grants;
import io.docajava.core.internal.memory.Rights;
import io.docajava.ffi.generated.common.DocaCommon;
import org.junit.jupiter.api.Test;

class AccessTest {

    @Test
    void hasTheNumbersOfTheSdk() {
        assertThat(Access.LOCAL_READ_ONLY.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_LOCAL_READ_ONLY());
        assertThat(Access.LOCAL_READ_WRITE.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_LOCAL_READ_WRITE());
        assertThat(Access.RDMA_READ.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_RDMA_READ());
        assertThat(Access.RDMA_WRITE.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_RDMA_WRITE());
        assertThat(Access.RDMA_ATOMIC.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_RDMA_ATOMIC());
        assertThat(Access.PCI_READ_ONLY.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_PCI_READ_ONLY());
        assertThat(Access.PCI_READ_WRITE.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_PCI_READ_WRITE());
        assertThat(Access.PCI_RELAXED_ORDERING.flags()).isEqualTo(DocaCommon.DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING());
    }

    @Test
    void combines() {
        Access access = Access.LOCAL_READ_WRITE.plus(Access.PCI_READ_ONLY);

        assertThat(access.flags()).isEqualTo(17);
        assertThat(access).hasToString("LOCAL_READ_WRITE|PCI_READ_ONLY");
        assertThat(access.includes(Access.PCI_READ_ONLY)).isTrue();
        assertThat(access.includes(Access.LOCAL_READ_ONLY)).isTrue();
        assertThat(access.includes(Access.PCI_READ_ONLY.plus(Access.RDMA_READ))).isFalse();
        assertThat(Access.LOCAL_READ_ONLY).hasToString("LOCAL_READ_ONLY");
        assertThat(Access.LOCAL_READ_ONLY.plus(access)).isEqualTo(access).hasSameHashCodeAs(access);
        assertThat(access).isNotEqualTo(Access.LOCAL_READ_WRITE);
    }

    @Test
    void refusesWhatExcludesEachOther() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.PCI_READ_ONLY.plus(Access.RDMA_READ).plus(Access.PCI_READ_WRITE))
                .withMessage("PCI_READ_ONLY and PCI_READ_WRITE exclude each other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.PCI_RELAXED_ORDERING.plus(Access.PCI_READ_WRITE))
                .withMessage("PCI_READ_WRITE and PCI_RELAXED_ORDERING exclude each other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.PCI_READ_ONLY.plus(Access.PCI_RELAXED_ORDERING))
                .withMessage("PCI_READ_ONLY and PCI_RELAXED_ORDERING exclude each other");
    }

    @Test
    void isReadFromTheNumbersOfTheSdk() {
        assertThat(Access.ofFlags(0)).isEqualTo(Access.LOCAL_READ_ONLY);
        assertThat(Access.ofFlags(33)).isEqualTo(Access.LOCAL_READ_WRITE.plus(Access.PCI_READ_WRITE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.ofFlags(0x181))
                .withMessage("There is no access 0x180");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Access.ofFlags(48))
                .withMessage("PCI_READ_ONLY and PCI_READ_WRITE exclude each other");
    }

    @Test
    void knowsWhatOthersMayDo() {
        assertThat(Rights.arePciExportable(Access.PCI_READ_ONLY)).isTrue();
        assertThat(Rights.arePciExportable(Access.PCI_READ_WRITE.plus(Access.RDMA_READ)))
                .isTrue();
        assertThat(Rights.arePciExportable(Access.PCI_RELAXED_ORDERING)).isFalse();
        assertThat(Access.LOCAL_READ_WRITE.isRemote()).isFalse();
        assertThat(Access.RDMA_ATOMIC.isRemote()).isTrue();
        assertThat(Rights.areRdmaExportable(Access.PCI_READ_WRITE)).isFalse();
        assertThat(Rights.areRdmaExportable(Access.RDMA_ATOMIC.plus(Access.PCI_READ_WRITE)))
                .isTrue();
        assertThat(Rights.missingForLocalWrites(Access.PCI_READ_WRITE)).isNull();
        assertThat(Rights.missingForLocalWrites(Access.PCI_READ_ONLY)).isEqualTo("LOCAL_READ_WRITE");
    }

    @Test
    void isDividedByTheWayOfTheOthers() {
        Access access = Access.LOCAL_READ_WRITE
                .plus(Access.PCI_READ_ONLY)
                .plus(Access.RDMA_READ)
                .plus(Access.RDMA_ATOMIC);

        assertThat(Rights.overPci(access)).isEqualTo(Access.LOCAL_READ_WRITE.plus(Access.PCI_READ_ONLY));
        assertThat(Rights.overRdma(access)).isEqualTo(Access.RDMA_READ.plus(Access.RDMA_ATOMIC));
        assertThat(Rights.grants(Rights.overPci(access)))
                .isEqualTo(new Grants(null, "PCI_READ_WRITE", "RDMA_READ", "RDMA_WRITE", "RDMA_ATOMIC"));
        assertThat(Rights.grants(Rights.overRdma(access)))
                .isEqualTo(new Grants("PCI_READ_ONLY", "PCI_READ_WRITE", null, "RDMA_WRITE", null));
        assertThat(Rights.grants(Rights.ANY_EXPORT)).isEqualTo(new Grants(null, null, null, null, null));
    }
}
