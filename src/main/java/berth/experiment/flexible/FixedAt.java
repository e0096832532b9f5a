package berth.experiment.flexible;

import berth.sla.Fixing;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/** After which share of its waiting time a reservation is not moved any more. */
enum FixedAt {
    ACCEPTANCE("0"),
    QUARTER("0.25"),
    HALF("0.5"),
    THREE_QUARTERS("0.75"),
    /** It may be moved until it starts. */
    START("1");

    private final BigDecimal share;

    FixedAt(String share) {
        this.share = new BigDecimal(share);
    }

    Fixing fixing() {
        return this == START ? Fixing.BY_NOTICE : new Fixing(Optional.of(share), OptionalLong.empty());
    }
}
