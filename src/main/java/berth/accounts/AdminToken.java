package berth.accounts;

import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Ensures that an administrator exists. The first start creates it and writes its token to a file. */
public final class AdminToken {

    private static final Logger log = LoggerFactory.getLogger(AdminToken.class);
    private static final Account ADMIN = Account.fresh(
            new AccountName("admin"), Role.ADMIN, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, AccountLimits.NONE);

    /** The characters of a bearer token (RFC 6750), with a length that prevents guessing. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,500}=*");

    private static final String FILE = "admin.token";

    private final Accounts accounts;
    private final SecretFiles files;
    private final String given;

    /**
     * Creates the component.
     *
     * @param given the token that the operator chose; blank for none
     * @throws InvalidConfigurationPropertyValueException if it is not a valid token
     */
    public AdminToken(Accounts accounts, SecretFiles files, String given) {
        this.accounts = accounts;
        this.files = files;
        this.given = given.strip();
        if (!this.given.isEmpty()) {
            requireUsable(this.given);
        }
    }

    /** Creates the administrator, or gives it the token that the operator chose. Only the writing process may call this. */
    public void provide() {
        if (!given.isEmpty()) {
            // the operator who starts the service is entitled to everything, even if the account was deleted or lost
            // its role
            if (accounts.restore(ADMIN, given)) {
                log.warn(
                        "The account admin had another token than BERTH_ADMIN_TOKEN, perhaps a newer one. That token is invalid now, and the one in BERTH_ADMIN_TOKEN is valid again. If the latter has leaked, change BERTH_ADMIN_TOKEN and restart Berth.");
            }
            log.info(
                    "The account admin has the token that BERTH_ADMIN_TOKEN gives. The token is also in {}",
                    files.write(FILE, given));
        } else if (!accounts.isTaken(ADMIN.name())) {
            // write the file first: without it nobody would know the token and everybody would be locked out
            var token = Accounts.newToken();
            var file = files.write(FILE, token);
            accounts.create(ADMIN, token);
            log.info("Created the account admin. Its token is in {}", file);
        }
    }

    private static void requireUsable(String token) {
        if (!TOKEN.matcher(token).matches()) {
            throw new InvalidConfigurationPropertyValueException(
                    "BERTH_ADMIN_TOKEN",
                    "(not shown)",
                    "It must have at least 16 characters, all of them letters, digits or one of . _ ~ + / -");
        }
    }
}
