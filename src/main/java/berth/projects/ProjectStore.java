package berth.projects;

import berth.approval.ApprovalRules;
import berth.budget.BudgetMode;
import berth.sla.AccountName;
import java.util.List;

/** Stores projects. If a write fails, only {@link #all} shows whether it changed anything. */
public interface ProjectStore {

    /** Returns all projects. It waits for writes in progress, so the result includes them. */
    List<Project> all();

    /** Returns the same projects as recorded now, without waiting for writes in progress. */
    List<Project> recorded();

    /** Stores a new project without members. */
    void create(Project project);

    /** Changes the name of a project. */
    void rename(String project, String name);

    /** Changes how strictly the budget of a project applies. */
    void setMode(String project, BudgetMode mode);

    /** Changes which requests the owners of a project must approve. */
    void setApproval(String project, ApprovalRules rules);

    /** Changes the groups of a project. Without groups, the members that come from one are removed. */
    void setGroups(String project, ProjectGroups groups);

    /** Makes an account a member of a project, or changes its membership. */
    void put(String project, AccountName account, Member member);

    /** Removes a member from a project. */
    void remove(String project, AccountName account);
}
