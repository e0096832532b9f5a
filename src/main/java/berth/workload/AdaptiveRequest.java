package berth.workload;

import berth.sla.Moldability;
import berth.sla.Preemption;
import berth.sla.ServiceClass;
import java.util.Optional;

/**
 * A request that the provider may adapt (paper 003, section 3).
 *
 * @param request in its largest shape and in one piece
 * @param moldability what else the run may become; empty: it is rigid
 * @param preemption how it may be split; empty: not at all
 * @param serviceClass of the account that makes it
 */
public record AdaptiveRequest(
        ReservationRequest request,
        Optional<Moldability> moldability,
        Optional<Preemption> preemption,
        ServiceClass serviceClass) {}
