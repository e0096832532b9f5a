package berth.lab.experiment.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import berth.availability.PlacementPolicy;
import berth.cluster.Binding;
import berth.cluster.Juggling;
import berth.cluster.ReplanOrder;
import berth.lab.experiment.Sample;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingRankingTest {
    private static final Setting PLAIN = setting(PlacementPolicy.FIRST_FIT);
    private static final Setting OTHER = setting(PlacementPolicy.PE_BEST_FIT);
    private static final Setting THIRD = setting(PlacementPolicy.PE_WORST_FIT);

    @Test
    void putsTheBestFirstWhicheverWayIsBetter() {
        var samples = Map.of(PLAIN, sample(10, 12), OTHER, sample(20, 22), THIRD, sample(14, 16));

        assertThat(ranking(Aim.UTILISATION, samples).ranks())
                .extracting(SettingRanking.Rank::preferred)
                .containsExactly(OTHER, THIRD, PLAIN);
        assertThat(ranking(Aim.SLOWDOWN, samples).ranks())
                .extracting(SettingRanking.Rank::preferred)
                .containsExactly(PLAIN, THIRD, OTHER);
    }

    @Test
    void givesOneRankToSettingsThatAreEqualInEveryWindow() {
        var ranking =
                ranking(Aim.ACCEPTANCE, Map.of(PLAIN, sample(10, 12), OTHER, sample(12, 10), THIRD, sample(10, 12)));

        assertThat(ranking.ranks()).hasSize(2);
        assertThat(ranking.best().settings()).as("the plainest first").containsExactly(PLAIN, THIRD);
        assertThat(ranking.next().map(SettingRanking.Rank::preferred)).contains(OTHER);
        assertThat(ranking(Aim.ACCEPTANCE, Map.of(PLAIN, sample(1), OTHER, sample(1)))
                        .next())
                .isEmpty();
    }

    @Test
    void leadsByTheDifferencesInEachWindow() {
        var less = ranking(Aim.SLOWDOWN, Map.of(PLAIN, sample(1, 3, 2), OTHER, sample(2, 4, 3)));
        var more = ranking(Aim.REVENUE, Map.of(PLAIN, sample(1, 3, 2), OTHER, sample(2, 4, 3)));

        assertThat(less.lead(sample(2, 4, 3)).mean()).isEqualTo(1);
        assertThat(less.lead(sample(2, 4, 3)).isAbove(0)).isTrue();
        assertThat(more.lead(sample(1, 3, 2)).mean()).isEqualTo(1);
    }

    @Test
    void doesNotSeparateSettingsThatDifferByChance() {
        var ranking = ranking(
                Aim.UTILISATION, Map.of(PLAIN, sample(9, 13, 10), OTHER, sample(10, 12, 11), THIRD, sample(1, 2, 1)));

        assertThat(ranking.best().preferred()).isEqualTo(OTHER);
        assertThat(ranking.withinChance()).containsExactly(OTHER, PLAIN);
        assertThat(ranking(Aim.UTILISATION, Map.of(PLAIN, sample(1), OTHER, sample(50)))
                        .withinChance())
                .as("a single window tells nothing")
                .containsExactly(OTHER, PLAIN);
    }

    @Test
    void allowsForTheBestHavingBeenChosenAmongAll() {
        Sample best = sample(11.2, 11.4, 11.0, 11.2);
        Sample plain = sample(10, 11, 10.5, 10.3);
        var two = ranking(Aim.UTILISATION, Map.of(PLAIN, plain, OTHER, best));
        var many = new SettingRanking(
                Aim.UTILISATION,
                Stream.concat(
                                two.ranks().stream(),
                                Stream.of(new SettingRanking.Rank(Collections.nCopies(180, THIRD), plain)))
                        .toList());

        assertThat(two.lead(plain)).as("the same interval").isEqualTo(many.lead(plain));
        assertThat(two.lead(plain).isAbove(0)).isTrue();
        assertThat(many.isBeyondChance(plain)).isFalse();
        assertThat(many.withinChance()).contains(PLAIN);
        assertThat(two.isBeyondChance(sample(1, 1, 1, 1))).isTrue();
    }

    private static SettingRanking ranking(Aim aim, Map<Setting, Sample> samples) {
        return SettingRanking.of(
                aim,
                List.copyOf(samples.keySet()),
                Setting.PLAINEST_FIRST,
                setting -> Optional.ofNullable(samples.get(setting)).orElseThrow());
    }

    private static Sample sample(double... values) {
        return new Sample(Arrays.stream(values).boxed().toList());
    }

    private static Setting setting(PlacementPolicy placement) {
        return new Setting(placement, Juggling.ALWAYS, ReplanOrder.FIFO, Binding.LATE);
    }
}
