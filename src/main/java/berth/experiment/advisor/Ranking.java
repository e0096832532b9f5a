package berth.experiment.advisor;

import berth.experiment.Estimate;
import berth.experiment.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Settings by how well they serve an aim.
 *
 * @param ranks the best first, at least one
 */
record Ranking(Aim aim, List<Rank> ranks) {

    /**
     * Settings that are equal in every window.
     *
     * @param settings at least one, in the order in which they are to be preferred
     * @param sample a value for each window
     */
    record Rank(List<Setting> settings, Sample sample) {

        /** The one to take. */
        Setting preferred() {
            return settings.getFirst();
        }
    }

    /**
     * Ranks by the means; of equal means that are not equal in every window, those to be preferred come first.
     *
     * @param preferred which of equal settings comes first
     * @param sample of a setting, a value for each window
     */
    static Ranking of(
            Aim aim, List<Setting> settings, Comparator<Setting> preferred, Function<Setting, Sample> sample) {
        Map<Sample, List<Setting>> equal = new LinkedHashMap<>();
        settings.stream()
                .sorted(preferred)
                .forEach(setting -> equal.computeIfAbsent(sample.apply(setting), none -> new ArrayList<>())
                        .add(setting));
        List<Rank> ranks = new ArrayList<>();
        equal.forEach((values, which) -> ranks.add(new Rank(which, values)));
        ranks.sort(
                Comparator.comparingDouble(rank -> -aim.sign() * rank.sample().mean()));
        return new Ranking(aim, ranks);
    }

    Rank best() {
        return ranks.getFirst();
    }

    /** The best that is not equal to the best; empty: all are equal. */
    Optional<Rank> next() {
        return ranks.stream().skip(1).findFirst();
    }

    /** By how much the best is better than something else, window by window, as if nothing else had been compared. */
    Estimate lead(Sample over) {
        return differences(over).estimate();
    }

    /**
     * Whether the best is better than something else beyond what chance explains, although it is the best of these very
     * windows: the interval is above 0 even if it is made wide enough for those of all settings to hold at once.
     */
    boolean isBeyondChance(Sample over) {
        return differences(over).estimateAmong(settings()).isAbove(0);
    }

    private Sample differences(Sample over) {
        return aim.sign() > 0 ? best().sample().minus(over) : over.minus(best().sample());
    }

    /** How many settings the best was chosen among. */
    private int settings() {
        return ranks.stream().mapToInt(rank -> rank.settings().size()).sum();
    }

    /** All settings of which it cannot be told that they are worse than the best. */
    List<Setting> withinChance() {
        return ranks.stream()
                .filter(rank -> !isBeyondChance(rank.sample()))
                .flatMap(rank -> rank.settings().stream())
                .toList();
    }
}
