package berth.scheduling;

import berth.reservation.ClientLabels;
import berth.reservation.Origin;
import berth.reservation.Reservation;
import berth.reservation.ReservationId;
import berth.scheduling.commands.Renegotiate;
import berth.scheduling.commands.Reserve;
import berth.scheduling.places.Preference;
import berth.scheduling.places.Probe;
import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.AutoExtension;
import berth.sla.Customer;
import berth.sla.Fixing;
import berth.sla.Follow;
import berth.sla.Moldability;
import berth.sla.Money;
import berth.sla.MoveBounds;
import berth.sla.Preemption;
import berth.sla.RequestedTerms;
import berth.sla.ServiceClass;
import java.math.BigDecimal;
import java.util.Currency;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A client's request, by default a first fit that is confirmed at once. */
public final class Request implements Cloneable {

    private ReservationId id;
    private int pes;
    private long duration;
    /** The account of a request that names none. */
    public static final Customer ADA = new Customer(new AccountName("ada"), ServiceClass.STANDARD);

    private Preference preference = Preference.EARLIEST_START;
    private Optional<String> project = Optional.empty();
    private AccountName owner = ADA.name();
    private ServiceClass serviceClass = ServiceClass.STANDARD;
    private OptionalLong readyTime = OptionalLong.empty();
    private OptionalLong deadline = OptionalLong.empty();
    private Optional<Moldability> moldability = Optional.empty();
    private Optional<Preemption> preemption = Optional.empty();
    private Optional<Money> budget = Optional.empty();
    private Map<String, String> requires = Map.of();
    private Fixing fixing = Fixing.BY_NOTICE;
    private Optional<AutoExtension> autoExtension = Optional.empty();
    private MoveBounds mobility = MoveBounds.NONE;
    private OptionalLong start = OptionalLong.empty();
    private OptionalLong hold = OptionalLong.empty();
    private Allowance allowance = Allowance.UNLIMITED;

    private Request(ReservationId id, int pes, long duration) {
        this.id = id;
        this.pes = pes;
        this.duration = duration;
    }

    /** Creates a request; {@code number} names the reservation. */
    public static Request of(int number, int pes, long duration) {
        return new Request(id(number), pes, duration);
    }

    /** Returns agreed terms as a request, for a change. */
    public static Request like(Reservation agreed) {
        var terms = agreed.terms();
        int pes = terms.moldability().map(Moldability::maxPes).orElse(terms.pes());
        return new Request(agreed.id(), pes, terms.duration()).with(next -> {
            next.owner = agreed.origin().owner();
            next.serviceClass = agreed.origin().serviceClass();
            next.readyTime = OptionalLong.of(terms.window().readyTime());
            next.deadline = OptionalLong.of(terms.window().deadline());
            next.moldability = terms.moldability();
            next.preemption = terms.preemption();
            next.budget = terms.budget();
            next.requires = terms.requires();
            next.fixing = terms.fixing();
            next.autoExtension = terms.autoExtension();
            next.mobility = terms.mobility();
        });
    }

    public static ReservationId id(int number) {
        return new ReservationId(new UUID(0, number));
    }

    /** Returns a target for any version. */
    public static Target target(int number) {
        return new Target(id(number), OptionalInt.empty());
    }

    public static Money usd(String amount) {
        return new Money(new BigDecimal(amount), Currency.getInstance("USD"));
    }

    public Request pes(int number) {
        return with(next -> next.pes = number);
    }

    public Request duration(long seconds) {
        return with(next -> next.duration = seconds);
    }

    /** Sets an explicit list of shapes, as in {@code 8:20 4:40} for seconds by PEs. */
    public Request shapes(String pesAndSeconds) {
        var runTimes = new TreeMap<Integer, Long>();
        for (var shape : pesAndSeconds.split(" ")) {
            int colon = shape.indexOf(':');
            runTimes.put(Integer.valueOf(shape.substring(0, colon)), Long.valueOf(shape.substring(colon + 1)));
        }
        return moldable(new Moldability.Runtimes(runTimes))
                .duration(runTimes.lastEntry().getValue());
    }

    /** Sets the numbers of PEs; the duration is that on the most. */
    public Request moldable(Moldability how) {
        return with(next -> {
            next.pes = how.maxPes();
            next.moldability = Optional.of(how);
            next.autoExtension = Optional.empty();
        });
    }

