/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.samples.docs.ways;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;

/** Loads a copy of doca-java whose methods call {@link Trace#enter}. */
final class TracingLoader extends ClassLoader {

    private static final ClassDesc TRACE = ClassDesc.of(Trace.class.getName());
    private static final MethodTypeDesc ENTER = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

    private final ClassFile classFiles = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(
            ClassHierarchyResolver.ofResourceParsing(TracingLoader.class.getClassLoader())));

    TracingLoader() {
        super(TracingLoader.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.docajava.") || isShared(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private static boolean isShared(String name) {
        return name.equals(Trace.class.getName()) || name.equals(Trace.Way.class.getName());
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = file.readAllBytes();
            // The tests' own classes are not a part of the way.
            if (!name.startsWith(Trace.class.getPackageName())) {
                bytes = traced(name, classFiles.parse(bytes));
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] traced(String name, ClassModel type) {
        return classFiles.transformClass(type, ClassTransform.transformingMethodBodies(new CodeTransform() {
            @Override
            public void atStart(CodeBuilder code) {
                code.ldc(name).invokestatic(TRACE, "enter", ENTER);
            }

            @Override
            public void accept(CodeBuilder code, CodeElement element) {
                code.with(element);
            }
        }));
    }
}
