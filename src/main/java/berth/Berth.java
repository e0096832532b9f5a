package berth;

import berth.desk.WriterReplaced;
import berth.experiment.advisor.AdvisorCommand;
import berth.load.LoadCommand;
import berth.persistence.ExportCommand;
import berth.persistence.ImportCommand;
import berth.persistence.RebuildCommand;
import berth.persistence.VerifyCommand;
import berth.replay.ReplayCommand;
import berth.slurm.AgentCommand;
import java.time.Duration;
import java.util.Locale;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The command line of Berth. {@code berth replay …} and the other subcommands do their work and exit; without a
 * subcommand, or with options alone such as {@code --server.port=0}, the service is started.
 */
@Command(
        name = "berth",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "[COMMAND | OPTIONS OF THE SERVICE]",
        description = "Reserves compute before it is needed. Without a command the service is started.",
        subcommands = {
            ReplayCommand.class,
            LoadCommand.class,
            AdvisorCommand.class,
            ExperimentCommand.class,
            HealthCommand.class,
            ExportCommand.class,
            VerifyCommand.class,
            ImportCommand.class,
            RebuildCommand.class,
            AgentCommand.class
        })
public final class Berth {
    private Berth() {}

    public static void main(String[] args) {
        CommandLine commands = commands();
        if (isForCommands(commands, args)) {
            // some languages have digits of their own, which neither a browser nor another program reads
            Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
            System.exit(commands.execute(args));
        }
        serve(args);
    }

    static CommandLine commands() {
        CommandLine commands = new CommandLine(new Berth());
        tellVersion(commands);
        return commands;
    }

    /** Lets a command and those below it answer {@code --version}; they do not inherit it. */
    private static void tellVersion(CommandLine command) {
        command.getCommandSpec().versionProvider(new Version());
        command.getSubcommands().values().forEach(Berth::tellVersion);
    }

    /** A word that is no option is taken for a command, known or not: a mistyped one must not start the service. */
    static boolean isForCommands(CommandLine commands, String[] args) {
        if (args.length == 0) {
            return false;
        }
        boolean isOwnOption = commands.getCommandSpec().findOption(args[0]) != null;
        return isOwnOption || !args[0].startsWith("-");
    }

    /** Starts the service; returns while it goes on running. */
    private static void serve(String[] args) {
        var service = new SpringApplication(Service.class);
        service.addListeners(new EndOnceReplaced());
        service.run(args);
    }

    /** Ends the program where another one is the writer by now, so that whoever looks after it starts it again. */
    private static final class EndOnceReplaced
            implements ApplicationListener<PayloadApplicationEvent<WriterReplaced>>, Ordered {

        private static final int EXIT_CODE = 3;

        /** For those who hear of it, and then for the end of everything: what is not done by then is nobody's promise. */
        private static final Duration PATIENCE = Duration.ofSeconds(10);

        @Override
        public void onApplicationEvent(PayloadApplicationEvent<WriterReplaced> event) {
            var telling = Thread.currentThread();
            Thread.ofPlatform().name("end").start(() -> end(telling));
        }

        private static void end(Thread telling) {
            try {
                telling.join(PATIENCE);
                Thread.ofPlatform().daemon().name("exit").start(() -> System.exit(EXIT_CODE));
                Thread.sleep(PATIENCE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(EXIT_CODE);
        }

        /** Before those whose work may take long. */
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
}
