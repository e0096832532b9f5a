package berth.sla;

/** The provider's class for an account (paper 003, section 3.2). The tariff charges {@code PREMIUM} accounts more. */
public enum ServiceClass {
    STANDARD,
    PREMIUM
}
