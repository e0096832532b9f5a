package berth.desk;

import berth.desk.Limits.Entered;
import berth.scheduling.Allowance;
import berth.sla.AccountName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How much accounts may book for which nobody asks at the moment: while a batch is decided and recorded, nobody else books for those
 * that it has looked at.
 */
final class Allowances {

    private final Function<AccountName, Optional<Entered>> enter;
    private final Map<AccountName, Optional<Entered>> entered = new HashMap<>();

    /** @param enter sees to it that nobody else books for an account; empty: somebody does */
    Allowances(Function<AccountName, Optional<Entered>> enter) {
        this.enter = enter;
    }

    /** How much an account may book; empty while others book for it. */
    Optional<Allowance> of(AccountName owner) {
        return entered.computeIfAbsent(owner, enter).map(Entered::allowance);
    }

    /** Lets others book again. */
    void release() {
        entered.values()
                .forEach(one -> one.ifPresent(present -> present.release().run()));
        entered.clear();
    }
}
