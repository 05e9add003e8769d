/* SPDX-License-Identifier: Apache-2.0 */
import io.docajava.comch.*;
import io.docajava.core.*;
import io.docajava.core.context.*;
import io.docajava.core.device.*;
import io.docajava.core.doctor.*;
import io.docajava.core.graph.*;
import io.docajava.core.memory.*;
import io.docajava.core.progress.*;
import io.docajava.core.sync.*;
import io.docajava.dma.*;
import io.docajava.emulator.*;
import io.docajava.ffi.*;
import io.docajava.rdma.*;
import io.docajava.rdma.exchange.*;
import java.lang.foreign.*;
