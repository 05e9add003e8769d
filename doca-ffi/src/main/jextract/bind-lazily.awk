# SPDX-License-Identifier: Apache-2.0
#
# Turns jextract's eager look-up of every function into a look-up that remembers what is missing: NativeSymbols gives
# a handle that throws a descriptive error when the function is called. Everything else passes unchanged.

/^import java.lang.foreign.\*;$/ {
    print
    print ""
    print "import io.docajava.ffi.internal.NativeSymbols;"
    next
}

# The library's symbols replace the class loader's.
/static final SymbolLookup SYMBOL_LOOKUP = / {
    getline
    printf "    static final NativeSymbols SYMBOLS = NativeSymbols.of(\"%s\");\n", library
    next
}

/SYMBOL_LOOKUP\.findOrThrow\("/ {
    match($0, /findOrThrow\("[^"]*"/)
    name = substr($0, RSTART + 13, RLENGTH - 14)
    sub(/SYMBOL_LOOKUP\.findOrThrow/, "SYMBOLS.address")
    print
    next
}

/Linker\.nativeLinker\(\)\.downcallHandle\(ADDR, DESC\)/ {
    sub(/Linker\.nativeLinker\(\)\.downcallHandle\(ADDR, DESC\)/, "SYMBOLS.downcall(\"" name "\", DESC)")
    print
    next
}

# The one variadic function.
/Linker\.nativeLinker\(\)\.downcallHandle\(ADDR, desc\$, fva\$\)/ {
    sub(/Linker\.nativeLinker\(\)\.downcallHandle\(ADDR, desc\$, fva\$\)/, "SYMBOLS.downcall(\"" name "\", desc$, fva$)")
    print
    next
}

{ print }
