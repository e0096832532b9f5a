-- The account of an agent is that of one cluster.
alter table account
    add column cluster text,
    add check ((role = 'AGENT') = (cluster is not null));
comment on column account.cluster is 'whose agent it is';
