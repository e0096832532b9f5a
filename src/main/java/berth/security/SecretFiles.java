package berth.security;

import java.nio.file.Path;

/** Keeps secrets in files that only the service's user can read. */
@FunctionalInterface
public interface SecretFiles {

    /** Writes a secret to the file of that name, in the place of what was there, and answers where it is. */
    Path write(String name, String secret);
}
