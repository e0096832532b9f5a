package berth.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import berth.http.EntityTag.Expected;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityTagTest {

    private record Body(int pes, Optional<Integer> rank, Instant at) {}

    @Test
    void aVersionIsParsedFromItsTag() {
        assertThat(EntityTag.of(7, Map.of())).matches("\"7-[0-9a-f]{16}\"");
        for (int version : new int[] {0, 7, 10, 999_999_999}) {
            assertThat(EntityTag.expected(EntityTag.of(version, Map.of())))
                    .isEqualTo(new Expected.OneOf(Set.of(version)));
            assertThat(EntityTag.expected("\"%d\"".formatted(version))).isEqualTo(new Expected.OneOf(Set.of(version)));
        }
    }

    @Test
    void bodiesOfOneVersionHaveTheSameTagOnlyIfTheyAreEqual() {
        var bodies = new HashMap<String, Body>();
        for (int pes = 0; pes < 3; pes++) {
            for (var rank : List.of(Optional.<Integer>empty(), Optional.of(1), Optional.of(2))) {
                for (var at : List.of(Instant.EPOCH, Instant.EPOCH.plusNanos(1))) {
                    var body = new Body(pes, rank, at);
                    assertThat(bodies.put(EntityTag.of(4, body), body)).isNull();
                    assertThat(EntityTag.of(4, new Body(pes, rank, at))).isEqualTo(EntityTag.of(4, body));
                }
            }
        }
    }

    @Test
    void withoutAConditionAnyVersionWillDo() {
        assertThat(EntityTag.expected(null)).isEqualTo(new Expected.Any());
        assertThat(EntityTag.expected("*")).isEqualTo(new Expected.Any());
        assertThat(EntityTag.expected(" * ")).isEqualTo(new Expected.Any());
        assertThat(new Expected.Any().includes(7)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "\"1\", \"2\"      | true",
                "\"1\",\"2\"       | true",
                ", \"2\" ,,        | true",
                "W/\"1\", \"2\"    | true",
                "\"a,b\", \"2\"    | true",
                "\"1\"             | false",
                "W/\"2\"           | true",
                "W/\"3\"           | false",
                "\"02\"            | false",
                "\"+2\"            | false",
                "\"\"              | false",
                "\"2-0123456789abcdef\"   | true",
                "\"3-0123456789abcdef\"   | false",
                "\"2-0123456789abcde\"    | false",
                "\"2 is not it\"   | malformed",
                "\"99999999999\"   | false",
                "\"of another\"    | malformed",
                "\"of-another\"    | false"
            })
    void aVersionIsMetByATagOfItsOwn(String header, String meetsTwo) {
        if (meetsTwo.equals("malformed")) {
            assertMalformed(header);
        } else {
            assertThat(EntityTag.expected(header).includes(2)).isEqualTo(Boolean.parseBoolean(meetsTwo));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ",",
                "2",
                "\"",
                "\"2",
                "2\"",
                "\"2\"\"3\"",
                "\"2\" \"3\"",
                "\"2\";",
                "*,\"2\"",
                "\"2\",*",
                "w/\"2\"",
                "W/2",
                "W/ \"2\"",
                "'2'",
                "\"2\",3"
            })
    void aMalformedListOfTagsIsRejected(String header) {
        assertMalformed(header);
    }

    @Test
    void aLongHeaderIsParsedQuickly() {
        for (var piece : new String[] {"\"1\",", ",", " ", "\"", "W/\"1\" , ", "W/"}) {
            var header = piece.repeat(100_000 / piece.length());
            Assertions.assertTimeoutPreemptively(Duration.ofSeconds(2), () -> {
                try {
                    EntityTag.expected(header);
                } catch (Problem e) {
                    // a rejection is fine if it comes quickly
                }
            });
        }
    }

    private static void assertMalformed(String header) {
        assertThatThrownBy(() -> EntityTag.expected(header)).isInstanceOfSatisfying(Problem.class, problem -> {
            assertThat(problem.code()).isEqualTo(ProblemCode.MALFORMED);
            assertThat(problem.errors())
                    .hasSize(1)
                    .allMatch(error -> error.field().equals("If-Match"));
        });
    }
}
