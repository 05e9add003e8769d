/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.dma;

import io.docajava.testing.IsolatedLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Objects;

/**
 * Loads a copy of doca-java in which each call that is made without a check of the stack can overflow it. A real overflow hits the
 * deepest of these calls only.
 */
@SuppressWarnings("exports") // tests are not exported
public final class CuttingLoader extends IsolatedLoader {

    /** The code that submits, and the one that checks the stack. */
    private static final List<String> CHANGED = List.of(
            "io.docajava.core.internal.engine.",
            "io.docajava.core.internal.operation.",
            "io.docajava.core.internal.state.",
            "io.docajava.ffi.submission.");

    private static final ClassDesc HERE = ClassDesc.of(CuttingLoader.class.getName());
    private static final MethodTypeDesc PLAIN = MethodTypeDesc.of(ConstantDescs.CD_void);

    /** The number of calls up to the one that overflows; 0 for none. */
    private static int left;

    private static boolean overflowed;

    /** Creates a loader that has loaded nothing. */
    public CuttingLoader() {}

    /** Lets the nth of the following calls overflow the stack, unless the stack is checked before. */
    public static void cut(int number) {
        left = number;
        overflowed = false;
    }

    /** Called before a call of the copy. */
    public static void call() {
        if (left > 0 && --left == 0) {
            overflowed = true;
            throw new StackOverflowError("as a test");
        }
    }

    /** Called before a check of the stack: no call overflows any more. */
    public static void end() {
        left = 0;
    }

    /** Returns whether a call has overflowed since {@link #cut}. */
    public static boolean hasOverflowed() {
        return overflowed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return name.equals(CuttingLoader.class.getName()) ? CuttingLoader.class : super.loadClass(name, resolve);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (CHANGED.stream().noneMatch(name::startsWith)) {
            return super.findClass(name);
        }
        byte[] changed = change(name.replace('.', '/') + ".class");
        return defineClass(name, changed, 0, changed.length);
    }

    private byte[] change(String file) {
        ClassFile context =
                ClassFile.of(ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(this)));
        try (InputStream bytes = Objects.requireNonNull(getResourceAsStream(file), file)) {
            return context.transformClass(
                    context.parse(bytes.readAllBytes()),
                    ClassTransform.transformingMethodBodies(
                            method -> !method.methodName().equalsString(ConstantDescs.INIT_NAME)
                                    && !method.methodName().equalsString(ConstantDescs.CLASS_INIT_NAME),
                            CuttingLoader::change));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void change(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction invoked) {
            boolean checks = invoked.owner().asInternalName().endsWith("/StackGuard");
            code.invokestatic(HERE, checks ? "end" : "call", PLAIN);
        }
        code.with(element);
    }
}
