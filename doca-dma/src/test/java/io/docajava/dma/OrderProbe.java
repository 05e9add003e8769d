/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import java.util.ArrayList;
import java.util.List;

/** Runs with an SDK that accepts ordered completions only in a started context. */
final class OrderProbe {

    private OrderProbe() {}

    public static void main(String[] arguments) throws Exception {
        try (Lab lab = new Lab(builder -> builder.maxTasks(40).orderedCompletions(true))) {
            System.out.println(order(lab));
            lab.dma.stop();
            lab.dma.restart();
            System.out.println(order(lab));
            System.out.println(new Front("dma").ask("front_calls") + " calls");
        }
    }

    private static String order(Lab lab) throws Exception {
        List<Integer> order = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            int number = i;
            expected.add(number);
            lab.dma.copy(
                    lab.data(i * 8L, i % 4 == 0 ? 8000 : 8),
                    lab.space(50_000 + i * 8000L, 8000),
                    new Repeat(
                            () -> {
                                order.add(number);
                                return false;
                            },
                            lab.dma));
        }
        lab.drain();
        return order.equals(expected) ? "in order" : "in another order: " + order;
    }
}
