/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.core.DocaCallException;
import io.docajava.core.DocaError;
import io.docajava.core.context.ContextState;
import io.docajava.core.context.TaskFailedException;
import io.docajava.core.progress.Completion;
import io.docajava.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** Prints the submission flags of copies that leave together, and the results of refused copies. */
final class RefusalProbe {

    private static final Front FRONT = new Front("common");

    private RefusalProbe() {}

    public static void main(String[] arguments) throws Exception {
        try (Lab each = new Lab(builder -> builder.maxTasks(100));
                Lab together = new Lab(builder -> builder.maxTasks(100).optimizeReports(true))) {
            showFlags(each, together);
            showRefusals(each, together);
        }
        try (Lab lab = new Lab(builder -> builder.maxTasks(8).optimizeReports(true))) {
            refuse(2, 1_000_000, DocaError.AGAIN);
            List<Completion<Long>> copies = copy(lab, 3);
            lab.dma.close();
            System.out.println("never any room: " + ends(copies, true) + ", " + lab.dma.state());
            refuse(0, 0, DocaError.SUCCESS);
        }
    }

    private static void showFlags(Lab each, Lab together) throws Exception {
        List<Completion<Long>> copies = new ArrayList<>();
        refuse(0, 0, DocaError.SUCCESS);
        await(copy(each, 4));
        System.out.println("each:" + notes());
        await(copy(together, 4));
        System.out.println("together:" + notes());
        await(copy(together, 1));
        System.out.println("one:" + notes());
        await(copy(together, 0));
        System.out.println("none:" + notes());
        await(copy(together, 70));
        System.out.println("long: "
                + notes().strip()
                        .replace("1 ", "1, ")
                        .replace("2 ".repeat(31), "31 x 2, ")
                        .replace("2 ".repeat(5), "5 x 2, "));
        copies.add(together.dma.copy(together.data(0, 64), together.space(100_000, 64)));
        copies.add(together.dma.copy(together.data(0, 64), together.space(100_100, 64)));
        copies.getLast().await();
        copies.add(together.dma.copy(together.data(0, 64), together.space(100_200, 64)));
        copies.add(together.dma.copy(together.data(0, 64), together.space(100_300, 64)));
        copies.getLast().await();
        System.out.println("awaited:" + notes());
    }

    private static void showRefusals(Lab each, Lab together) throws Exception {
        refuse(2, 1, DocaError.AGAIN);
        System.out.println("last, no room:" + finish(each, copy(each, 3)));
        refuse(2, 1, DocaError.AGAIN);
        System.out.println("last, no room, together:" + finish(together, copy(together, 3)));

        refuse(1, 1, DocaError.AGAIN);
        List<Completion<Long>> copies = new ArrayList<>();
        copies.add(each.dma.copy(each.data(0, 64), each.space(100_000, 64)));
        copies.add(each.dma.copy(each.data(0, 64), each.space(100_100, 64)));
        copies.add(each.dma.copy(each.data(0, 64), each.space(100_200, 64)));
        System.out.print("middle, no room:");
        each.drain();
        copies.add(each.dma.copy(each.data(0, 64), each.space(100_300, 64)));
        each.dma.flush();
        System.out.println(finish(each, copies));

        refuse(30, 1, DocaError.AGAIN);
        List<Completion<Long>> many = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            many.add(each.dma.copy(each.data(0, 64), each.space(100_000 + i * 100L, 64)));
        }
        Completion<Long> refused = each.dma.copy(each.data(0, 64), each.space(200_000, 64));
        String failure = refused.isCompletedExceptionally() && refused.exceptionNow() instanceof DocaCallException e
                ? "failed by " + e.function() + " with " + e.error()
                : "not refused";
        System.out.print("no room for more: " + failure + "; ");
        many.add(each.dma.copy(each.data(0, 64), each.space(200_000, 64)));
        each.drain();
        each.dma.flush();
        boolean allCopied = many.stream().allMatch(copy -> copy.resultNow() == 64);
        System.out.println(notes().strip().replace("0 ".repeat(30), "30 x 0, ") + " -> all copied: " + allCopied);

        refuse(0, 1, DocaError.AGAIN);
        List<Completion<Long>> alone = copy(together, 1);
        together.dma.copy(together.data(0, 64), together.space(100_300, 64)).await();
        System.out.println("alone, no room:" + finish(together, alone));

        refuse(2, 1, DocaError.UNEXPECTED);
        System.out.println("last:" + finish(each, copy(each, 3)));
        refuse(2, 1, DocaError.UNEXPECTED);
        System.out.println("last, together:" + finish(together, copy(together, 3)));
        refuse(1, 1, DocaError.UNEXPECTED);
        System.out.println("middle:" + finish(together, copy(together, 3)));
    }

    private static void refuse(int after, int count, DocaError error) {
        FRONT.call("front_refuse", after, count, error.code());
    }

    private static List<Completion<Long>> copy(Lab lab, int count) {
        List<Completion<Long>> copies = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            copies.add(lab.dma.copy(lab.data(0, 64), lab.space(10_000 + i * 64L, 64)));
        }
        lab.dma.flush();
        return copies;
    }

    private static void await(List<Completion<Long>> copies) throws Exception {
        for (Completion<Long> copy : copies) {
            copy.await();
        }
    }

    private static String finish(Lab lab, List<Completion<Long>> copies) throws Exception {
        lab.drain();
        lab.engine.await(() -> lab.dma.state() != ContextState.STOPPING, Await.LIMIT);
        return notes() + " -> " + ends(copies, false) + ", " + lab.dma.state()
                + lab.dma.failure().map(failure -> " after " + text(failure)).orElse("");
    }

    /** Describes the ends of copies. When a context stops, a finished copy may or may not have been reported. */
    private static String ends(List<Completion<Long>> copies, boolean hideResults) {
        StringJoiner ends = new StringJoiner(" ");
        for (int i = 0; i < copies.size(); i++) {
            Completion<Long> copy = copies.get(i);
            if (!copy.isDone()) {
                ends.add("not done");
            } else if (hideResults && i < copies.size() - 1) {
                ends.add("done");
            } else {
                ends.add(
                        copy.isCompletedExceptionally()
                                ? text((TaskFailedException) copy.exceptionNow())
                                : copy.resultNow().toString());
            }
        }
        return ends.toString();
    }

    private static String text(TaskFailedException failure) {
        return failure.reason() + " " + failure.error();
    }

    /** Returns all submissions since the last call, with -1 for a flush. */
    private static String notes() {
        StringBuilder notes = new StringBuilder();
        int count = FRONT.ask("front_count");
        for (int i = 0; i < count; i++) {
            notes.append(' ').append(FRONT.ask("front_note", i));
        }
        FRONT.call("front_refuse", 0, 0, 0);
        return notes.toString();
    }
}
