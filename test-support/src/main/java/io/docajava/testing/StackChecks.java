/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.constant.DirectMethodHandleDesc;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds static initializers that a method can run before it has checked the stack. If an initializer overflows the stack, its class can
 * never be used again. Follows all paths through the class files of doca-java until they call StackGuard.
 *
 * <p>A call of an overridden method is followed to the overriding methods of added classes, and a lambda is followed when a method gets
 * it that may run it. Of the JDK only some large parts count as such classes.
 */
final class StackChecks {

    private static final String OWN = "io/docajava/";
    private static final String GUARD = OWN + "ffi/internal/StackGuard";
    /** Checks the stack only in the first call, which is never that of an initializer. */
    private static final String LOADING = OWN + "ffi/internal/NativeLoading";

    /** Classes that the creation of a progress engine has initialized before another thread or a close uses them. */
    private static final Set<String> OF_ENGINES = Set.of(
            OWN + "ffi/linux/LinuxCalls$Handles",
            OWN + "ffi/completion/Recorder$Calls",
            OWN + "core/internal/engine/EngineImpl",
            OWN + "core/internal/engine/OperationCompletion");

    /** Parts of the JDK whose first use initializes many classes. */
    private static final Set<String> LARGE_PARTS =
            Set.of("java/net/", "java/nio/channels/", "java/nio/file/", "java/util/regex/");

    /** Methods of String that use regular expressions or a Formatter. */
    private static final Set<String> CALLS_OF_LARGE_PARTS =
            Set.of("format", "formatted", "matches", "replaceAll", "replaceFirst");

    private static final Set<String> COLLECTIONS = Set.of("java/util/List", "java/util/Set", "java/util/Map");

    private final Map<String, @Nullable ClassModel> classes = new HashMap<>();
    private final Map<String, Set<String>> subtypes = new HashMap<>();
    private final Map<String, Optional<Summary>> summaries = new HashMap<>();

    /**
     * The effect of a method that is called before the stack was checked.
     *
     * @param initializer the path to the first initializer that may run before a check; null if none does
     * @param checks whether the stack has been checked when the method returns
     * @param mayCheck whether the method may check the stack
     * @param runs whether the method may run a lambda before a check
     */
    private record Summary(@Nullable String initializer, boolean checks, boolean mayCheck, boolean runs) {

        /** Of a method that is being examined: its recursion adds nothing. */
        static final Summary NONE = new Summary(null, true, false, false);
    }

    /** Adds a class that may override methods of its superclass and interfaces. */
    void add(String type) {
        ClassModel model = model(internalName(type));
        if (model != null) {
            model.superclass().ifPresent(parent -> addSubtype(parent, type));
            model.interfaces().forEach(parent -> addSubtype(parent, type));
        }
    }

    private void addSubtype(ClassEntry parent, String type) {
        subtypes.computeIfAbsent(parent.asInternalName(), key -> new HashSet<>())
                .add(internalName(type));
    }

    /**
     * Returns the path from a method to an initializer that it may run before it checks the stack; null if there is none.
     *
     * @param uses whether the call itself uses the class, as that of a static method does
     */
    @Nullable
    String initializerBeforeCheck(String type, String name, String descriptor, boolean uses) {
        return uses && hasInitializer(internalName(type))
                ? type
                : summary(internalName(type), name, descriptor)
                        .map(Summary::initializer)
                        .orElse(null);
    }

    /** Returns whether the initializer of a class may check the stack: if the check failed, the class could never be used. */
    boolean initializerChecks(String type) {
        return summary(internalName(type), "<clinit>", "()V")
                .map(Summary::mayCheck)
                .orElse(false);
    }

    private static String internalName(String type) {
        return type.replace('.', '/');
    }

    /** Returns the effect of a method; empty if it is abstract or of the JDK. */
    private Optional<Summary> summary(String owner, String name, String descriptor) {
        String key = owner + "." + name + descriptor;
        Optional<Summary> known = summaries.get(key);
        if (known == null) {
            summaries.put(key, Optional.of(Summary.NONE));
            known = examine(owner, name, descriptor);
            summaries.put(key, known);
        }
        return known;
    }

    private Optional<Summary> examine(String owner, String name, String descriptor) {
        ClassModel model = model(owner);
        if (model == null) {
            return Optional.empty();
        }
        for (MethodModel method : model.methods()) {
            if (method.methodName().equalsString(name) && method.methodType().equalsString(descriptor)) {
                String place = simpleName(owner) + "." + name;
                return method.code().map(code -> new Flow(code, owner, place).run());
            }
        }
        return model.superclass().flatMap(parent -> summary(parent.asInternalName(), name, descriptor));
    }

