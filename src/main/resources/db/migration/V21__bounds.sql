-- What an account may have waiting and hold, and what a cluster lets others hold and hand in. Those that were there before have no
-- such limits; whose jobs an outside batch system told of last, it goes on telling.

alter table account
    add limit_jobs             integer check (limit_jobs >= 0),
    add limit_pending_requests integer check (limit_pending_requests >= 0),
    add limit_holds            integer check (limit_holds >= 0),
    add limit_max_hold         bigint check (limit_max_hold > 0);
comment on column account.limit_max_hold is 'seconds';

alter table cluster
    add max_hold         bigint check (max_hold > 0),
    add max_job_duration bigint check (max_job_duration > 0),
    add jobs             text not null default 'OPEN';
comment on column cluster.max_hold is 'seconds';
comment on column cluster.max_job_duration is 'seconds of this cluster''s time';
comment on column cluster.jobs is 'who hands in batch jobs';

alter table cluster_version
    add max_hold         bigint,
    add max_job_duration bigint,
    add jobs             text not null default 'OPEN';

update cluster
set jobs = 'OUTSIDE'
where exists (select from job where job.cluster = cluster.id and job.source = 'OUTSIDE');
update cluster_version
set jobs = cluster.jobs
from cluster
where cluster.id = cluster_version.cluster and cluster.version = cluster_version.version;

alter table cluster
    alter jobs drop default;
alter table cluster_version
    alter jobs drop default;
