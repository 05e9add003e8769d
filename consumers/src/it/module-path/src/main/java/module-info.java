/* SPDX-License-Identifier: Apache-2.0 */
module com.example {
    requires io.docajava.dma;
}
