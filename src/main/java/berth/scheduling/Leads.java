package berth.scheduling;

import berth.reservation.Lead;
import berth.sla.AccountName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How long ahead the starts and ends of reservations are announced. They are no part of what is recorded: they say when something will
 * be announced, and what has been is in the reservations. A value.
 *
 * @param ofAll in which everybody's reservations are announced; each is there once
 * @param ofOwners in which those of an account are, beside these
 */
public record Leads(List<Lead> ofAll, Map<AccountName, List<Lead>> ofOwners) {

    /** Nobody wants to be told anything ahead. */
    public static final Leads NONE = new Leads(List.of(), Map.of());

    public Leads {
        ofAll = List.copyOf(ofAll);
        ofOwners = Map.copyOf(ofOwners);
    }

    /**
     * What is asked for, in seconds.
     *
     * @param ofAll for everybody's reservations
     * @param ofOwners for those of an account
     */
    public record Asked(Set<Long> ofAll, Map<AccountName, Set<Long>> ofOwners) {

        /** Nobody asks for anything. */
        public static final Asked NOTHING = new Asked(Set.of(), Map.of());

        public Asked {
            ofAll = Set.copyOf(ofAll);
            ofOwners = Map.copyOf(ofOwners);
        }
    }

    /** Those in which the reservations of an account are announced. */
    Collection<Lead> of(AccountName owner) {
        var own = ofOwners.getOrDefault(owner, List.of());
        if (own.isEmpty()) {
            return ofAll;
        }
        if (ofAll.isEmpty()) {
            return own;
        }
        var both = new HashMap<Long, Lead>();
        ofAll.forEach(lead -> both.put(lead.seconds(), lead));
        own.forEach(
                lead -> both.merge(lead.seconds(), lead, (one, other) -> one.since() <= other.since() ? one : other));
        return sorted(both.values());
    }

    /** What is asked for from {@code now} on; what was before, since then. */
    public Leads asking(Asked asked, long now) {
        var owners = new HashMap<AccountName, List<Lead>>();
        asked.ofOwners()
                .forEach((owner, seconds) ->
                        owners.put(owner, leads(ofOwners.getOrDefault(owner, List.of()), seconds, now)));
        return new Leads(leads(ofAll, asked.ofAll(), now), owners);
    }

    private static List<Lead> leads(List<Lead> before, Set<Long> seconds, long now) {
        var leads = new ArrayList<Lead>();
        for (long each : seconds) {
            leads.add(before.stream()
                    .filter(lead -> lead.seconds() == each)
                    .findFirst()
                    .orElse(new Lead(each, now)));
        }
        return sorted(leads);
    }

    private static List<Lead> sorted(Collection<Lead> leads) {
        return leads.stream().sorted(Comparator.comparingLong(Lead::seconds)).toList();
    }
}
