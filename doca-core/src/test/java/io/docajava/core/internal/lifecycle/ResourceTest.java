/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.testing.ChildJvm;
import io.docajava.core.testing.OpenHandles;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(OpenHandles.class)
class ResourceTest {

    private final Object owner = new Object();

    @Test
    void closesOnce() {
        Resource resource = Resource.open(owner, "Thing");
        List<Resource.State> states = new ArrayList<>();
        assertThat(resource.state()).isEqualTo(Resource.State.OPEN);
        assertThat(Resource.allOpen()).contains(resource);

        resource.close(() -> states.add(resource.state()));
        resource.close(() -> states.add(resource.state()));

        assertThat(states).containsExactly(Resource.State.CLOSING);
        assertThat(resource.state()).isEqualTo(Resource.State.CLOSED);
        assertThat(resource.beginClose()).isFalse();
        assertThat(Resource.allOpen()).doesNotContain(resource);
    }

    @Test
    void refusesUseFromTheBeginningOfItsEnd() {
        Resource resource = Resource.open(owner, "Thing");
        resource.checkOpen();

        resource.close(() -> assertThatIllegalStateException()
                .isThrownBy(resource::checkOpen)
                .withMessage("Thing is being closed"));

        assertThatIllegalStateException().isThrownBy(resource::checkOpen).withMessage("Thing is closed");
    }

    @Test
    void staysOpenWhenItCannotBeDestroyed() {
        Resource resource = Resource.open(owner, "Thing");
        AssertionError failure = new AssertionError("no");

        assertThatThrownBy(() -> resource.close(() -> {
                    throw failure;
                }))
                .isSameAs(failure);

        resource.checkOpen();
        Resource child = Resource.open(owner, "Child", resource);
        child.close(() -> {});
        resource.close(() -> {});
        assertThat(resource.state()).isEqualTo(Resource.State.CLOSED);
    }

    @Test
    void doesNotOpenAgainOnceItIsClosed() {
        Resource resource = Resource.open(owner, "Thing");
        resource.close(() -> {});

        resource.cancelClose();

        assertThat(resource.state()).isEqualTo(Resource.State.CLOSED);
    }

    @Test
    void waitsForItsChildrenAndNamesThem() {
        Resource parent = Resource.open(owner, "Parent");
        Resource first = Resource.open(owner, "First", parent);
        Resource second = Resource.open(owner, "Second", parent);

        assertThatIllegalStateException()
                .isThrownBy(parent::beginClose)
                .withMessage("Parent cannot be closed while in use by: First, Second");
        assertThat(parent.state()).isEqualTo(Resource.State.OPEN);

        first.close(() -> assertThatIllegalStateException()
                .isThrownBy(parent::beginClose)
                .withMessage("Parent cannot be closed while in use by: First, Second"));
        assertThatIllegalStateException()
                .isThrownBy(parent::beginClose)
                .withMessage("Parent cannot be closed while in use by: Second");
        second.close(() -> {});
        parent.close(() -> {});
    }

    @Test
    void leavesItsParentsWhenMemoryIsShort() throws Exception {
        assertThat(new ChildJvm()
                        .option("-Xmx16m")
                        .option("-XX:+UseSerialGC")
                        .option("-XX:-UseTLAB")
                        .option("-Ddoca.leak=off")
                        .run(FullHeap.class))
                .containsExactly("no memory at first: true", "opened at last: true", "open: []");
    }

    /** Opens a child while each of its allocations fails in turn. */
    static final class FullHeap {

        /** The length of the largest block that fills the heap. */
        private static final int LARGEST = 64 * 1024;

        private static Object[] blocks = new Object[1];

        public static void main(String[] arguments) {
            Object owner = new Object();
            Resource first = Resource.open(owner, "First parent");
            Resource second = Resource.open(owner, "Second parent");
            Resource child = Resource.open(owner, "Child", first, second);
            child.discard();
            fill(LARGEST);
            for (int i = 0; i < 12; i++) {
                blocks = (Object[]) blocks[0];
            }
            fill(1);
            int refusals = 0;
            @Nullable Resource opened = null;
            while (opened == null) {
                try {
                    opened = Resource.open(owner, "Child", first, second);
                } catch (OutOfMemoryError e) {
                    refusals++;
                    // Frees a little more each time.
                    blocks = (Object[]) blocks[0];
                }
            }
            blocks = new Object[1];
            opened.close(() -> {});
            second.close(() -> {});
            first.close(() -> {});
            System.out.println("no memory at first: " + (refusals > 10));
            System.out.println("opened at last: " + (opened.state() == Resource.State.CLOSED));
            System.out.println("open: " + Resource.allOpen());
        }

        /** Fills the heap with blocks of a size, and then with smaller ones. */
        private static void fill(int largest) {
            for (int size = largest; size > 0; size /= 2) {
                try {
                    while (true) {
                        Object[] block = new Object[size];
                        block[0] = blocks;
                        blocks = block;
                    }
                } catch (OutOfMemoryError e) {
                    // Goes on with smaller blocks.
                }
            }
        }
    }

    @Test
    void isNotOpenedWhenOneOfItsParentsIsNot() {
        Resource open = Resource.open(owner, "Open");
        Resource closed = Resource.open(owner, "Closed");
        closed.close(() -> {});

        assertThatIllegalStateException()
                .isThrownBy(() -> Resource.open(owner, "Child", open, closed))
                .withMessage("Closed is closed");

        // The child is not left open with the other parent.
        open.close(() -> assertThatIllegalStateException()
                .isThrownBy(() -> Resource.open(owner, "Child", open))
                .withMessage("Open is being closed"));
        assertThat(open.state()).isEqualTo(Resource.State.CLOSED);
    }
}
