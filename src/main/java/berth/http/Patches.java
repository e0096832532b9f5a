package berth.http;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The record that a JSON merge patch changes. The OpenAPI document needs it, because controllers read the patch as plain JSON. */
@Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
public @interface Patches {
    Class<? extends Record> value();
}
