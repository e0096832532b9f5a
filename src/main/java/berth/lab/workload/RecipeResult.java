package berth.lab.workload;

/** The result of a recipe for a job: a request, or the reason why there is none. */
sealed interface RecipeResult permits ReservationRequest, SkipReason {}
