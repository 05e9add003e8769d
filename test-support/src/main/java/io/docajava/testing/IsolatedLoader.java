/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.testing;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** Loads its own copy of doca-java, and shares everything else on the class path of the JVM. */
public class IsolatedLoader extends URLClassLoader {

    /** Creates a loader that has loaded nothing. */
    public IsolatedLoader() {
        super(urls(), IsolatedLoader.class.getClassLoader());
    }

    private static URL[] urls() {
        return Arrays.stream(System.getProperty("java.class.path").split(":"))
                .map(IsolatedLoader::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.docajava.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    /**
     * Loads the hand-written classes of the modules' folders, and initializes none: the loaders of the JDK may be of no use after
     * an overflow.
     */
    public void loadAll() throws Exception {
        for (URL url : getURLs()) {
            Path root = Path.of(url.toURI());
            if (Files.isDirectory(root) && !root.endsWith("test-classes")) {
                try (Stream<Path> files = Files.walk(root.resolve("io"))) {
                    for (Path file : files.filter(IsolatedLoader::isHandWritten).toList()) {
                        String name = root.relativize(file).toString().replace('/', '.');
                        Class.forName(name.substring(0, name.length() - ".class".length()), false, this);
                    }
                }
            }
        }
    }

    private static boolean isHandWritten(Path file) {
        return file.toString().endsWith(".class") && !file.toString().contains("/generated/");
    }

    /** Creates an instance of this loader's copy of a class. */
    public Runnable create(Class<? extends Runnable> code) throws ReflectiveOperationException {
        return (Runnable) loadClass(code.getName()).getConstructor().newInstance();
    }

    /** Runs this loader's copy of a class. */
    public void run(Class<? extends Runnable> code) throws ReflectiveOperationException {
        create(code).run();
    }
}
