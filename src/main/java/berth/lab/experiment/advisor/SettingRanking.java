package berth.lab.experiment.advisor;

import berth.lab.experiment.Estimate;
import berth.lab.experiment.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Settings ranked by an aim.
 *
 * @param ranks the ranks, best first, at least one
 */
record SettingRanking(Aim aim, List<Rank> ranks) {

    /**
     * Settings that are equal in every window.
     *
     * @param settings at least one, in the order of preference
     * @param sample a value for each window
     */
    record Rank(List<Setting> settings, Sample sample) {

        /** Returns the setting to choose. */
        Setting preferred() {
            return settings.getFirst();
        }
    }

    /**
     * Ranks by the means. Among settings with equal means that differ in some window, the preferred come first.
     *
     * @param preferred the order of preference among equal settings
     * @param sample returns the sample of a setting, with a value for each window
     */
    static SettingRanking of(
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
        return new SettingRanking(aim, ranks);
    }

    Rank best() {
        return ranks.getFirst();
    }

    /** Returns the best rank after the first; empty if all settings are equal. */
    Optional<Rank> next() {
        return ranks.stream().skip(1).findFirst();
    }

    /** Returns by how much the best is better than {@code over}, window by window, as if nothing else had been compared. */
    Estimate lead(Sample over) {
        return differences(over).estimate();
    }

    /**
     * Whether the best is significantly better than {@code over}, although it was chosen by these very windows: the interval is above 0
     * even if it is wide enough for the intervals of all settings to hold together.
     */
    boolean isBeyondChance(Sample over) {
        return differences(over).estimateAmong(settings()).isAbove(0);
    }

    private Sample differences(Sample over) {
        return aim.sign() > 0 ? best().sample().minus(over) : over.minus(best().sample());
    }

    /** Returns among how many settings the best was chosen. */
    private int settings() {
        return ranks.stream().mapToInt(rank -> rank.settings().size()).sum();
    }

    /** Returns all settings that are not significantly worse than the best. */
    List<Setting> withinChance() {
        return ranks.stream()
                .filter(rank -> !isBeyondChance(rank.sample()))
                .flatMap(rank -> rank.settings().stream())
                .toList();
    }
}
