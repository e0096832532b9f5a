package berth.accounts;

import java.nio.file.Path;

/** Stores secrets in files that only the service's operating-system user can read. */
@FunctionalInterface
public interface SecretFiles {

    /** Writes a secret to the file of that name, replacing its content, and returns the path. */
    Path write(String name, String secret);
}
