package berth.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The problems that are specific to a call, for the OpenAPI document. Problems that any call can have, or that follow from its path,
 * headers or body, are not listed: {@code DocumentedOperations} adds them by rules.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Refuses {
    ProblemCode[] value();
}
