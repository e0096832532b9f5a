package berth.lab.experiment.whatif;

import berth.cluster.AvailabilityMethod;
import java.util.ArrayList;
import java.util.List;

/**
 * One of the paper's experiments.
 *
 * @param method the method that rates slots
 * @param bookAhead hours from a request to its earliest start (bat)
 * @param slack how much later it may start, in hours (stw)
 */
record WhatIfSetting(AvailabilityMethod method, int bookAhead, int slack, Variant variant) {
    static final List<AvailabilityMethod> METHODS = List.of(AvailabilityMethod.LOAD, AvailabilityMethod.WHAT_IF);
    static final List<Integer> BOOK_AHEAD = List.of(0, 2, 4, 6, 12, 24);
    static final List<Integer> SLACK = List.of(0, 1, 2, 5, 10, 30);
    static final int WIDEST = 30;

    /** Returns the setting with the paper's jobs. */
    static WhatIfSetting of(AvailabilityMethod method, int bookAhead, int slack) {
        return new WhatIfSetting(method, bookAhead, slack, Variant.STANDARD);
    }

    /** Returns the settings of a method and a variant with the 36 workloads of section 5.1. */
    static List<WhatIfSetting> all(AvailabilityMethod method, Variant variant) {
        List<WhatIfSetting> all = new ArrayList<>();
        for (int bookAhead : BOOK_AHEAD) {
            for (int slack : SLACK) {
                all.add(new WhatIfSetting(method, bookAhead, slack, variant));
            }
        }
        return all;
    }

    /** Returns the settings with at most 2 h of book-ahead time and of slack: section 5.2. */
    static List<WhatIfSetting> tight(AvailabilityMethod method, Variant variant) {
        return all(method, variant).stream()
                .filter(setting -> setting.bookAhead <= 2 && setting.slack <= 2)
                .toList();
    }

    /** Returns the settings of Table 1 and Figure 4, which have the widest slack. */
    static List<WhatIfSetting> widest(AvailabilityMethod method, Variant variant) {
        return all(method, variant).stream()
                .filter(setting -> setting.slack == WIDEST)
                .toList();
    }
}
