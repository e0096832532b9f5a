package berth.security;

import berth.sla.ServiceClass;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees to it that there is an administrator: the first start makes one, and says where its token is. */
final class AdminToken {

    private static final Logger log = LoggerFactory.getLogger(AdminToken.class);
    private static final Account ADMIN = new Account("admin", Role.ADMIN, ServiceClass.STANDARD);

    /** @param given the token that the operator chose; blank: none */
    AdminToken(Accounts accounts, SecretFiles files, String given) {
        if (!given.isBlank()) {
            accounts.setToken(ADMIN, given.strip());
            log.info("The account admin has the token given by BERTH_ADMIN_TOKEN.");
        } else if (accounts.find(ADMIN.name()).isEmpty()) {
            // the file first: a token that nobody can read would lock everybody out
            var token = Accounts.newToken();
            var file = files.write("admin.token", token);
            accounts.setToken(ADMIN, token);
            log.info("Created the account admin. Its token is in {}", file);
        }
    }
}
