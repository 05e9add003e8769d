/* SPDX-License-Identifier: Apache-2.0 */
package io.docajava.benchmarks.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openjdk.jmh.annotations.Benchmark;

class BenchCaseTest {

    @ParameterizedTest
    @EnumSource
    void ofEachApiIsABenchmark(Api api) throws ClassNotFoundException {
        int dot = api.benchmark().lastIndexOf('.');
        Class<?> type = Class.forName(api.benchmark().substring(0, dot));

        assertThat(Arrays.stream(type.getMethods()).filter(method -> method.isAnnotationPresent(Benchmark.class)))
                .extracting(method -> method.getName())
                .contains(api.benchmark().substring(dot + 1));
    }

    @Test
    void hasANameOfItsOwn() {
        assertThat(BenchCase.all()).extracting(BenchCase::name).doesNotHaveDuplicates();
        assertThat(new BenchCase(Api.RAW, 64, 32).name()).isEqualTo("raw/64/32");
        assertThat(new BenchCase(Api.DEVICE_OPEN, 0, 0).name()).isEqualTo("device-open");
    }

    @Test
    void allHaveThoseOfTheIssue() {
        assertThat(BenchCase.all()).containsAll(BenchCase.quick());
        for (Api api :
                List.of(Api.RAW, Api.CALLBACK, Api.FUTURE, Api.LOOP_PLATFORM, Api.LOOP_VIRTUAL, Api.PULL, Api.PUSH)) {
            for (int size : new int[] {64, 4096, 65536, 1 << 20}) {
                for (int depth : new int[] {1, 32, 256}) {
                    assertThat(BenchCase.all()).contains(new BenchCase(api, size, depth));
                }
            }
        }
    }

    @Test
    void isMeantByAnyOfThePatterns() {
        BenchCase raw = new BenchCase(Api.RAW, 64, 32);

        assertThat(raw.matches(List.of())).isTrue();
        assertThat(raw.matches(List.of(Pattern.compile("jni"), Pattern.compile("^raw/64/"))))
                .isTrue();
        assertThat(raw.matches(List.of(Pattern.compile("raw/4096")))).isFalse();
    }
}
