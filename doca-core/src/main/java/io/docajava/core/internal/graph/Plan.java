/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.core.internal.graph;

import io.docajava.core.graph.GraphNode;
import io.docajava.core.graph.UserNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes of a graph and their dependencies, which never have a cycle. */
final class Plan {

    private final List<GraphNode> nodes = new ArrayList<>();
    /** For each node the nodes that depend on it, in the order in which the dependencies were added. */
    private final List<List<Integer>> dependents = new ArrayList<>();

    private int allNodes;

    List<GraphNode> nodes() {
        return nodes;
    }

    /** Returns the number of all nodes, including those of sub-graphs. */
    int allNodes() {
        return allNodes;
    }

    List<Integer> dependents(int node) {
        return dependents.get(node);
    }

    <N extends GraphNode> N add(N node) {
        nodes.add(node);
        allNodes += node instanceof SubGraphNodeImpl part ? 1 + part.graph().plan().allNodes : 1;
        dependents.add(new ArrayList<>());
        return node;
    }

    /** Makes a node depend on another one, unless it already does. */
    void addDependency(GraphNode from, GraphNode to) {
        List<GraphNode> cycle = path(to.index(), from.index());
        if (cycle != null) {
            cycle.add(to);
            throw new IllegalArgumentException(to + " cannot depend on " + from + ", as that closes a cycle: "
                    + cycle.stream().map(GraphNode::toString).collect(Collectors.joining(" -> ")));
        }
        List<Integer> known = dependents.get(from.index());
        if (!known.contains(to.index())) {
            known.add(to.index());
        }
    }

    /** Returns a path from a node to a node that depends on it, or null if there is none. */
    private @Nullable List<GraphNode> path(int from, int to) {
        int[] cameFrom = new int[nodes.size()];
        Arrays.fill(cameFrom, -1);
        cameFrom[from] = from;
        Deque<Integer> open = new ArrayDeque<>(List.of(from));
        while (cameFrom[to] < 0 && !open.isEmpty()) {
            int node = open.remove();
            for (int dependent : dependents.get(node)) {
                if (cameFrom[dependent] < 0) {
                    cameFrom[dependent] = node;
                    open.add(dependent);
                }
            }
        }
        return cameFrom[to] < 0 ? null : pathTo(to, cameFrom);
    }

    private List<GraphNode> pathTo(int to, int[] cameFrom) {
        List<GraphNode> path = new ArrayList<>();
        path.add(nodes.get(to));
        for (int node = to; cameFrom[node] != node; node = cameFrom[node]) {
            path.addFirst(nodes.get(cameFrom[node]));
        }
        return path;
    }

    /** Returns the numbers of all nodes, each after the nodes that it depends on. */
    int[] order() {
        int[] missing = new int[nodes.size()];
        dependents.forEach(list -> list.forEach(node -> missing[node]++));
        int[] order = new int[nodes.size()];
        int end = 0;
        for (int node = 0; node < order.length; node++) {
            if (missing[node] == 0) {
                order[end++] = node;
            }
        }
        for (int next = 0; next < end; next++) {
            for (int dependent : dependents.get(order[next])) {
                if (--missing[dependent] == 0) {
                    order[end++] = dependent;
                }
            }
        }
        return order;
    }

    /** Returns for each node the nodes that it depends on, directly or indirectly. */
    List<BitSet> ancestors(int[] order) {
        return ancestors(order, node -> true);
    }

    /**
     * Returns for each node the tasks and sub-graphs that it depends on without a user node in between. Their success can become
     * visible to user code when the node runs.
     */
    int[][] newlyVisible(int[] order) {
        return ancestors(order, node -> !(node instanceof UserNode)).stream()
                .map(set -> set.stream().toArray())
                .toArray(int[][]::new);
    }

    /** Returns for each node the nodes of a kind that it depends on, directly or through nodes of that kind. */
    private List<BitSet> ancestors(int[] order, Predicate<GraphNode> kind) {
        List<BitSet> ancestors = new ArrayList<>();
        nodes.forEach(node -> ancestors.add(new BitSet()));
        for (int node : order) {
            if (kind.test(nodes.get(node))) {
                for (int dependent : dependents.get(node)) {
                    ancestors.get(dependent).or(ancestors.get(node));
                    ancestors.get(dependent).set(node);
                }
            }
        }
        return ancestors;
    }
}
