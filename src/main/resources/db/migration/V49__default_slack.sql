alter table cluster
    add default_slack bigint;
comment on column cluster.default_slack is 'slack of requests without slack and deadline, in seconds; null for none';
alter table cluster_version
    add default_slack bigint;
comment on column cluster_version.default_slack is 'slack of requests without slack and deadline, in seconds; null for none';
