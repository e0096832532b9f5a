package berth;

import berth.archive.ExportCommand;
import berth.archive.ImportCommand;
import berth.archive.RebuildCommand;
import berth.archive.VerifyCommand;
import berth.runtime.RestartNeeded;
import berth.slurm.AgentCommand;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of Berth. {@code berth export …} and the other subcommands do their work and exit. Without a subcommand, or with only
 * options such as {@code --server.port=0}, {@code berth} starts the service.
 */
@Command(
        name = "berth",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "[COMMAND | OPTIONS OF THE SERVICE]",
        description = "Reserves compute capacity in advance. Without a command, starts the service.",
        subcommands = {
            HealthCommand.class,
            ExportCommand.class,
            VerifyCommand.class,
            ImportCommand.class,
            RebuildCommand.class,
            AgentCommand.class
        })
public final class Berth {

    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    /** The commands of the laboratory, which only its own jar has: {@code berth.lab.Laboratory} adds them. */
    private static final Set<String> OF_THE_LABORATORY = Set.of("experiment", "replay", "replay-policies");

    /** The standard options of picocli. A start of the service does without picocli. */
    private static final Set<String> OWN_OPTIONS = Set.of("-h", "--help", "-V", "--version");

    private Berth() {}

    public static void main(String[] args) {
        run(() -> commands(), args);
    }

    /** Does the work of the named subcommand and exits. Without a subcommand, starts the service and returns while it runs. */
    public static void run(Supplier<CommandLine> commands, String[] args) {
        // some languages have their own digits and letters, which no other program can read
        Locale.setDefault(Locale.ROOT);
        if (isForCommands(args)) {
            System.exit(execute(commands.get(), args));
        }
        serve(args);
    }

    /**
     * Returns the commands of the service, of its operators, and of agents.
     *
     * @param more further commands
     */
    public static CommandLine commands(Object... more) {
        CommandLine commands = new CommandLine(new Berth());
        for (Object command : more) {
            commands.addSubcommand(command);
        }
        addVersion(commands);
        return commands;
    }

    static int execute(CommandLine commands, String... args) {
        if (OF_THE_LABORATORY.contains(args[0]) && !commands.getSubcommands().containsKey(args[0])) {
            var err = commands.getErr();
            err.printf("%s is a command of the laboratory. Run it with java -jar berth-lab.jar.%n", args[0]);
            err.flush();
            return CommandLine.ExitCode.USAGE;
        }
        return commands.execute(args);
    }

    /** Adds {@code --version} to a command and all its subcommands, which do not inherit it. */
    private static void addVersion(CommandLine command) {
        command.getCommandSpec().versionProvider(new Version());
        command.getSubcommands().values().forEach(Berth::addVersion);
    }

    /**
     * Returns whether the arguments name a subcommand or one of its own options. A first word without a hyphen counts as a subcommand even
     * if it is unknown, because a mistyped one must not start the service.
     */
    static boolean isForCommands(String[] args) {
        return args.length > 0 && (OWN_OPTIONS.contains(args[0]) || !args[0].startsWith("-"));
    }

    /** Starts the service. Returns while the service continues to run. */
    private static void serve(String[] args) {
        addCarriers();
        var service = new SpringApplication(Service.class);
        service.addListeners(new ExitWhenLost());
        service.run(args);
    }

    /** Exits the program when it cannot go on, so that its supervisor starts it again. */
    private static final class ExitWhenLost
            implements ApplicationListener<PayloadApplicationEvent<RestartNeeded>>, Ordered {

        /**
         * How long to wait for the other listeners of the event, and then again for the shutdown. After that the program is halted, even
         * if work is unfinished; nothing of that work has been promised.
         */
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<RestartNeeded> event) {
            var publisher = Thread.currentThread();
            int code = event.getPayload().cause().exitCode();
            Thread.ofPlatform().name("end").start(() -> end(publisher, code));
        }

        private static void end(Thread publisher, int code) {
            try {
                publisher.join(PATIENCE);
                Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(code));
                Thread.sleep(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(code);
        }

        /** Runs before listeners whose work may take long. */
        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }

    /** The version that the build wrote into the manifest. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Berth.class.getPackage().getImplementationVersion();
            return new String[] {"berth " + (version == null ? "(development)" : version)};
        }
    }

    /**
     * Gives the virtual threads more carriers than there are processors. A busy carrier does the work that its own threads bring before it
     * looks at what other threads bring, such as the answers of the desks: as many busy connections as carriers would hold those answers
     * up for seconds. Among more carriers, the operating system shares the processors.
     */
    private static void addCarriers() {
        int carriers = Math.max(16, 4 * Runtime.getRuntime().availableProcessors());
        System.getProperties().putIfAbsent(CARRIERS, Integer.toString(carriers));
    }
}
