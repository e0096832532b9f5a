package berth.sla;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of a record as something that clients set, and gives its bounds. Berth reads, checks, shows and documents a setting by
 * its component alone: the Javadoc of the component is its description, and a {@code long} is a duration in seconds.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Settable {

    /** The name that clients use; if empty, that of the component. */
    String name() default "";

    /** The lowest value, of a duration in seconds; empty for none. */
    String min() default "";

    /** The highest value, of a duration in seconds; empty for none. */
    String max() default "";

    /** What else to do if a value is out of bounds. */
    String hint() default "";

    /** A value, of a duration in ISO 8601. */
    String example() default "";

    /** Whether a decimal number is an amount of money. */
    boolean isMoney() default false;

    /** Whether each record must state it, because there is no default. */
    boolean isRequired() default false;
}
