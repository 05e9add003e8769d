/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs;

import static java.util.stream.Collectors.joining;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The comments of public types and their members in the sources of modules. */
final class PublicJavadoc {

    private static final Pattern FUNCTION = Pattern.compile("\\bdoca_[a-z0-9_]+\\b");
    private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

    private final Set<String> members = new TreeSet<>();
    private final SortedMap<String, Set<String>> mentions = new TreeMap<>();

    /** The public types by the name of a non-public type that they extend: they inherit its public members. */
    private final SortedMap<String, Set<String>> heirs = new TreeMap<>();

    private PublicJavadoc() {}

    /** Reads the sources of the packages that modules export without restriction, in these source folders. */
    static PublicJavadoc read(List<Path> folders) throws IOException {
        PublicJavadoc read = new PublicJavadoc();
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> sources =
                    folders.stream().flatMap(PublicJavadoc::sources).toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
            DocTrees comments = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                read.new Reader(comments).scan(unit, null);
            }
            read.heirs.keySet().stream()
                    .filter(base -> !read.members.contains(base))
                    .forEach(read::inherit);
        }
        return read;
    }

    /** Returns the sources of the packages that a module exports without restriction, in its source folder. */
    static Stream<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            Set<Path> exported = new TreeSet<>();
            Matcher export = EXPORT.matcher(Files.readString(folder.resolve("module-info.java")));
            while (export.find()) {
                exported.add(folder.resolve(export.group(1).replace('.', '/')));
            }
            return files
                    .filter(file -> file.toString().endsWith(".java") && exported.contains(file.getParent()))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void inherit(String base) {
        inherit(base, members);
        mentions.values().forEach(names -> inherit(base, names));
    }

    private void inherit(String base, Set<String> names) {
        List<String> inherited =
                names.stream().filter(name -> name.startsWith(base + ".")).toList();
        inherited.forEach(names::remove);
        for (String heir : heirs.getOrDefault(base, Set.of())) {
            inherited.forEach(name -> names.add(heir + name.substring(base.length())));
        }
    }

    /** Returns the public types as {@code Type}, and their members as {@code Type.method()} or {@code Type.CONSTANT}. */
    Set<String> members() {
        return members;
    }

    /** Returns the members whose comments name a C function. It omits a type if one of its members names the function. */
    List<String> mentioning(String function) {
        Set<String> all = mentions.getOrDefault(function, Set.of());
        return all.stream()
                .filter(member -> all.stream().noneMatch(other -> other.startsWith(member + ".")))
                .toList();
    }

    /** Visits one file. */
    private final class Reader extends TreePathScanner<@Nullable Void, @Nullable Void> {

        private final DocTrees comments;
        private final Deque<ClassTree> types = new ArrayDeque<>();

        Reader(DocTrees comments) {
            this.comments = comments;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
            boolean isPublic = isVisible(type.getModifiers());
            if (!isPublic && (!types.isEmpty() || type.getModifiers().getFlags().contains(Modifier.FINAL))) {
                return null;
            }
            types.addLast(type);
            if (isPublic) {
                note("");
                if (type.getExtendsClause() instanceof IdentifierTree base) {
                    heirs.computeIfAbsent(base.getName().toString(), key -> new TreeSet<>())
                            .add(type.getSimpleName().toString());
                }
            } else {
                heirs.computeIfAbsent(type.getSimpleName().toString(), key -> new TreeSet<>());
            }
            super.visitClass(type, null);
            types.removeLast();
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
            if (isVisible(method.getModifiers()) && !method.getName().contentEquals("<init>")) {
                note("." + method.getName() + "()");
            }
            return null;
        }

        @Override
        public @Nullable Void visitVariable(VariableTree field, @Nullable Void none) {
            if (isVisible(field.getModifiers())) {
                note("." + field.getName());
            }
            return null;
        }

        private boolean isVisible(ModifiersTree modifiers) {
            ClassTree outer = types.peekLast();
            boolean isImplied = outer != null && outer.getKind() == Tree.Kind.INTERFACE;
            return (isImplied && !modifiers.getFlags().contains(Modifier.PRIVATE))
                    || modifiers.getFlags().contains(Modifier.PUBLIC);
        }

        private void note(String member) {
            String name =
                    types.stream().map(type -> type.getSimpleName().toString()).collect(joining(".")) + member;
            members.add(name);
            TreePath path = getCurrentPath();
            String comment = comments.getDocComment(path);
            if (comment != null) {
                Matcher function = FUNCTION.matcher(comment);
                while (function.find()) {
                    mentions.computeIfAbsent(function.group(), key -> new TreeSet<>())
                            .add(name);
                }
            }
        }
    }
}
