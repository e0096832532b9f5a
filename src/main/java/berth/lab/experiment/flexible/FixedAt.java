package berth.lab.experiment.flexible;

import berth.sla.Fixing;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/** The share of its waiting time after which a reservation no longer moves. */
enum FixedAt {
    ACCEPTANCE("0", "acceptance"),
    QUARTER("0.25", "25 %"),
    HALF("0.5", "50 %"),
    THREE_QUARTERS("0.75", "75 %"),
    /** It can move until it starts. */
    START("1", "start");

    private final BigDecimal share;
    private final String words;

    FixedAt(String share, String words) {
        this.share = new BigDecimal(share);
        this.words = words;
    }

    /** Returns a description. */
    String words() {
        return words;
    }

    Fixing fixing() {
        return this == START ? Fixing.BY_NOTICE : new Fixing(Optional.of(share), OptionalLong.empty());
    }
}
