package berth.budget;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Currency;
import java.util.List;

/**
 * What an event of a reservation writes into the ledger.
 *
 * @param amount less than 0 only for an adjustment
 * @param peSeconds likewise
 */
public record Posting(EntryKind kind, BigDecimal amount, Currency currency, long peSeconds) {

    private static Posting of(EntryKind kind, Quantity quantity) {
        return new Posting(kind, quantity.money().amount(), quantity.money().currency(), quantity.peSeconds());
    }

    /**
     * What takes a reservation from what it took to what it takes; nothing where that is the same.
     *
     * @param held what was held for it until now
     * @param after what it takes from now on
     */
    public static List<Posting> of(Quantity held, Dues after) {
        var postings = new ArrayList<Posting>();
        var next = after.held();
        boolean isOneCurrency = held.money().currency().equals(next.money().currency());
        if (!held.isNothing() && !next.isNothing() && isOneCurrency) {
            if (!held.equals(next)) {
                postings.add(new Posting(
                        EntryKind.ADJUST,
                        next.money().amount().subtract(held.money().amount()),
                        next.money().currency(),
                        next.peSeconds() - held.peSeconds()));
            }
        } else {
            add(EntryKind.RELEASE, held, postings);
            add(EntryKind.HOLD, next, postings);
        }
        add(EntryKind.CHARGE, after.charged(), postings);
        add(EntryKind.CREDIT, after.credited(), postings);
        return postings;
    }

    private static void add(EntryKind kind, Quantity quantity, List<Posting> postings) {
        if (!quantity.isNothing()) {
            postings.add(of(kind, quantity));
        }
    }
}
