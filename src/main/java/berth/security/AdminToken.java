package berth.security;

import berth.sla.AccountLimits;
import berth.sla.AccountName;
import berth.sla.ServiceClass;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** Sees to it that there is an administrator: the first start makes one, and says where its token is. */
public final class AdminToken {

    private static final Logger log = LoggerFactory.getLogger(AdminToken.class);
    private static final Account ADMIN = Account.fresh(
            new AccountName("admin"), Role.ADMIN, Account.STANDARD_PRIORITY, ServiceClass.STANDARD, AccountLimits.NONE);

    /** What a bearer token may consist of (RFC 6750), and long enough not to be guessed. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,500}=*");

    private static final String FILE = "admin.token";

    private final Accounts accounts;
    private final SecretFiles files;
    private final String given;

    /**
     * @param given the token that the operator chose; blank: none
     * @throws InvalidConfigurationPropertyValueException if that cannot be a token
     */
    AdminToken(Accounts accounts, SecretFiles files, String given) {
        this.accounts = accounts;
        this.files = files;
        this.given = given.strip();
        if (!this.given.isEmpty()) {
            requireUsable(this.given);
        }
    }

    /** Makes the administrator, or gives it the token that the operator chose; only the process that writes may. */
    public void provide() {
        if (!given.isEmpty()) {
            // whoever starts the service may do everything: also with an account that was deleted or has lost its role
            accounts.restore(ADMIN, given);
            log.info(
                    "The account admin has the token given by BERTH_ADMIN_TOKEN, also in {}", files.write(FILE, given));
        } else if (!accounts.isTaken(ADMIN.name())) {
            // the file first: a token that nobody can read would lock everybody out
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
