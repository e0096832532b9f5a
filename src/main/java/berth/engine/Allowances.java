package berth.engine;

import berth.engine.BookingLimits.Entered;
import berth.scheduling.Allowance;
import berth.sla.AccountName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How much more accounts may reserve for automatic changes, for which no client waits. While a batch is decided and recorded, no other
 * decision reserves for the accounts that it has asked about.
 */
final class Allowances {

    private final Function<AccountName, Optional<Entered>> enter;
    private final Map<AccountName, Optional<Entered>> entered = new HashMap<>();

    /**
     * Creates the allowances of a batch.
     *
     * @param enter excludes other decisions for an account; empty if another one is in progress
     */
    Allowances(Function<AccountName, Optional<Entered>> enter) {
        this.enter = enter;
    }

    /** Returns how much more an account may reserve; empty while another decision for it is in progress. */
    Optional<Allowance> of(AccountName owner) {
        return entered.computeIfAbsent(owner, enter).map(Entered::allowance);
    }

    /** Lets other decisions reserve for these accounts again. */
    void release() {
        entered.values()
                .forEach(one -> one.ifPresent(present -> present.release().run()));
        entered.clear();
    }
}
