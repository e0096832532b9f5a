package berth.rest;

import berth.sla.AutoExtension;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run goes on by itself before it ends, as long as there is room for it.
 *
 * @param step by how much it is extended each time, at least a minute
 * @param until when it ends at the latest
 */
record AutoExtensionBody(
        @Required @Nullable String step, @Required @Nullable String until) {

    /** The shortest step, in seconds: each is an event. */
    private static final long MIN_STEP = 60;

    Optional<AutoExtension> read(Fields fields) {
        fields.required("terms.autoExtend.step", step, "");
        fields.required("terms.autoExtend.until", until, "");
        var seconds = fields.durationUp("terms.autoExtend.step", step);
        var latest = fields.instantDown("terms.autoExtend.until", until);
        if (step != null && seconds.isPresent() && seconds.getAsLong() < MIN_STEP) {
            fields.invalid("terms.autoExtend.step", step, "must be at least PT%dS".formatted(MIN_STEP));
            return Optional.empty();
        }
        return seconds.isPresent() && latest.isPresent()
                ? Optional.of(new AutoExtension(seconds.getAsLong(), latest.getAsLong()))
                : Optional.empty();
    }

    static AutoExtensionBody of(AutoExtension extension) {
        return new AutoExtensionBody(
                Texts.duration(extension.step()),
                Texts.instant(extension.until()).toString());
    }
}
