package berth.lab.experiment.slots;

import static berth.lab.experiment.slots.SlotSetting.DEFAULT_ARRIVALS;
import static berth.lab.experiment.slots.SlotSetting.DEFAULT_MEDIUM;

import java.util.List;
import java.util.stream.Stream;

/** The three series of experiments. In each, one parameter varies and the others keep their defaults. */
enum SlotSweep {
    /** Larger and longer jobs. */
    SIZES("umed") {
        @Override
        List<SlotSetting> settings(Pairs pairs) {
            return Stream.of(5.0, 6.0, 7.0, 8.0, 9.0)
                    .map(medium -> new SlotSetting(medium, DEFAULT_ARRIVALS, pairs.middle()))
                    .toList();
        }

        @Override
        String point(SlotSetting setting) {
            return text(setting.medium());
        }
    },
    /** Denser requests. */
    ARRIVALS("arrival factor") {
        @Override
        List<SlotSetting> settings(Pairs pairs) {
            return Stream.of(0.5, 0.75, 1.0, 1.25, 1.5)
                    .map(factor -> new SlotSetting(DEFAULT_MEDIUM, factor, pairs.middle()))
                    .toList();
        }

        @Override
        String point(SlotSetting setting) {
            return text(setting.arrivalFactor());
        }
    },
    /** Requests further in advance and with looser deadlines. */
    FLEXIBILITY("artime and deadline factor") {
        @Override
        List<SlotSetting> settings(Pairs pairs) {
            return pairs.five().stream()
                    .map(pair -> new SlotSetting(DEFAULT_MEDIUM, DEFAULT_ARRIVALS, pair))
                    .toList();
        }

        @Override
        String point(SlotSetting setting) {
            return setting.pair().text();
        }
    };

    private final String axis;

    SlotSweep(String axis) {
        this.axis = axis;
    }

    /** Returns the name of the varying parameter. */
    String axis() {
        return axis;
    }

    abstract List<SlotSetting> settings(Pairs pairs);

    /** Returns the value of the varying parameter as a name. */
    abstract String point(SlotSetting setting);

    /** Formats a number, without decimals if it is whole. */
    static String text(double number) {
        return String.valueOf(number).replaceFirst("\\.0$", "");
    }
}
