alter table cluster
    add return_share numeric,
    add flexibility_scale bigint;
comment on column cluster.return_share is 'share of the price of returned PE-time that is taken off; null for none';
comment on column cluster.flexibility_scale is 'slack that earns half of the flexibility discount, in seconds; null for as much as the run time';
alter table cluster_version
    add return_share numeric,
    add flexibility_scale bigint;
comment on column cluster_version.return_share is 'share of the price of returned PE-time that is taken off; null for none';
comment on column cluster_version.flexibility_scale is 'slack that earns half of the flexibility discount, in seconds; null for as much as the run time';
