package berth.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardTest {
    @Test
    void isFoundByItsName() {
        assertThat(Shard.named("3/16")).contains(new Shard(3, 16));
        assertThat(Shard.named("9999/10000"))
                .contains(new Shard(9999, 10_000))
                .map(Shard::toString)
                .contains("9999/10000");
        assertThat(new Shard(3, 16).fileName()).isEqualTo("3-of-16");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3/3",
                "4/3",
                "a/b",
                "0/0",
                "1",
                "",
                "/",
                "-1/3",
                "1/-3",
                "0/10001",
                "0/99999999999",
                "1 / 3",
                "1/3/5",
                "٠/٣"
            })
    void rejectsMalformedNames(String name) {
        assertThat(Shard.named(name)).isEmpty();
    }

    @Test
    void sharesRunsWithTheOthers() {
        var shards =
                IntStream.range(0, 3).mapToObj(number -> new Shard(number, 3)).toList();

        assertThat(IntStream.range(0, 100).boxed())
                .allMatch(index ->
                        shards.stream().filter(shard -> shard.has(index)).count() == 1);
    }
}
