-- A change of a cluster's signal concerns the cluster, as other changes of clusters do.
alter table event
    drop constraint event_concerns_one,
    add constraint event_concerns_one check (
        num_nonnulls(reservation, outage, job, jobs_waiting, request)
            = case when type in ('CLUSTER_CHANGED', 'SIGNAL_CHANGED', 'BUDGET_LOW') then 0 else 1 end);
