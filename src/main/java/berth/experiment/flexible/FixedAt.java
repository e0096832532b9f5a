package berth.experiment.flexible;

import berth.sla.Fixing;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/** After which share of its waiting time a reservation is not moved any more. */
enum FixedAt {
    ACCEPTANCE("0", "acceptance"),
    QUARTER("0.25", "25 %"),
    HALF("0.5", "50 %"),
    THREE_QUARTERS("0.75", "75 %"),
    /** It may be moved until it starts. */
    START("1", "start");

    private final BigDecimal share;
    private final String words;

    FixedAt(String share, String words) {
        this.share = new BigDecimal(share);
        this.words = words;
    }

    /** For people. */
    String words() {
        return words;
    }

    Fixing fixing() {
        return this == START ? Fixing.BY_NOTICE : new Fixing(Optional.of(share), OptionalLong.empty());
    }
}
