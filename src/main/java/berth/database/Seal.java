package berth.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.security.crypto.encrypt.AesGcmBytesEncryptor;
import org.springframework.security.crypto.encrypt.BytesEncryptor;

/**
 * Encrypts the tokens and secrets in the database, and sessions of the page, with a key in a separate file, so that a copy of the database alone reveals none.
 * AES-256 in Galois/Counter Mode. Thread-safe.
 */
public final class Seal {

    /** The name of the file with the key: 32 bytes in hexadecimal, created at the first start. */
    static final String FILE = "secrets.key";

    /** The prefix of an encrypted secret, which no unencrypted one has. */
    private static final String MARK = "sealed:";

    private static final int KEY_BYTES = 32;

    private final SecretKey key;
    private final BytesEncryptor encryptor;

    /**
     * Creates the seal.
     *
     * @param given the key; blank to use the file
     * @throws StartRefused if there is no key, or the file cannot be used
     */
    public Seal(DataDirectory directory, String given, InstanceMode instances) {
        this(key(directory, given, instances));
    }

    private Seal(SecretKey key) {
        this.key = key;
        this.encryptor = AesGcmBytesEncryptor.withSecretKey(key).build();
    }

    /** Returns a seal for one purpose, with a key derived from this one's: neither opens what the other has sealed. */
    public Seal derived(String purpose) {
        try {
            var info = purpose.getBytes(StandardCharsets.UTF_8);
            return new Seal(KDF.getInstance("HKDF-SHA256")
                    .deriveKey("AES", HKDFParameterSpec.expandOnly(key, info, KEY_BYTES)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HKDF-SHA256.", e);
        }
    }

    private static SecretKey key(DataDirectory directory, String given, InstanceMode instances) {
        if (!given.isBlank()) {
            return key(given, "BERTH_SECRETS_KEY", "Make a key with: openssl rand -hex 32");
        }
        if (instances == InstanceMode.MANY) {
            throw new StartRefused(
                    "Several instances need one common key for sealing secrets, but BERTH_SECRETS_KEY is not set.",
                    "Make a key with: openssl rand -hex 32. Give it to all instances as BERTH_SECRETS_KEY.");
        }
        var file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            var key = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(key);
            directory.writeSecret(FILE, HexFormat.of().formatHex(key));
        }
        return key(
                read(file),
                file.toString(),
                "Restore the file. If you cannot, remove it, start again, and give each cluster of another Berth"
                        + " its token anew.");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new StartRefused(
                    "%s cannot be read: %s".formatted(file, e.getMessage()),
                    "Allow Berth to read the file, and start again.");
        }
    }

    private static SecretKey key(String text, String place, String remedy) {
        try {
            var key = HexFormat.of().parseHex(text.strip());
            if (key.length != KEY_BYTES) {
                throw new IllegalArgumentException("it has %d bytes".formatted(key.length));
            }
            return new SecretKeySpec(key, "AES");
        } catch (IllegalArgumentException e) {
            throw new StartRefused(
                    "%s is not a key of %d bytes in hexadecimal: %s".formatted(place, KEY_BYTES, e.getMessage()),
                    remedy);
        }
    }

    public String seal(String secret) {
        var sealed = encryptor.encrypt(secret.getBytes(StandardCharsets.UTF_8));
        return MARK + Base64.getEncoder().encodeToString(sealed);
    }

    /** Returns the decrypted secret; empty if it was not encrypted, encrypted with another key, or changed since. */
    public Optional<String> open(String sealed) {
        if (!sealed.startsWith(MARK)) {
            return Optional.empty();
        }
        try {
            var opened = encryptor.decrypt(Base64.getDecoder().decode(sealed.substring(MARK.length())));
            return Optional.of(new String(opened, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
