package berth.slurm;

/** The error if the agent's Linux user may not change reservations of Slurm. It says what to type. */
final class NoRight extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoRight(String user) {
        super("""
                The user %1$s may not create reservations in Slurm (Invalid user id). On a Slurm with slurmdbd, type: \
                sacctmgr -i create user %1$s account=root AdminLevel=Operator. If slurmdbd knows the user already, type: \
                sacctmgr -i modify user %1$s set AdminLevel=Operator. Without slurmdbd, run the agent as root or SlurmUser.""".formatted(user));
    }
}
