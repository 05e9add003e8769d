/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.docajava.core.testing.OpenHandles;
import java.util.ArrayList;
import java.util.List;
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
