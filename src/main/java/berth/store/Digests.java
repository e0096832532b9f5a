package berth.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

public final class Digests {

    private Digests() {}

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
