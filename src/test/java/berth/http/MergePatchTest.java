package berth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.service.RestConfiguration;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class MergePatchTest {

    enum Colour {
        RED,
        BLUE
    }

    record Inner(
            @Nullable Integer count,
            @Nullable BigDecimal share,
            @Nullable Inner inner) {}

    record Thing(
            @Nullable String name,
            @Nullable Colour colour,
            @Nullable Long size,
            @Nullable Inner inner,
            @Nullable List<Integer> numbers,
            @Nullable Map<String, String> labels) {}

    private static final Thing PRESENT = new Thing(
            "one",
            Colour.RED,
            5_000_000_000L,
            new Inner(1, new BigDecimal("0.10"), new Inner(2, null, null)),
            List.of(1, 2, 3),
            Map.of("gpu", "none", "arch", "arm"));

    private final JsonMapper mapper = mapper();
    private final MergePatch patches = new MergePatch(mapper);

    private static JsonMapper mapper() {
        var builder = JsonMapper.builder();
        new RestConfiguration().strictJson().customize(builder);
        return builder.build();
    }

    @Test
    void absentFieldsStayAndNullFieldsAreRemoved() {
        assertThat(patched("{}")).isEqualTo(PRESENT);
        assertThat(patched("{\"name\":\"two\",\"colour\":null}"))
                .isEqualTo(
                        new Thing("two", null, PRESENT.size(), PRESENT.inner(), PRESENT.numbers(), PRESENT.labels()));
    }

    @Test
    void objectsAreMergedAndEverythingElseIsReplaced() {
        assertThat(patched("{\"inner\":{\"count\":7,\"inner\":{\"count\":null,\"share\":3}}}")
                        .inner())
                .isEqualTo(new Inner(7, new BigDecimal("0.10"), new Inner(null, new BigDecimal("3"), null)));
        assertThat(patched("{\"numbers\":[4]}").numbers()).containsExactly(4);
        assertThat(patched("{\"labels\":{\"gpu\":null,\"net\":\"fast\"}}").labels())
                .isEqualTo(Map.of("arch", "arm", "net", "fast"));
        assertThat(patched("{\"inner\":null}").inner()).isNull();
    }

    @Test
    void anObjectIsMadeWhereThereWasNone() {
        var bare = new Thing("bare", null, null, null, null, null);
        var patch = mapper.readTree("{\"inner\":{\"count\":1,\"share\":null},\"labels\":{\"a\":\"b\",\"c\":null}}");

        assertThat(patches.apply(patch, bare, Thing.class))
                .isEqualTo(new Thing("bare", null, null, new Inner(1, null, null), null, Map.of("a", "b")));
    }

    @Test
    void numbersAreExact() {
        assertThat(patched("{\"inner\":{\"share\":0.12345678901234567890123}}").inner())
                .extracting(Inner::share)
                .isEqualTo(new BigDecimal("0.12345678901234567890123"));
        assertThat(patched("{\"size\":9223372036854775807}").size()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"nome":"x"}                          | nome
            {"nome":null}                         | nome
            {"inner":{"cuont":1}}                 | inner.cuont
            {"inner":{"inner":{"cuont":null}}}    | inner.inner.cuont
            {"name":5}                            | name
            {"name":["a"]}                        | name
            {"colour":"GREEN"}                    | colour
            {"colour":1}                          | colour
            {"size":"5"}                          | size
            {"size":1.5}                          | size
            {"size":99999999999999999999}         | size
            {"inner":{"count":99999999999}}       | inner.count
            {"inner":{"count":true}}              | inner.count
            {"inner":5}                           | inner
            {"inner":{"inner":[]}}                | inner.inner
            {"numbers":[1,"2"]}                   | numbers[1]
            {"numbers":{"0":1}}                   | numbers
            {"labels":{"gpu":1}}                  | labels.gpu
            """)
    void aWrongFieldIsNamed(String patch, String field) {
        assertThatThrownBy(() -> patched(patch)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.MALFORMED);
            assertThat(problem.errors())
                    .hasSize(1)
                    .allMatch(error -> error.field().equals(field));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = "null\n5\n\"text\"\n[{}]")
    void aPatchIsAnObject(String patch) {
        assertThatThrownBy(() -> patched(patch))
                .isInstanceOf(Problem.class)
                .hasMessage("Send a JSON object in the body.");
    }

    private Thing patched(String patch) {
        return patches.apply(mapper.readTree(patch), PRESENT, Thing.class);
    }
}
