package berth.sla;

/** How the provider classes an account (paper 003, section 3.2): the tariff asks more of {@code PREMIUM}. */
public enum ServiceClass {
    STANDARD,
    PREMIUM
}
