package berth.rest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The problems of its own that a call can end in, for the document. Those that any call can end in, or that follow from
 * its path, headers or body, are not named: {@code DocumentedOperations} knows the rule.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Refuses {
    ProblemCode[] value();
}
