package berth.security;

import berth.budget.BudgetMode;
import berth.sla.AccountName;
import java.util.List;

/** Where projects are kept. Whether a write that fails has changed anything is not known before {@link #all} tells. */
public interface ProjectStore {

    /** All projects. Waits for writes that are still under way, so that what it answers is what they have come to. */
    List<Project> all();

    /** The same as they are recorded at present: writes that are still under way are not waited for. */
    List<Project> recorded();

    /** Keeps a new project, which has no members. */
    void create(Project project);

    /** Names a project. */
    void rename(String project, String name);

    /** Says what the budget of a project does. */
    void setMode(String project, BudgetMode mode);

    /** Makes an account a member of a project, or gives it another role there. */
    void put(String project, AccountName account, ProjectRole role);

    /** Has an account be no member of a project any more. */
    void remove(String project, AccountName account);
}
