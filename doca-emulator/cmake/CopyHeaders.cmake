# SPDX-License-Identifier: Apache-2.0
#
# Copies the headers from SOURCE to TARGET for one SIDE of the PCI bus, DPU or HOST.

file(GLOB headers ${SOURCE}/*.h)
file(COPY ${headers} DESTINATION ${TARGET})
file(READ ${SOURCE}/doca_build_config.h config)
string(REGEX REPLACE "(#endif [^\n]*\n)$" "#define DOCA_ARCH_${SIDE}\n\n\\1" config "${config}")
file(WRITE ${TARGET}/doca_build_config.h "${config}")
