package berth.booking.terms;

import berth.http.Fields;
import berth.http.Required;
import berth.http.Texts;
import berth.sla.AutoExtension;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Automatic extension: Berth extends a run repeatedly before it ends, while there is room for it.
 *
 * @param step length of each extension, at least a minute
 * @param until the latest end of the run
 */
record AutoExtensionBody(
        @Required @Nullable String step, @Required @Nullable String until) {

    /** The shortest step, in seconds. It is bounded because each extension records an event. */
    private static final long MIN_STEP = 60;

    Optional<AutoExtension> read(Fields fields) {
        fields.required("terms.autoExtend.step", step, "");
        fields.required("terms.autoExtend.until", until, "");
        var seconds = fields.durationUp("terms.autoExtend.step", step);
        var latest = fields.instantUp("terms.autoExtend.until", until);
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
