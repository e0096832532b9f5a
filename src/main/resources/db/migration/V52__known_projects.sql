alter table cluster
    add projects text not null default 'ANY';
comment on column cluster.projects is 'under which labels requests may be filed: ANY, or only projects that are KNOWN';
alter table cluster_version
    add projects text not null default 'ANY';
comment on column cluster_version.projects is 'under which labels requests may be filed: ANY, or only projects that are KNOWN';