    public Request rigid() {
        return with(next -> next.moldability = Optional.empty());
    }

    /** Sets Sp(N, I, M) of paper 003. */
    public Request split(int maxParts, String step, boolean moldableParts) {
        return split(new Preemption(OptionalInt.of(maxParts), new BigDecimal(step), moldableParts));
    }

    public Request split(Preemption how) {
        return with(next -> {
            next.preemption = Optional.of(how);
            next.autoExtension = Optional.empty();
        });
    }

    public Request whole() {
        return with(next -> next.preemption = Optional.empty());
    }

    public Request ready(long second) {
        return with(next -> next.readyTime = OptionalLong.of(second));
    }

    public Request readyAtOnce() {
        return with(next -> next.readyTime = OptionalLong.empty());
    }

    public Request deadline(long second) {
        return with(next -> next.deadline = OptionalLong.of(second));
    }

    /** Lets the run begin, and move, at any time within the horizon of a cluster that was created now. */
    public Request atAnyTime() {
        return deadline(LiveCluster.HORIZON);
    }

    public Request noDeadline() {
        return with(next -> next.deadline = OptionalLong.empty());
    }

    public Request budget(String amount) {
        return budget(usd(amount));
    }

    public Request budget(Money most) {
        return with(next -> next.budget = Optional.of(most));
    }

    public Request requires(String label, String value) {
        return with(next -> next.requires = Map.of(label, value));
    }

    public Request fixAfter(String share) {
        return with(next -> next.fixing = new Fixing(Optional.of(new BigDecimal(share)), fixing.before()));
    }

    public Request fixBefore(long seconds) {
        return with(next -> next.fixing = new Fixing(fixing.after(), OptionalLong.of(seconds)));
    }

    /** Sets how often the run may be moved. */
    public Request maxMoves(int moves) {
        return with(next -> next.mobility = new MoveBounds(OptionalInt.of(moves), mobility.maxShift()));
    }

    /** Lets the run be moved into cheaper hours. */
    public Request following() {
        return with(next -> next.mobility = mobility.following(Optional.of(Follow.CHEAPEST)));
    }

    /** Sets how far the run may be moved, in seconds. */
    public Request maxShift(long seconds) {
        return with(next -> next.mobility = new MoveBounds(mobility.maxMoves(), OptionalLong.of(seconds)));
    }

    /** Sets an automatic extension. */
    public Request autoExtend(long step, long until) {
        return with(next -> next.autoExtension = Optional.of(new AutoExtension(step, until)));
    }

    public Request premium() {
        return with(next -> next.serviceClass = ServiceClass.PREMIUM);
    }

    /** Sets the order of a probe's slots. */
    public Request orderedBy(Preference order) {
        return with(next -> next.preference = order);
    }

    public Request owner(String name) {
        return with(next -> next.owner = new AccountName(name));
    }

    public Request project(String label) {
        return with(next -> next.project = Optional.of(label));
    }

    /** Sets limits, with what the owner has elsewhere; what others have is left out. */
    public Request limits(AccountLimits limits, Reservation... elsewhere) {
        var own = Stream.of(elsewhere)
                .filter(reservation -> reservation.origin().owner().equals(owner))
                .toList();
        return with(next -> next.allowance = new Allowance(limits, own));
    }

    public Request start(long second) {
        return with(next -> next.start = OptionalLong.of(second));
    }

    public Request hold(long seconds) {
        return with(next -> next.hold = OptionalLong.of(seconds));
    }

    private Request with(Consumer<Request> change) {
        try {
            var next = (Request) clone();
            change.accept(next);
            return next;
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    public RequestedTerms terms() {
        return new RequestedTerms(
                readyTime,
                deadline,
                duration,
                pes,
                moldability,
                preemption,
                budget,
                requires,
                fixing,
                autoExtension,
                mobility);
    }

    public Allowance allowance() {
        return allowance;
    }

    public Reserve reserve() {
        return new Reserve(
                id, new Origin(owner, serviceClass, ClientLabels.NONE.with("project", project)), terms(), start, hold);
    }

    public Renegotiate renegotiate() {
        return new Renegotiate(new Target(id, OptionalInt.empty()), terms());
    }

    /** Returns the probe for this request; probes have no chosen starts. */
    public Probe probe(int limit) {
        return new Probe(terms(), new Customer(owner, serviceClass), preference, hold.orElse(0), limit);
    }
}