    private static String simpleName(String type) {
        return type.substring(type.lastIndexOf('/') + 1);
    }

    private @Nullable ClassModel model(String type) {
        if (!type.startsWith(OWN)) {
            return null;
        }
        return classes.computeIfAbsent(type, StackChecks::read);
    }

    private static @Nullable ClassModel read(String type) {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(type + ".class")) {
            return in == null ? null : ClassFile.of().parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns whether the first use of a class runs an initializer that calls other classes. One that only creates constants of its class
     * needs less of the stack than the loading of the class, and therefore does not overflow.
     */
    private boolean hasInitializer(String type) {
        ClassModel model = model(type);
        return model != null
                && (model.methods().stream()
                                .filter(method -> method.methodName().equalsString("<clinit>"))
                                .flatMap(method -> method.code().stream())
                                .flatMap(CodeModel::elementStream)
                                .anyMatch(element -> callsOthers(element, model))
                        || model.superclass()
                                .map(parent -> hasInitializer(parent.asInternalName()))
                                .orElse(false));
    }

    private static boolean callsOthers(CodeElement element, ClassModel model) {
        return element instanceof InvokeDynamicInstruction
                || (element instanceof InvokeInstruction call
                        && !call.owner().equals(model.thisClass())
                        && !createsCollection(call));
    }

    private static boolean createsCollection(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return COLLECTIONS.contains(owner) || (call.name().equalsString("<init>") && owner.startsWith("java/"));
    }

    /** The flow of control through the code of one method. */
    private final class Flow {

        private final String self;
        private final String place;
        private final List<Instruction> instructions = new ArrayList<>();
        private final Map<Label, Integer> labels = new HashMap<>();
        private final List<ExceptionCatch> handlers;
        /** The lambdas that are arguments of a call, by the position of the call. */
        private final Map<Integer, List<DirectMethodHandleDesc>> lambdas = new HashMap<>();

        private @Nullable String initializer;
        private boolean checks = true;
        private boolean mayCheck;
        private boolean runs;

        Flow(CodeModel code, String self, String place) {
            this.self = self;
            this.place = place;
            this.handlers = code.exceptionHandlers();
            List<DirectMethodHandleDesc> pending = new ArrayList<>();
            for (CodeElement element : code) {
                if (element instanceof LabelTarget target) {
                    labels.put(target.label(), instructions.size());
                } else if (element instanceof Instruction instruction) {
                    if (instruction instanceof InvokeDynamicInstruction dynamic) {
                        pending.addAll(lambdas(dynamic));
                    } else if (instruction instanceof InvokeInstruction) {
                        lambdas.put(instructions.size(), List.copyOf(pending));
                        pending.clear();
                    }
                    instructions.add(instruction);
                }
            }
        }

        private static List<DirectMethodHandleDesc> lambdas(InvokeDynamicInstruction dynamic) {
            return dynamic.bootstrapArgs().stream()
                    .filter(DirectMethodHandleDesc.class::isInstance)
                    .map(DirectMethodHandleDesc.class::cast)
                    .toList();
        }

        /** Follows all paths that have not checked the stack. */
        Summary run() {
            boolean[] seen = new boolean[instructions.size()];
            Deque<Integer> open = new ArrayDeque<>(List.of(0));
            while (!open.isEmpty()) {
                int at = open.remove();
                if (at >= seen.length || seen[at]) {
                    continue;
                }
                seen[at] = true;
                for (ExceptionCatch handler : handlers) {
                    if (at >= position(handler.tryStart()) && at < position(handler.tryEnd())) {
                        open.add(position(handler.handler()));
                    }
                }
                Instruction instruction = instructions.get(at);
                if (instruction instanceof ReturnInstruction) {
                    checks = false;
                } else if (!(instruction instanceof ThrowInstruction) && !checks(instruction, at)) {
                    open.addAll(next(instruction, at));
                }
            }
            return new Summary(initializer, checks, mayCheck, runs);
        }

        private List<Integer> next(Instruction instruction, int at) {
            return switch (instruction) {
                case BranchInstruction branch ->
                    branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W
                            ? List.of(position(branch.target()))
                            : List.of(at + 1, position(branch.target()));
                case TableSwitchInstruction choice -> targets(choice.cases(), choice.defaultTarget());
                case LookupSwitchInstruction choice -> targets(choice.cases(), choice.defaultTarget());
                default -> List.of(at + 1);
            };
        }

        private List<Integer> targets(List<SwitchCase> cases, Label other) {
            List<Integer> all = new ArrayList<>(List.of(position(other)));
            cases.forEach(one -> all.add(position(one.target())));
            return all;
        }

        private int position(Label label) {
            return Objects.requireNonNull(labels.get(label));
        }

        /** Records the effects of an instruction. Returns whether the stack has been checked after it. */
        private boolean checks(Instruction instruction, int at) {
            if (instruction instanceof InvokeInstruction call) {
                return calls(call, at);
            }
            if (instruction instanceof NewObjectInstruction creation) {
                touch(creation.className().asInternalName());
            }
            if (instruction instanceof FieldInstruction field
                    && (field.opcode() == Opcode.GETSTATIC || field.opcode() == Opcode.PUTSTATIC)) {
                touch(field.owner().asInternalName());
            }
            return false;
        }

        private void touch(String type) {
            if (!type.equals(self) && !OF_ENGINES.contains(type) && hasInitializer(type)) {
                found(simpleName(type));
            }
        }

        private void found(String what) {
            if (initializer == null) {
                initializer = place + " > " + what;
            }
        }

        private boolean calls(InvokeInstruction call, int at) {
            String owner = call.owner().asInternalName();
            if (owner.equals(GUARD)) {
                boolean isCheck = call.name().stringValue().startsWith("check");
                mayCheck |= isCheck;
                return isCheck;
            }
            if (call.opcode() == Opcode.INVOKESTATIC) {
                touch(owner);
            }
            if (usesLargePart(call)) {
                found(simpleName(owner) + "." + call.name());
            }
            List<Summary> effects = effects(call);
            effects.forEach(this::follow);
            mayCheck |= !owner.equals(LOADING) && effects.stream().anyMatch(Summary::mayCheck);
            boolean runsLambda = effects.stream().anyMatch(Summary::runs);
            runs |= runsLambda || (effects.isEmpty() && isFunction(call));
            if (runsLambda || (!owner.startsWith(OWN) && !call.name().equalsString("<init>"))) {
                lambdas.getOrDefault(at, List.of())
                        .forEach(lambda -> summary(
                                        lambda.owner().descriptorString().replaceAll("^L|;$", ""),
                                        lambda.methodName(),
                                        lambda.lookupDescriptor())
                                .ifPresent(this::follow));
            }
            return !effects.isEmpty() && effects.stream().allMatch(Summary::checks);
        }

        private void follow(Summary effect) {
            if (effect.initializer() != null) {
                found(effect.initializer());
            }
        }
    }

    /** Returns the effects of all methods that a call may reach; none if they are not examined. */
    private List<Summary> effects(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        boolean isVirtual = call.opcode() == Opcode.INVOKEVIRTUAL || call.opcode() == Opcode.INVOKEINTERFACE;
        return (isVirtual ? withSubtypes(owner) : Set.of(owner))
                .stream()
                        .map(target -> summary(
                                target, call.name().stringValue(), call.type().stringValue()))
                        .flatMap(Optional::stream)
                        .toList();
    }

    private static boolean usesLargePart(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        boolean isCreation = call.opcode() == Opcode.INVOKESTATIC || call.name().equalsString("<init>");
        return (isCreation
                        && !owner.endsWith("Exception")
                        && LARGE_PARTS.stream().anyMatch(owner::startsWith))
                || (owner.equals("java/lang/String")
                        && CALLS_OF_LARGE_PARTS.contains(call.name().stringValue()));
    }

    private static boolean isFunction(InvokeInstruction call) {
        String owner = call.owner().asInternalName();
        return call.isInterface()
                && call.opcode() == Opcode.INVOKEINTERFACE
                && (owner.startsWith(OWN)
                        || owner.startsWith("java/util/function/")
                        || owner.equals("java/lang/Runnable")
                        || owner.equals("java/util/concurrent/Callable"));
    }

    private Set<String> withSubtypes(String owner) {
        Set<String> all = new HashSet<>(Set.of(owner));
        subtypes.getOrDefault(owner, Set.of()).forEach(type -> all.addAll(withSubtypes(type)));
        return all;
    }
}
