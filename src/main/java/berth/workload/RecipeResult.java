package berth.workload;

/** What a recipe makes of a job: a request, or the reason why none. */
public sealed interface RecipeResult permits ReservationRequest, SkipReason {}
