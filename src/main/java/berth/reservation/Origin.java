package berth.reservation;

import berth.sla.ServiceClass;
import java.util.Optional;

/**
 * Who asked for a reservation, and what they call it.
 *
 * @param owner name of the account
 * @param serviceClass how the account was classed then
 * @param name the client's own label
 * @param project what the client files it under
 */
public record Origin(String owner, ServiceClass serviceClass, Optional<String> name, Optional<String> project) {}
