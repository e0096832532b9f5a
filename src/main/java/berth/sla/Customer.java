package berth.sla;

/**
 * The account that would pay for a run.
 *
 * @param name its name; its own reservations do not make its prices rise
 * @param serviceClass the provider's class for it
 */
public record Customer(AccountName name, ServiceClass serviceClass) {}
